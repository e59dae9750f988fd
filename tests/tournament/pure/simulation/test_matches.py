"""Tests of simulated matches that are made up of known hands."""

from collections.abc import Iterator
from itertools import cycle
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.ruleset import rulesets
from tournament.pure.simulation.hands import HandPool, SimulatedHand
from tournament.pure.simulation.matches import (
    MatchProgress,
    MatchSampler,
    PlannedLimits,
    SimulatedResult,
)
from tournament.pure.simulation.rounds import MOST_HANDS, HumanPace

# A hand of ten actions takes one minute, and the pause before the next hand half a minute.
PACE = HumanPace(action=6, between=30)
DRAWN_HAND = SimulatedHand(None, (0, 0, 0, 0), 10)
WON_BY_THIRD_SEAT = SimulatedHand(2, (0, 0, 40, 0), 10)


class KnownHandPool(HandPool):
    """A pool that returns known hands in order.

    `asked` records the number of seats and the strongest seat (or None) of each hand.
    """

    def __init__(self, *dealt: SimulatedHand, **options: Any) -> None:
        super().__init__(rulesets.make("uno-400", {"target": 100, **options}), Random(1))
        self.dealt: Iterator[SimulatedHand] = cycle(dealt)
        self.asked: list[tuple[int, int | None]] = []

    def draw_hand(self, seats: int) -> SimulatedHand:
        self.asked.append((seats, None))
        return next(self.dealt)

    def draw_biased_hand(self, strong: int, seats: int, edge: float) -> SimulatedHand:
        self.asked.append((seats, strong))
        return next(self.dealt)


def make_sampler(pool: HandPool, **limits: Any) -> MatchSampler:
    return MatchSampler(pool, PACE, PlannedLimits(**limits), Random(2))


def test_duration_of_a_match_includes_pauses_between_hands() -> None:
    ended = make_sampler(KnownHandPool(WON_BY_THIRD_SEAT)).play_to_end(4, MatchProgress())
    assert ended == SimulatedResult((0, 0, 120, 0), 1 + 1.5 + 1.5)


def test_match_in_progress_has_a_pause_before_its_next_hand() -> None:
    begun = MatchProgress(hands=((0, 0, 70, 0),), minutes=9.0)
    assert make_sampler(KnownHandPool(WON_BY_THIRD_SEAT)).play_to_end(4, begun) == SimulatedResult(
        (0, 0, 110, 0), 1.5
    )


@pytest.mark.parametrize(
    ("minutes_left", "hands"),
    [(0.0, 0), (0.5, 1), (1.0, 1), (1.01, 2), (2.5, 2), (2.51, 3), (None, 3)],
)
def test_no_hand_is_dealt_after_the_time_limit(minutes_left: float | None, hands: int) -> None:
    ended = make_sampler(KnownHandPool(WON_BY_THIRD_SEAT)).play_to_end(
        4, MatchProgress(left=minutes_left)
    )
    assert ended.totals == (0, 0, 40 * hands, 0)


@pytest.mark.parametrize(("limit", "begun", "more"), [(2, 0, 2), (3, 2, 1), (2, 2, 0), (1, 2, 0)])
def test_hand_limit_includes_hands_already_played(limit: int, begun: int, more: int) -> None:
    pool = KnownHandPool(DRAWN_HAND)
    make_sampler(pool, hands=limit).play_to_end(4, MatchProgress(hands=((0, 0, 0, 0),) * begun))
    assert len(pool.asked) == more


def test_match_without_points_ends_after_the_maximum_number_of_hands() -> None:
    pool = KnownHandPool(DRAWN_HAND)
    assert make_sampler(pool).play_to_end(4, MatchProgress()).totals == (0, 0, 0, 0)
    assert len(pool.asked) == MOST_HANDS


def test_eliminated_player_gets_no_points_and_the_others_keep_their_seats() -> None:
    pool = KnownHandPool(SimulatedHand(0, (0, 30), 10), scoring="elimination")
    ended = make_sampler(pool).play_to_end(3, MatchProgress(hands=((10, 100, 20),)))
    assert ended.totals == (10, 100, 110)
    assert pool.asked == [(2, None)] * 3


def test_strongest_player_has_an_advantage_until_eliminated() -> None:
    one_out = SimulatedHand(1, (100, 0, 0), 10)
    pool = KnownHandPool(one_out, SimulatedHand(0, (0, 100), 10), scoring="elimination")
    assert make_sampler(pool).play_to_end(3, MatchProgress(), strong=0).totals == (100, 0, 100)
    assert pool.asked == [(3, 0), (2, None)]


