"""Lengths and points of matches simulated from hands with known points and actions."""

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


class KnownHands(HandPool):
    """Library that deals known hands in order.

    `asked` records the number of seats and the strong seat (or None) of each request.
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


def make_sampler(library: HandPool, **limits: Any) -> MatchSampler:
    return MatchSampler(library, PACE, PlannedLimits(**limits), Random(2))


def test_match_lasts_its_actions_and_the_pauses_between_hands() -> None:
    ended = make_sampler(KnownHands(WON_BY_THIRD_SEAT)).play_to_end(4, MatchProgress())
    assert ended == SimulatedResult((0, 0, 120, 0), 1 + 1.5 + 1.5)


def test_running_match_has_a_pause_before_its_next_hand() -> None:
    begun = MatchProgress(hands=((0, 0, 70, 0),), minutes=9.0)
    assert make_sampler(KnownHands(WON_BY_THIRD_SEAT)).play_to_end(4, begun) == SimulatedResult(
        (0, 0, 110, 0), 1.5
    )


@pytest.mark.parametrize(
    ("minutes_left", "hands"),
    [(0.0, 0), (0.5, 1), (1.0, 1), (1.01, 2), (2.5, 2), (2.51, 3), (None, 3)],
)
def test_no_hand_is_dealt_after_the_remaining_minutes(
    minutes_left: float | None, hands: int
) -> None:
    ended = make_sampler(KnownHands(WON_BY_THIRD_SEAT)).play_to_end(
        4, MatchProgress(left=minutes_left)
    )
    assert ended.totals == (0, 0, 40 * hands, 0)


@pytest.mark.parametrize(("limit", "begun", "more"), [(2, 0, 2), (3, 2, 1), (2, 2, 0), (1, 2, 0)])
def test_hand_limit_counts_hands_already_played(limit: int, begun: int, more: int) -> None:
    library = KnownHands(DRAWN_HAND)
    make_sampler(library, hands=limit).play_to_end(4, MatchProgress(hands=((0, 0, 0, 0),) * begun))
    assert len(library.asked) == more


def test_match_without_any_points_still_ends() -> None:
    library = KnownHands(DRAWN_HAND)
    assert make_sampler(library).play_to_end(4, MatchProgress()).totals == (0, 0, 0, 0)
    assert len(library.asked) == MOST_HANDS


def test_eliminated_player_gets_no_points_and_the_others_keep_their_seats() -> None:
    library = KnownHands(SimulatedHand(0, (0, 30), 10), scoring="elimination")
    ended = make_sampler(library).play_to_end(3, MatchProgress(hands=((10, 100, 20),)))
    assert ended.totals == (10, 100, 110)
    assert library.asked == [(2, None)] * 3


def test_strong_player_stays_strong_until_eliminated() -> None:
    one_out = SimulatedHand(1, (100, 0, 0), 10)
    library = KnownHands(one_out, SimulatedHand(0, (0, 100), 10), scoring="elimination")
    assert make_sampler(library).play_to_end(3, MatchProgress(), strong=0).totals == (100, 0, 100)
    assert library.asked == [(3, 0), (2, None)]


def test_strong_player_keeps_their_position_among_the_remaining_players() -> None:
    library = KnownHands(SimulatedHand(0, (0, 100), 10), scoring="elimination")
    make_sampler(library).play_to_end(3, MatchProgress(hands=((100, 0, 0),)), strong=2)
    assert library.asked == [(2, 1)]


def test_match_pool_has_a_fixed_number_of_samples_per_table_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tournament.pure.simulation.matches.POOL_SIZE", 3)
    library = KnownHands(SimulatedHand(0, (100, 0), 10))
    drawn = make_sampler(library)
    assert {drawn.sample_match(2) for _ in range(20)} == {SimulatedResult((100, 0), 1.0)}
    assert library.asked == [(2, None)] * 3
    drawn.sample_match(2, strong=True)
    assert library.asked[3:] == [(2, 0)] * 3


def test_sampled_match_ends_with_the_round_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.pure.simulation.matches.POOL_SIZE", 1)
    assert make_sampler(KnownHands(WON_BY_THIRD_SEAT), minutes=1.0).sample_match(
        4
    ) == SimulatedResult((0, 0, 40, 0), 1.0)


# -- the hands themselves ----------------------------------------------------------------------

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
def test_rotating_a_hand_twice_adds_up_the_rotations(
    hand: SimulatedHand, one: int, other: int
) -> None:
    assert hand.rotate_seats(one).rotate_seats(other) == hand.rotate_seats(one + other)
    assert hand.rotate_seats(len(hand.points)) == hand


@given(played_hands, st.integers(0, 30))
def test_winner_keeps_their_points_after_rotation(hand: SimulatedHand, by: int) -> None:
    turned = hand.rotate_seats(by)
    if hand.winner is None:
        assert turned.winner is None
    else:
        assert turned.winner is not None
        assert turned.points[turned.winner] == hand.points[hand.winner]


class SingleHandLibrary(HandPool):
    """Library that contains a single hand."""

    def __init__(self, hand: SimulatedHand, rng: Random) -> None:
        super().__init__(rulesets.make("uno-400"), rng, 1)
        self._played = {len(hand.points): [hand]}


def test_sampled_hand_can_have_any_winner() -> None:
    library = SingleHandLibrary(SimulatedHand(0, (40, 0, 0), 9), Random(4))
    assert {library.draw_hand(3).winner for _ in range(60)} == {0, 1, 2}


@pytest.mark.parametrize(("edge", "winners"), [(1e9, {1}), (0.0, {0, 2})])
def test_infinite_edge_always_wins_and_zero_edge_never_does(edge: float, winners: set[int]) -> None:
    library = SingleHandLibrary(SimulatedHand(2, (0, 7, 40), 9), Random(5))
    found = [library.draw_biased_hand(1, 3, edge) for _ in range(60)]
    assert {hand.winner for hand in found} == winners
    assert {hand.points[hand.winner] for hand in found if hand.winner is not None} == {40}


def test_blocked_hand_stays_without_a_winner() -> None:
    library = SingleHandLibrary(SimulatedHand(None, (5, 0, 0), 9), Random(6))
    assert {library.draw_biased_hand(1, 3, 1e9).winner for _ in range(20)} == {None}


def test_library_rotates_the_dealer(monkeypatch: pytest.MonkeyPatch) -> None:
    dealt: list[tuple[int, int]] = []

    def play(_rules: object, seats: int, dealer: int, _rng: Random) -> SimulatedHand:
        dealt.append((seats, dealer))
        return SimulatedHand(dealer, (0,) * seats, 10 + dealer)

    monkeypatch.setattr("tournament.pure.simulation.hands.play_hand", play)
    library = HandPool(rulesets.make("uno-400"), Random(1), 5)
    assert library.average_actions(3) == (10 + 11 + 12 + 10 + 11) / 5
    assert dealt == [(3, 0), (3, 1), (3, 2), (3, 0), (3, 1)]
