"""Tests of tally_hands: the number of moves in a hand, and of draw cards by seat."""

from typing import Any

import pytest

from games import services
from games.models import Match
from games.rules.ruleset import rulesets
from games.seats import SeatNumber
from games.tables.statistics import HandTally, tally_hands
from tests.games.helpers import act, begin, reload, stack_deck

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

RULES = rulesets.make("ocho")


def begin_ocho_match(hands: list[str], **fields: Any) -> Match:
    return begin(hands, "R5", "B1 B2 B3 B4", ruleset="ocho", **fields)


def list_tallies(
    *matches: Match, draws: int = 2
) -> list[tuple[int, int, int, dict[SeatNumber, int]]]:
    found = tally_hands(matches, RULES, draws=draws)
    return [(hand.match, hand.number, hand.moves, dict(hand.draws)) for hand in found]


def test_hand_in_play_is_not_counted() -> None:
    match = begin_ocho_match(["R+2 R1", "R+2 G9"])
    act(match, 0, {"play": "R+2"})
    act(match, 1, {"play": "R+2"})
    assert list_tallies(match) == []


def play_finished_hand(first: str, second: str) -> Match:
    """Play a hand in which seat 0 plays these two cards, and seat 1 draws in between."""
    match = begin_ocho_match([f"{first} {second}", "G9 G7"])
    color = {"color": "R"} if first.startswith("W") else {}
    act(match, 0, {"play": first, **color})
    act(match, 1, {"draw": True})
    act(match, 0, {"play": second})
    return match


@pytest.mark.parametrize(
    ("cards", "twos", "fours"),
    [
        (("R+2", "R1"), {0: 1}, {}),
        (("W+4", "R1"), {}, {0: 1}),
        (("W+4", "R+2"), {0: 1}, {0: 1}),
    ],
)
def test_draw_cards_are_counted_by_how_many_cards_others_must_draw(
    cards: tuple[str, str], twos: dict[int, int], fours: dict[int, int]
) -> None:
    match = play_finished_hand(*cards)
    assert list_tallies(match, draws=2) == [(match.pk, 1, 3, twos)]
    assert list_tallies(match, draws=4) == [(match.pk, 1, 3, fours)]


def test_matches_and_hands_are_counted_in_three_queries(
    django_assert_num_queries: Any,
) -> None:
    first, second = play_finished_hand("R+2", "R1"), play_finished_hand("W+4", "R1")
    other = play_finished_hand("R+2", "R1")
    with django_assert_num_queries(3):
        found = list_tallies(second, first)
    assert found == [(first.pk, 1, 3, {0: 1}), (second.pk, 1, 3, {})]
    assert list_tallies(other) == [(other.pk, 1, 3, {0: 1})]
    assert list_tallies() == []


def test_redealt_hand_does_not_count() -> None:
    match = play_finished_hand("R+2", "R1")
    stack_deck(match, ["R1 R2", "G9 G7"], "R5")
    services.tick(reload(match).due)
    services.redo_hand(reload(match), "A card lay open.")
    assert [number for _, number, _, _ in list_tallies(match)] == [1]


def test_cards_are_counted_by_seat_of_the_match() -> None:
    match = play_finished_hand("R+2", "R1")
    match.hands.filter(number=1).update(players=[1, 0])
    assert list_tallies(match) == [(match.pk, 1, 3, {1: 1})]


def test_new_tally_counts_nothing() -> None:
    assert (HandTally(1, 2).moves, HandTally(1, 2).draws[0]) == (0, 0)  # type: ignore[index]
