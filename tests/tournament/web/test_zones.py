"""Tests that the times of an event are shown in the event's time zone."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import UNREACHABLE_TARGET, make_event, make_user
from tests.tournament.staging import first_table, organizer_of, play, running_round
from tests.tournament.visitors import PASSWORD
from tournament.common.language import translate_later
from tournament.common.moments import moment_text
from tournament.models import Event, LogAction, Registration, User
from tournament.oversight.audit import record
from tournament.registration.services import register
from tournament.standings.freezing import freeze
from tournament.web.live.boards import read_news

pytestmark = pytest.mark.django_db

# At this time, it is already the next day in India and Japan.
STARTS_AT = datetime(2027, 1, 9, 20, 30, tzinfo=UTC)
LOCAL_TIMES = {
    "Asia/Kolkata": "Sun 10 January 2027, 02:00 IST",
    "America/New_York": "Sat 9 January 2027, 15:30 EST",
    "Asia/Tokyo": "Sun 10 January 2027, 05:30 JST",
}
# The same time in the zone of the site.
SITE_TIME = "Sat 9 January 2027, 20:30 UTC"
TIME_TEXT = re.compile(r"\d\d:\d\d [A-Z]{2,4}\b")


@pytest.fixture
def events() -> list[Event]:
    return [
        make_event(title=zone, slug=f"event-{number}", time_zone=zone, starts_at=STARTS_AT)
        for number, zone in enumerate(LOCAL_TIMES)
    ]


@pytest.fixture
def player(events: list[Event]) -> User:
    player = make_user("Asha", email="asha@college.example")
    for number, event in enumerate(events):
        Registration.objects.create(
            event=event,
            user=player,
            name="Asha",
            roll_number=f"R{number}",
            roll_key=f"r{number}",
            queue_number=1,
            state=Registration.State.APPROVED,
            registered_at=STARTS_AT,
        )
    return player


def list_times(page: str) -> list[str]:
    return re.findall(r'<time datetime="[^"]*">([^<]*)</time>', page)


@pytest.mark.usefixtures("events")
def test_home_page_shows_each_event_in_its_own_zone() -> None:
    assert sorted(list_times(Client().get(reverse("home")).text)) == sorted(LOCAL_TIMES.values())


def test_my_events_page_shows_each_event_in_its_own_zone(player: User, client: Client) -> None:
    client.force_login(player)
    assert sorted(list_times(client.get(reverse("my-events")).text)) == sorted(LOCAL_TIMES.values())


def test_machine_readable_time_is_in_the_event_zone(events: list[Event]) -> None:
    page = Client().get(reverse("home")).text
    assert sorted(re.findall(r'<time datetime="([^"]*)">', page)) == [
        "2027-01-09T15:30:00-05:00",
        "2027-01-10T02:00:00+05:30",
        "2027-01-10T05:30:00+09:00",
    ]


@pytest.mark.parametrize("number", range(3))
def test_player_pages_use_the_event_zone(
    player: User, events: list[Event], client: Client, number: int
) -> None:
    client.force_login(player)
    for name in ("event", "event-register", "my-table"):
        shown = client.get(reverse(name, args=[events[number].slug])).text
        assert LOCAL_TIMES[events[number].time_zone] in shown
        assert SITE_TIME not in shown


@pytest.mark.parametrize("zone", LOCAL_TIMES)
def test_page_and_socket_show_the_same_times(zone: str) -> None:
    """Check that a frozen leaderboard shows the time of the freeze in the event's zone."""
    played = running_round(8, hand_limit=2, options=UNREACHABLE_TARGET)
    play(first_table(played), 1)
    event = played.stage.event
    Event.objects.filter(pk=event.pk).update(time_zone=zone)
    event = freeze(Event.objects.get(pk=event.pk), organizer_of(event))
    assert event.freeze.at is not None
    with timezone.override("UTC"):
        news = read_news(event)
        parts = [news.shown.state.strip(), news.shown.legend]
    page = Client().get(reverse("event-leaderboard", args=[event.slug])).text
    frozen = moment_text(event.freeze.at, event.zone).rpartition(", ")[2]
    assert set(TIME_TEXT.findall(parts[0])) == {frozen}
    assert [part for part in parts if part not in page] == []
    for name in ("event", "event-leaderboard", "event-hall"):
        shown = Client().get(reverse(name, args=[event.slug])).text
        found = re.findall(r"was frozen at (\d\d:\d\d \w+)", shown)
        assert set(found) <= {frozen}, name


@pytest.mark.parametrize("zone", LOCAL_TIMES)
def test_email_about_an_event_uses_the_event_zone(
    zone: str, mailoutbox: list[EmailMessage], django_capture_on_commit_callbacks: Any
) -> None:
    event = make_event(time_zone=zone, starts_at=STARTS_AT)
    with timezone.override("UTC"), django_capture_on_commit_callbacks(execute=True):
        register(event, make_user("Ben", email="ben@college.example"), roll_number="R1", name="Ben")
    assert LOCAL_TIMES[zone] in str(mailoutbox[-1].body)


@pytest.mark.parametrize("zone", LOCAL_TIMES)
def test_log_uses_the_event_zone(zone: str) -> None:
    event = make_event(time_zone=zone)

    def describe_start() -> str:
        return translate_later("It starts on {moment}.", moment=moment_text(STARTS_AT))()

    with timezone.override("UTC"):
        entry = record(event, None, LogAction.APPROVE, describe_start)
    assert entry.text == f"It starts on {LOCAL_TIMES[zone]}."


def test_email_about_an_account_uses_the_site_zone(
    client: Client, mailoutbox: list[EmailMessage]
) -> None:
    user = make_user("Asha", email="asha@college.example")
    user.set_password(PASSWORD)
    user.save()
    client.force_login(user)
    new = {"oldpassword": PASSWORD, "password1": "eight-lucky-cards", "password2": ""}
    client.post(reverse("account_change_password"), new)
    [when] = re.findall(r"^When: (.*)$", str(mailoutbox[-1].body), re.MULTILINE)
    assert re.fullmatch(r"\w{3} \d{1,2} \w+ \d{4}, \d\d:\d\d UTC", when)