def test_position_of_the_strongest_player_is_counted_among_the_remaining_players() -> None:
    pool = KnownHandPool(SimulatedHand(0, (0, 100), 10), scoring="elimination")
    make_sampler(pool).play_to_end(3, MatchProgress(hands=((100, 0, 0),)), strong=2)
    assert pool.asked == [(2, 1)]


def test_matches_are_simulated_once_for_each_table_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tournament.pure.simulation.matches.POOL_SIZE", 3)
    pool = KnownHandPool(SimulatedHand(0, (100, 0), 10))
    drawn = make_sampler(pool)
    assert {drawn.sample_match(2) for _ in range(20)} == {SimulatedResult((100, 0), 1.0)}
    assert pool.asked == [(2, None)] * 3
    drawn.sample_match(2, strong=True)
    assert pool.asked[3:] == [(2, 0)] * 3


def test_sampled_match_ends_at_the_time_limit_of_the_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.pure.simulation.matches.POOL_SIZE", 1)
    assert make_sampler(KnownHandPool(WON_BY_THIRD_SEAT), minutes=1.0).sample_match(
        4
    ) == SimulatedResult((0, 0, 40, 0), 1.0)


# -- hands -------------------------------------------------------------------------------------

points = st.lists(st.integers(0, 200), min_size=2, max_size=10).map(tuple)
played_hands = points.flatmap(
    lambda won: st.builds(
        SimulatedHand,
        st.none() | st.integers(0, len(won) - 1),
        st.just(won),
        st.integers(1, 90),
    )
)


@given(played_hands, st.integers(0, 30), st.integers(0, 30))
def test_two_rotations_of_a_hand_equal_one_rotation_by_their_sum(
    hand: SimulatedHand, one: int, other: int
) -> None:
    assert hand.rotate_seats(one).rotate_seats(other) == hand.rotate_seats(one + other)
    assert hand.rotate_seats(len(hand.points)) == hand


@given(played_hands, st.integers(0, 30))
def test_rotation_moves_the_winner_with_the_points(hand: SimulatedHand, by: int) -> None:
    turned = hand.rotate_seats(by)
    if hand.winner is None:
        assert turned.winner is None
    else:
        assert turned.winner is not None
        assert turned.points[turned.winner] == hand.points[hand.winner]


class SingleHandPool(HandPool):
    """A pool that contains a single hand."""

    def __init__(self, hand: SimulatedHand, rng: Random) -> None:
        super().__init__(rulesets.make("uno-400"), rng, 1)
        self._played = {len(hand.points): [hand]}


def test_sampled_hand_can_have_any_winner() -> None:
    pool = SingleHandPool(SimulatedHand(0, (40, 0, 0), 9), Random(4))
    assert {pool.draw_hand(3).winner for _ in range(60)} == {0, 1, 2}


@pytest.mark.parametrize(("edge", "winners"), [(1e9, {1}), (0.0, {0, 2})])
def test_player_with_a_huge_edge_always_wins(edge: float, winners: set[int]) -> None:
    pool = SingleHandPool(SimulatedHand(2, (0, 7, 40), 9), Random(5))
    found = [pool.draw_biased_hand(1, 3, edge) for _ in range(60)]
    assert {hand.winner for hand in found} == winners
    assert {hand.points[hand.winner] for hand in found if hand.winner is not None} == {40}


def test_blocked_hand_never_gets_a_winner() -> None:
    pool = SingleHandPool(SimulatedHand(None, (5, 0, 0), 9), Random(6))
    assert {pool.draw_biased_hand(1, 3, 1e9).winner for _ in range(20)} == {None}


def test_dealer_rotates_among_the_hands_of_a_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt: list[tuple[int, int]] = []

    def play(_rules: object, seats: int, dealer: int, _rng: Random) -> SimulatedHand:
        dealt.append((seats, dealer))
        return SimulatedHand(dealer, (0,) * seats, 10 + dealer)

    monkeypatch.setattr("tournament.pure.simulation.hands.play_hand", play)
    pool = HandPool(rulesets.make("uno-400"), Random(1), 5)
    assert pool.average_actions(3) == (10 + 11 + 12 + 10 + 11) / 5
    assert dealt == [(3, 0), (3, 1), (3, 2), (3, 0), (3, 1)]
