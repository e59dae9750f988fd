"""Tests that neither an outage nor a clock change affects a deal that waits for shares."""

from datetime import timedelta

import pytest

from games import services
from games.clocks.downtime import Pulse
from games.process import here
from tests.games.dealing import (
    commit_to_share,
    get_deal_facts,
    make_match_between_hands,
    open_share,
)
from tests.games.helpers import reload
from tests.games.moving_clock import MovingClock, get_seconds_left
from tests.typed import sure

pytestmark = pytest.mark.django_db


def test_hand_dealt_after_an_outage_gets_no_compensation(moving_clocks: MovingClock) -> None:
    """Check that the clock of a hand dealt after an outage is not extended.

    The last share arrives before the first heartbeat after the outage.
    """
    match = make_match_between_hands()
    for seat in (0, 1):
        commit_to_share(match, seat)
    services.tick(sure(match.due))
    open_share(match, 0)
    here().part(Pulse).runs = True
    services.beat()
    moving_clocks.advance(23)
    open_share(match, 1)
    services.beat()
    assert reload(match).phase == "playing"
    assert get_seconds_left(match) == 25


def test_closed_list_keeps_its_waiting_time_after_an_outage(
    moving_clocks: MovingClock,
) -> None:
    match = make_match_between_hands()
    commit_to_share(match, 1)
    services.tick(sure(match.due))
    before = reload(match)
    here().part(Pulse).runs = True
    services.beat()
    moving_clocks.advance(23)
    services.beat()
    services.tick()
    assert reload(match).due == sure(before.due) + timedelta(seconds=23)
    assert get_deal_facts(match)["step"] == "open"
    open_share(match, 1)
    assert reload(match).phase == "playing"


@pytest.mark.parametrize("seconds", [3600, -3600])
def test_clock_change_does_not_void_an_attempt(moving_clocks: MovingClock, seconds: float) -> None:
    match = make_match_between_hands()
    commit_to_share(match, 1)
    services.tick(sure(match.due))
    before = reload(match)
    here().part(Pulse).runs = True
    services.beat()
    moving_clocks.set_forward(seconds)
    services.beat_if_overdue()
    services.compensate_outages()
    services.tick()
    assert reload(match).due == sure(before.due) + timedelta(seconds=seconds)
    assert get_deal_facts(match)["step"] == "open"
