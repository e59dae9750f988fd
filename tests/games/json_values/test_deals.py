"""Tests of the stored attempts to deal a hand."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.json_values.deals import DEALT, UNUSED, VOID, Attempt, Deals, is_left_out
from games.rules.fair.deal import NO_BEFORE, NO_BOT, NO_FAILED, NO_NONE, DealKey, ShareList
from games.seats import SeatNumber

HEX = "ab" * 32

seats = st.integers(0, 9).map(SeatNumber)
by_seat = st.dictionaries(seats, st.binary(min_size=32, max_size=32).map(bytes.hex))
share_lists = st.builds(
    ShareList,
    draw=st.builds(DealKey, st.text(), st.integers(1, 99), st.integers(1, 9)),
    dealer=st.none() | st.integers(0, 9),
    deck=st.lists(st.sampled_from(["R1", "W+4", "10H"])).map(tuple),
    server=st.just(HEX),
    entries=st.dictionaries(
        st.integers(0, 9), st.sampled_from([HEX, NO_BOT, NO_NONE, NO_FAILED, NO_BEFORE])
    ).map(lambda entries: tuple(entries.items())),
)
attempts = st.builds(
    Attempt,
    number=st.integers(1, 9),
    secret=st.binary(min_size=96, max_size=96),
    commitment=st.just(HEX),
    dealer=st.none() | seats,
    commitments=by_seat,
    agreed=st.none() | share_lists,
    shares=by_seat,
    outcome=st.sampled_from(["", DEALT, VOID, UNUSED]),
)


def make_closed_attempt(number: int, *entries: tuple[int, str], **fields: Any) -> Attempt:
    """Return a closed attempt with these entries."""
    draw = DealKey("m", 1, number)
    agreed = ShareList(draw, 0, ("R1",), HEX, entries)
    attempt = Attempt(number, bytes(96), HEX, SeatNumber(0), agreed=agreed)
    return replace(attempt, **fields)


def make_shares(*numbers: int) -> dict[SeatNumber, str]:
    return {SeatNumber(seat): HEX for seat in numbers}


@given(st.lists(attempts, max_size=3))
def test_deals_survive_a_round_trip(attempt_list: list[Attempt]) -> None:
    deals = Deals(tuple(attempt_list))
    assert Deals.from_json(deals.to_json()) == deals


def test_old_hand_has_no_attempts() -> None:
    deals = Deals.from_json({})
    assert (bool(deals), deals.dealt, deals.void, deals.closed) == (False, None, (), False)
    assert deals.to_json() == {}
    assert deals.end_attempt(UNUSED) == deals


def test_deals_of_a_newer_version_are_refused() -> None:
    with pytest.raises(ValueError, match="version 2 cannot be read"):
        Deals.from_json({"version": 2, "attempts": []})


def test_closed_list_reports_unopened_shares_as_missing() -> None:
    attempt = make_closed_attempt(
        1, (0, HEX), (1, NO_BOT), (2, HEX), (3, HEX), shares=make_shares(2)
    )
    assert attempt.missing == (0, 3)
    assert attempt.opened.shares == {2: bytes.fromhex(HEX)}
    assert replace(attempt, agreed=None).missing == ()


def test_void_attempts_without_the_listed_share_count_as_failures() -> None:
    first = make_closed_attempt(
        1, (0, HEX), (1, HEX), (2, NO_NONE), shares=make_shares(0), outcome=VOID
    )
    second = make_closed_attempt(
        2, (0, HEX), (1, HEX), (2, HEX), shares=make_shares(2), outcome=VOID
    )
    third = make_closed_attempt(3, (0, HEX))
    deals = Deals((first, second, third))
    assert [deals.count_failures(SeatNumber(seat)) for seat in range(3)] == [1, 2, 0]


DELAYED_DEAL = Deals(
    (
        make_closed_attempt(1, (0, HEX), outcome=VOID),
        make_closed_attempt(2, (0, HEX), outcome=DEALT),
    )
)
PROMPT_DEAL = Deals((make_closed_attempt(1, (0, HEX), shares={SeatNumber(0): HEX}, outcome=DEALT),))


def test_player_who_keeps_delaying_deals_is_left_out_for_longer_each_time() -> None:
    hands: list[Deals] = []
    for _ in range(33):
        hands.append(PROMPT_DEAL if is_left_out(hands, SeatNumber(0)) else DELAYED_DEAL)
    assert [n for n, deals in enumerate(hands, 1) if deals is DELAYED_DEAL] == [1, 2, 4, 8, 16, 32]


def test_player_who_delayed_only_the_last_hand_is_not_left_out() -> None:
    assert not is_left_out([], SeatNumber(0))
    assert not is_left_out([PROMPT_DEAL, DELAYED_DEAL], SeatNumber(0))
    assert not is_left_out([DELAYED_DEAL, DELAYED_DEAL], SeatNumber(1))


def test_only_the_last_attempt_is_current_and_can_end() -> None:
    first, second = make_closed_attempt(1, (0, HEX), outcome=VOID), make_closed_attempt(2, (0, HEX))
    deals = Deals((first,)).add_attempt(second)
    assert (deals.current, deals.dealt, deals.void) == (second, None, (first,))
    ended = deals.end_attempt(DEALT)
    assert ended.attempts[0] == first
    assert ended.dealt == replace(second, outcome=DEALT)


def test_closed_list_stays_closed() -> None:
    begun = Attempt(2, bytes(96), HEX, None)
    assert not Deals((begun,)).closed
    assert Deals((make_closed_attempt(1, outcome=VOID), begun)).closed
