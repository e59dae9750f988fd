"""Tests of the credit for lag at the end of a turn and in the time bank."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from games import services
from games.clocks.lag import Lag
from games.models import Match
from games.process import here
from games.seats import SeatNumber
from tests.games.helpers import act, begin, list_log
from tests.typed import sure

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


def begin_match(**fields: Any) -> Match:
    """Begin a match in which it is seat 0's turn, with 25 seconds left."""
    return begin(["R1 R2 R8", "R3 R4 R9"], "R5", "G1 G2 G3 G4 B1 B2", **fields)


def get_time_after_turn(match: Match, seconds: float) -> datetime:
    """Return the time `seconds` after the current turn's time is up."""
    match.refresh_from_db()
    return sure(match.turn_until) + timedelta(seconds=seconds)


def test_table_does_not_act_before_the_grace_ends() -> None:
    match = begin_match()
    assert services.tick(get_time_after_turn(match, 1.99)) == 0
    assert list_log(match) == []
    services.tick(get_time_after_turn(match, 2.01))
    assert {auto for _, _, auto in list_log(match)} == {"timeout"}


def test_action_within_the_grace_is_in_time() -> None:
    match = begin_match()
    act(match, 0, {"play": "R1"}, now=get_time_after_turn(match, 1.9))
    assert list_log(match) == [(0, {"play": "R1"}, "")]


def test_every_process_waits_the_same_amount_of_time() -> None:
    match = begin_match()
    match.refresh_from_db()
    here().close()
    now = get_time_after_turn(match, 0)
    assert services.due_matches(now, 9, alone=False) == ([], now + timedelta(seconds=2.25))


def play_three_turns_each(
    match: Match, seat_0_is_late: bool = False, lag: float = 0.0
) -> Iterator[Match]:
    """Let both seats play three turns, and yield the match before each turn of seat 0.

    Seat 0 plays late if `seat_0_is_late` is set, otherwise with `lag`. Seat 1 plays immediately.
    """
    for card in ("R1", "R2", "R3"):
        match.refresh_from_db()
        yield match
        now = match.due if seat_0_is_late else get_time_after_turn(match, -20)
        act(match, 0, {"play": card}, now=now, lag=Lag.steady(lag))
        act(match, 1, {"play": card}, now=get_time_after_turn(match, -25))


def begin_match_of_red_cards(**fields: Any) -> Match:
    return begin(["R1 R2 R3 R4 R6", "R1 R2 R3 R4 R6"], "R5", **fields)


def test_used_grace_is_unavailable_later() -> None:
    graces = [
        sure(match.due) - sure(match.turn_until)
        for match in play_three_turns_each(begin_match_of_red_cards(), seat_0_is_late=True)
    ]
    assert [grace.total_seconds() for grace in graces] == [2.0, 2.0, 1.0]


def test_lasting_lag_gradually_uses_up_the_quota() -> None:
    found = play_three_turns_each(begin_match_of_red_cards(), lag=2.5)
    assert [match.state.lag.get(SeatNumber(0)) for match in found] == [None, 1500, 1000]


def test_bank_is_not_charged_for_lag() -> None:
    for lag, left in ((0.0, 26_000), (0.6, 26_600), (9.0, 29_000)):
        match = begin_match(bank_seconds=30)
        # turn_until includes the bank, so 4 seconds of the bank are used.
        act(match, 0, {"play": "R1"}, now=get_time_after_turn(match, -26), lag=Lag.steady(lag))
        assert Match.objects.get(pk=match.pk).state.banks[SeatNumber(0)] == left


def test_bot_has_no_grace() -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", bots=1, bot_seconds=1)
    act(match, 0, {"play": "R1"})
    match.refresh_from_db()
    assert match.due == match.turn_until
    assert 1 not in match.state.lag
