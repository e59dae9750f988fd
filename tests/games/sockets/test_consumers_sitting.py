"""Tests of seats whose player changes while windows are open."""

import pytest

from games import services
from games.models import Match
from games.seats import SeatNumber
from tests.factories import make_user
from tests.games.helpers import begin
from tests.games.windows import open_window
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def begin_two_player_match() -> Match:
    return begin(["R1 R2", "R3 R4"], "R7", "G1 G2 G3 G4")


def test_former_seat_holder_no_longer_sees_the_cards(live_site: LiveSite) -> None:
    match = begin_two_player_match()
    with open_window(live_site, match, match.seats.get(number=0).user) as window:
        window.wait_for("view")
        seen = window.version
        services.change_seat(match, SeatNumber(0), services.SeatSpec("", bot=services.EMPTY))
        assert window.read_close_code() == 4403
        assert window.version == seen


def test_viewer_who_gets_a_seat_reconnects_as_its_player(live_site: LiveSite) -> None:
    match, user = begin_two_player_match(), make_user()
    with open_window(live_site, match, user) as window:
        window.wait_for("view")
        services.change_seat(match, SeatNumber(1), services.SeatSpec("Chitra", user=user))
        assert window.read_close_code() == 4409
    with open_window(live_site, match, user) as window:
        window.wait_for("view")
        assert [card["card"] for card in window.view["cards"]] == ["R3", "R4"]
