"""Tests of the rehearsal, in which bots play a copy of the event.

The copy is not public, and it is deleted at the end.
"""

import pytest
from django.core import mail
from django.test import Client

from games.models import Match, Seat
from tests.tournament.helpers import get_refusal_code, make_organized_event
from tests.tournament.organizing import page, press_button
from tournament.models import AuditEntry, Event, Letter, Registration, Round, User
from tournament.planning.rehearsal import create_rehearsal, end_rehearsal
from tournament.rounds.services import start_round
from tournament.seating.services import publish_round, seat_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(client: Client) -> Event:
    event, organizer = make_organized_event(8, title="Cup", slug="cup", check_in=True)
    client.force_login(organizer)
    return event


@pytest.fixture
def rehearsal(client: Client, event: Event) -> Event:
    message = press_button(client, page("desk", event).replace("desk", "rehearsal"), "begin")
    assert "This is the rehearsal. Play through the whole day:" in message
    return Event.objects.get(rehearsal_of=event)


def start_rehearsal_round(rehearsal: Event) -> Round:
    owner = rehearsal.organizers.get()
    seated = seat_round(rehearsal.stages.get(number=1), owner)
    return start_round(publish_round(seated, owner), owner)


def test_rehearsal_has_a_bot_per_player_and_bots_cannot_sign_in(
    rehearsal: Event,
) -> None:
    bots = rehearsal.registrations.select_related("user")
    assert [bot.name for bot in bots[:2]] == ["Bot 001", "Bot 002"]
    assert len(bots) == 8
    assert not any(bot.user.is_active or bot.user.mailbox for bot in bots)
    assert (rehearsal.title, rehearsal.state) == ("Rehearsal: Cup", "open")


def test_only_rehearsal_pages_are_labelled_as_a_rehearsal(
    client: Client, event: Event, rehearsal: Event
) -> None:
    for name in ("desk", "rounds", "control", "standings", "rehearsal"):
        assert (
            "Only bots play in this rehearsal. Nothing counts, only organizers can see it, "
            "and no emails are sent." in client.get(page(name, rehearsal)).content.decode()
        )
        assert (
            "Only bots play in this rehearsal. Nothing counts, only organizers can see it, "
            "and no emails are sent." not in client.get(page(name, event)).content.decode()
        )
    for name, found in (
        (
            "",
            "Only bots play in this rehearsal. Nothing counts, only organizers can see it, "
            "and no emails are sent.",
        ),
        ("leaderboard/?view=hall", "bots are playing"),
    ):
        assert found in client.get(f"/e/{rehearsal.slug}/{name}").content.decode()


def test_only_organizers_see_the_rehearsal(client: Client, rehearsal: Event) -> None:
    assert not rehearsal.public
    client.logout()
    assert client.get(f"/e/{rehearsal.slug}/").status_code == 404
    assert "Rehearsal" not in client.get("/").content.decode()
    assert "Rehearsal" not in client.get("/api/v1/events").content.decode()


def test_bots_fill_every_seat_and_play_fast(rehearsal: Event) -> None:
    start_rehearsal_round(rehearsal)
    assert set(Seat.objects.values_list("bot", flat=True)) == {"plain"}
    assert not Seat.objects.filter(user__isnull=False).exists()
    assert set(Match.objects.values_list("bot_seconds", "between_seconds")) == {(0.2, 1)}


def test_ending_a_rehearsal_leaves_the_event_unchanged(
    client: Client, event: Event, rehearsal: Event
) -> None:
    users, log = User.objects.filter(is_active=True).count(), event.audit.count()
    start_rehearsal_round(rehearsal)
    message = press_button(client, page("rehearsal", rehearsal), "end")
    assert "The rehearsal is over, and all its data has been deleted." in message
    assert list(Event.objects.all()) == [event]
    assert (User.objects.count(), event.audit.count()) == (users, log)
    assert AuditEntry.objects.exclude(event=event).count() == 0
    assert Registration.objects.count() == 8
    assert not Match.objects.exists()
    assert (len(mail.outbox), Letter.objects.count()) == (0, 0)


def test_event_has_one_rehearsal_and_a_rehearsal_has_none(
    client: Client, event: Event, rehearsal: Event
) -> None:
    owner = event.organizers.get()
    assert create_rehearsal(event, owner) == rehearsal
    assert "Continue the rehearsal" in client.get(page("rehearsal", event)).content.decode()
    assert get_refusal_code(create_rehearsal, rehearsal, owner) == "rehearsal"
    assert get_refusal_code(end_rehearsal, event) == "real"
