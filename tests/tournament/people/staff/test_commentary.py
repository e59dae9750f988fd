"""Tests of the commentators' view of all cards: access, delay and log entries."""

import json
import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import queries, store
from games.models import Hand, Match
from games.protocol.table import OpenHand
from games.seats import SeatNumber
from games.tables.spectator_delay import commentary_stream, shown_now
from tests.factories import give_role, make_organizer, make_user, remove_role
from tests.games.windows import Window, open_window
from tests.live import LiveSite
from tests.tournament.staging import first_table, match_of, running_round
from tests.typed import sure
from tournament.models import AuditEntry, Event, Table, User
from tournament.people.staff.commentary import is_commentator

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

LONG_AGO = timezone.now() - timedelta(days=1)


@pytest.fixture
def table() -> Table:
    """Provide a table whose hand was dealt ten minutes ago."""
    table = first_table(running_round())
    long_ago = timezone.now() - timedelta(minutes=10)
    Hand.objects.filter(match=table.match).update(dealt_at=long_ago)
    store.forget(match_of(table).pk)
    return table


def get_event(table: Table) -> Event:
    return table.round.stage.event


def make_commentator(table: Table, **fields: Any) -> User:
    user = make_user(**({"is_staff": True} | fields))
    appoint_commentator(table, user)
    return user


def appoint_commentator(table: Table, user: User) -> None:
    """Make the user a commentator, with access from long before the hand was dealt."""
    give_role(get_event(table), user, "commentator", since=LONG_AGO)


def get_commentary_address(match: Match) -> str:
    return reverse("games:commentary", args=[match.public_id])


def test_commentator_sees_all_cards_and_the_visit_is_logged(client: Client, table: Table) -> None:
    user = make_commentator(table)
    client.force_login(user)
    answer = client.get(get_commentary_address(match_of(table)))
    view = json.loads(
        sure(re.search(r'<script id="view"[^>]*>(.*?)</script>', answer.text, re.S))[1]
    )
    assert [one["cards"] for one in view["open"]] == [
        sure(store.current(match_of(table).pk).position).cards(seat) for seat in range(4)
    ]
    assert view["viewer"]["text"] == (
        "You see all cards with a delay of 30 seconds. Your visit is logged."
    )
    assert "no-store" in answer.headers["Cache-Control"]
    entry = sure(AuditEntry.objects.first())
    assert (entry.actor, entry.event) == (user, get_event(table))
    assert entry.text == "Viewed all cards at Round 1, table 1."
    client.get(get_commentary_address(match_of(table)))
    assert AuditEntry.objects.filter(action="commentary").count() == 2


def test_other_users_get_404_as_for_an_unknown_match(client: Client, table: Table) -> None:
    event = get_event(table)
    organizer = make_organizer(event)
    no_staff = make_commentator(table, is_staff=False)
    former_commentator = make_commentator(table)
    remove_role(event, former_commentator, "commentator")
    superuser = make_user(is_staff=True, is_superuser=True)
    player = sure(sure(table.seats.first()).registration).user
    player.is_staff = True
    player.save()
    appoint_commentator(table, player)
    unknown = Match(public_id="x" * 24)
    for user in (None, organizer, no_staff, former_commentator, superuser, player):
        if user:
            client.force_login(user)
        answers = (
            client.get(get_commentary_address(match_of(table))),
            client.get(get_commentary_address(unknown)),
        )
        assert [answer.status_code for answer in answers] == [404, 404]
    assert not AuditEntry.objects.filter(action="commentary").exists()


def test_player_cannot_commentate_on_any_table_of_the_event(table: Table) -> None:
    event = get_event(table)
    player = sure(sure(table.seats.first()).registration)
    player.user.is_staff = True
    player.user.save()
    appoint_commentator(table, player.user)
    assert not is_commentator(event, player.user)
    player.state = "withdrawn"
    player.save()
    assert not is_commentator(event, player.user)
    player.seats.all().delete()
    assert is_commentator(event, player.user)


def test_waitlisted_player_cannot_commentate(table: Table) -> None:
    event = get_event(table)
    user = make_commentator(table)
    assert is_commentator(event, user)
    registration = event.registrations.create(
        user=user, state="waitlist", queue_number=99, registered_at=timezone.now()
    )
    assert not is_commentator(event, user)
    registration.state = "refused"
    registration.save()
    assert is_commentator(event, user)


