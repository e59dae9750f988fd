"""Tests of guests at a table: their windows, sessions and limits."""

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from pytest_django import Settings

from games import services, store
from games.guests import Guest
from games.models import Match
from tests.factories import make_user
from tests.games.helpers import begin
from tests.games.windows import Window, open_window
from tests.live import LiveSite

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


def make_session(guest: Guest) -> SessionStore:
    session = SessionStore()
    session["guest"] = guest.key
    session.save()
    return session


def open_guest_window(site: LiveSite, match: Match, session: SessionStore) -> Window:
    cookie = {"Cookie": f"sessionid={session.session_key}"}
    return open_window(site, match, additional_headers=cookie)


def make_guest_match(guest: Guest) -> Match:
    """Create a practice match with two cards in each hand, in which it is the guest's turn."""
    match = begin(["R1 R2", "R3 R4"], "R7", "G1 G2 G3 G4", practice=True)
    match.seats.filter(number=0).update(user=None, guest=guest.key)
    match.seats.filter(number=1).update(user=None, bot="plain")
    store.forget(match.pk)
    return match


def test_guest_can_play_in_a_second_window(live_site: LiveSite) -> None:
    guest = Guest()
    match, session = make_guest_match(guest), make_session(guest)
    with open_guest_window(live_site, match, session) as first:
        first.wait_for("view")
        with open_guest_window(live_site, match, session) as second:
            second.wait_for("view")
            first.wait_for("notice", code="other_tab")
            for window in (first, second):
                assert [card["card"] for card in window.view["cards"]] == ["R1", "R2"]
            assert second.act({"play": "R1", "uno": True})["type"] == "ack"
            first.catch_up(second.version)


def test_practice_table_is_not_found_for_another_guest(live_site: LiveSite) -> None:
    match = make_guest_match(Guest())
    with open_guest_window(live_site, match, make_session(Guest())) as window:
        assert window.read_close_code() == 4404


def test_guest_can_watch_a_table_of_accounts_but_not_act(live_site: LiveSite) -> None:
    match = begin(["R1 R2", "R3 R4"], "R7", "G1 G2 G3 G4")
    with open_guest_window(live_site, match, make_session(Guest())) as window:
        window.wait_for("view")
        assert (window.view["you"], window.view["cards"]) == (None, [])
        answer = window.act({"play": "R1"})
        assert (answer["type"], answer["code"]) == ("refused", "not-seated")


def test_guest_socket_ends_with_the_session(live_site: LiveSite) -> None:
    guest = Guest()
    match, session = make_guest_match(guest), make_session(guest)
    with open_guest_window(live_site, match, session) as window:
        window.wait_for("view")
        Session.objects.all().delete()
        window.send(
            {"type": "action", "id": "late", "version": window.version, "action": {"play": "R1"}}
        )
        assert window.read_close_code() == 4401
    assert Match.objects.get(pk=match.pk).version == 1
    with open_guest_window(live_site, match, session) as window:
        assert window.read_close_code() == 4401


def test_moving_practice_to_an_account_closes_the_windows_of_the_guest(live_site: LiveSite) -> None:
    guest = Guest()
    match, session = make_guest_match(guest), make_session(guest)
    with open_guest_window(live_site, match, session) as window:
        window.wait_for("view")
        services.transfer_practice(guest, make_user())
        assert window.read_close_code() == 4403


def test_session_with_account_and_guest_counts_as_the_account(live_site: LiveSite) -> None:
    guest = Guest()
    match, session = make_guest_match(guest), make_session(guest)
    session[SESSION_KEY] = "12345"
    session.save()
    with open_guest_window(live_site, match, session) as window:
        assert window.read_close_code() == 4401


def test_guests_count_as_visitors_of_their_address(live_site: LiveSite, settings: Settings) -> None:
    settings.ANONYMOUS_SOCKETS = 1
    guest = Guest()
    match, session = make_guest_match(guest), make_session(guest)
    with open_guest_window(live_site, match, session) as first:
        first.wait_for("view")
        with open_guest_window(live_site, match, session) as second:
            assert second.read_close_code() == 1013


def test_deleting_a_table_closes_its_open_windows(live_site: LiveSite) -> None:
    guest = Guest()
    match, session = make_guest_match(guest), make_session(guest)
    with open_guest_window(live_site, match, session) as window:
        window.wait_for("view")
        services.abandon_match(match, "")
        window.wait_for_view(prompt="The match is over.")
        Match.objects.filter(pk=match.pk).delete()
    with open_guest_window(live_site, match, session) as window:
        assert window.read_close_code() == 4404