@pytest.mark.parametrize(
    ("viewers", "delay", "seconds"), [("live", 0, 30), ("delayed", 10, 30), ("delayed", 90, 90)]
)
def test_all_cards_are_delayed_even_if_viewers_see_moves_live(
    table: Table, viewers: str, delay: int, seconds: int
) -> None:
    match = match_of(table)
    now = timezone.now()
    Hand.objects.filter(match=match).update(dealt_at=now)
    Match.objects.filter(pk=match.pk).update(viewers=viewers, viewer_delay_seconds=delay)
    live = store.load(match.pk)

    def list_hands_shown_after(later: float) -> list[OpenHand]:
        shown = shown_now(
            live, commentary_stream(live.match, LONG_AGO), now + timedelta(seconds=later)
        )
        return queries.commentary_view(shown, {})["open"]

    assert list_hands_shown_after(seconds - 0.1) == []
    assert len(list_hands_shown_after(seconds)) == 4


def test_commentator_sees_no_cards_of_a_running_hand_if_viewers_see_only_whole_hands(
    table: Table,
) -> None:
    match = match_of(table)
    Match.objects.filter(pk=match.pk).update(viewers="hand")
    live = store.load(match.pk)
    shown = shown_now(live, commentary_stream(live.match, LONG_AGO), timezone.now())
    assert queries.commentary_view(shown, {})["open"] == []


@pytest.mark.django_db(transaction=True)
def test_socket_checks_permission_for_every_view_and_logs_one_visit(
    live_site: LiveSite, table: Table
) -> None:
    user = make_commentator(table)
    match = match_of(table)
    for _ in range(2):
        with open_commentary_window(live_site, match, user) as window:
            assert len(window.wait_for("view")["view"]["open"]) == 4
    assert AuditEntry.objects.filter(action="commentary", actor=user).count() == 1
    with open_commentary_window(live_site, match, user) as window:
        window.wait_for("view")
        remove_role(get_event(table), user, "commentator")
        window.send({"type": "sync"})
        assert window.read_close_code() == 4404
    assert not any(m["type"] == "view" for m in window.heard[1:])


def sign_in_by_emailed_code(user: User) -> Client:
    """Return a browser with a session that looks to allauth like a sign-in by emailed code."""
    browser = Client()
    browser.force_login(user)
    noted = browser.session
    noted["account_authentication_methods"] = [{"method": "code", "at": 0.0}]
    noted["account_authentication_methods_user"] = str(user.pk)
    noted.save()
    return browser


def open_commentary_with_session(site: LiveSite, match: Match, browser: Client) -> Window:
    """Open the commentators' socket with the browser's session."""
    cookie = f"{settings.SESSION_COOKIE_NAME}={browser.session.session_key}"
    return open_window(site, f"{match.public_id}/commentary", additional_headers={"Cookie": cookie})


def test_sign_in_by_emailed_code_requires_a_password_to_see_cards(table: Table) -> None:
    user = make_commentator(table)
    user.set_password("seven-lucky-cards")
    user.save()
    page = get_commentary_address(match_of(table))
    answer = sign_in_by_emailed_code(user).get(page)
    back = f"{reverse('account_reauthenticate')}?{urlencode({'next': page})}"
    assert (answer.status_code, answer["Location"]) == (302, back)
    assert not AuditEntry.objects.filter(action="commentary").exists()


def test_required_second_factor_applies_to_commentators(client: Client, table: Table) -> None:
    Event.objects.filter(pk=get_event(table).pk).update(second_factor=True)
    client.force_login(make_commentator(table))
    answer = client.get(get_commentary_address(match_of(table)))
    assert (answer.status_code, answer["Location"]) == (302, reverse("mfa_index"))


@pytest.mark.django_db(transaction=True)
def test_socket_requires_more_than_an_emailed_code(live_site: LiveSite, table: Table) -> None:
    user, match = make_commentator(table), match_of(table)
    with open_commentary_with_session(live_site, match, sign_in_by_emailed_code(user)) as window:
        assert (window.read_close_code(), window.heard) == (4404, [])
    proved = sign_in_by_emailed_code(user)
    noted = proved.session
    noted["account_authentication_methods"] += [{"method": "password", "at": 1.0}]
    noted.save()
    with open_commentary_with_session(live_site, match, proved) as window:
        assert len(window.wait_for("view")["view"]["open"]) == 4


@pytest.mark.django_db(transaction=True)
def test_socket_rejects_users_who_are_not_commentators(live_site: LiveSite, table: Table) -> None:
    seat = match_of(table).seats.first()
    for user in (None, sure(seat).user, make_organizer(get_event(table))):
        with open_commentary_window(live_site, match_of(table), user) as window:
            assert window.read_close_code() == 4404
            assert window.heard == []


def open_commentary_window(site: LiveSite, match: Match, user: User | None) -> Window:
    return open_window(site, f"{match.public_id}/commentary", user)


def test_players_and_viewers_receive_no_open_cards(table: Table) -> None:
    live = store.load(match_of(table).pk)
    for seat in (None, SeatNumber(0)):
        assert "open" not in queries.table_view(live, seat, {}, timezone.now(), controls=True)
