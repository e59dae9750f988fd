"""Tests of the stories of hands and matches."""

from collections.abc import Sequence
from typing import Any

import pytest

from games.rules.stories import find_hand_story, find_match_story, story_text

NAMES = ["Asha", "Ben", "Chitra"]


def make_draw_event(seat: int, cards: int = 1) -> dict[str, Any]:
    return {"event": "drew", "seat": seat, "cards": cards, "why": "turn"}


def make_play_event(seat: int, *, uno: bool = False) -> dict[str, Any]:
    return {"event": "played", "seat": seat, "card": "R1", "uno": uno}


def make_catch_event(seat: int) -> dict[str, Any]:
    return {"event": "caught", "seat": seat, "by": 2, "cards": 2}


def make_challenge_event(seat: int, of: int, *, guilty: bool) -> dict[str, Any]:
    return {"event": "challenged", "seat": seat, "of": of, "guilty": guilty}


def get_story_text(*events: Any, winner: int | None = 0, moves: int = 20) -> str:
    """Return the story of a hand of three players with these events and otherwise plain moves."""
    log: list[Any] = [[event] for event in events]
    log += [[make_play_event(0)] for _ in range(moves - len(log) - 1)]
    log.append(
        [make_play_event(0), {"event": "over", "winner": winner, "points": [], "blocked": False}]
    )
    return story_text(find_hand_story(log, 3), NAMES)


@pytest.mark.parametrize(
    ("events", "text"),
    [
        ([make_draw_event(0)], "Asha went out after 20 moves."),
        ([make_draw_event(1)], "Asha won without drawing a card."),
        ([make_draw_event(0, 4), *[make_draw_event(0)] * 8], "Asha drew 12 cards and still won."),
        ([make_draw_event(0), make_catch_event(1)], "Ben was caught."),
        ([make_draw_event(0), make_catch_event(1), make_catch_event(1)], "Ben was caught twice."),
        ([make_draw_event(0), *[make_catch_event(1)] * 3], "Ben was caught 3 times."),
        ([make_draw_event(0), make_catch_event(0)], "Asha was caught and still won."),
        (
            [make_draw_event(0), make_catch_event(0), make_catch_event(0)],
            "Asha was caught twice and still won.",
        ),
        (
            [make_draw_event(0), *[make_catch_event(0)] * 4],
            "Asha was caught 4 times and still won.",
        ),
        ([make_draw_event(0), make_draw_event(2, 8)], "Chitra had to draw 8 cards at once."),
        (
            [make_draw_event(0), make_challenge_event(1, 2, guilty=True)],
            "Ben caught Chitra bluffing.",
        ),
        (
            [make_draw_event(0), make_challenge_event(1, 2, guilty=False)],
            "Ben challenged Chitra, but it wasn’t a bluff.",
        ),
        (
            [make_draw_event(0), make_play_event(1, uno=True), {"event": "called", "seat": 1}],
            "Ben said UNO 2 times and didn’t win.",
        ),
        (
            [make_draw_event(0), {"event": "swapped", "seat": 0, "with": 2}],
            "Asha took Chitra’s cards and won with them.",
        ),
        ([make_draw_event(0, 12), make_catch_event(1)], "Asha drew 12 cards and still won."),
        (
            [make_draw_event(0), make_catch_event(1), make_catch_event(2), make_catch_event(2)],
            "Chitra was caught twice.",
        ),
    ],
)
def test_most_remarkable_fact_of_a_hand_becomes_its_story(events: Sequence[Any], text: str) -> None:
    assert get_story_text(*events) == text


def test_unusual_length_of_a_hand_becomes_its_story() -> None:
    assert get_story_text(make_draw_event(0), moves=12) == "Over in 12 moves: Asha was quick."
    assert get_story_text(make_draw_event(0), moves=75) == "Asha won after 75 moves."


def test_hand_without_a_winner_or_a_log_has_no_story() -> None:
    assert get_story_text(make_catch_event(1), winner=None) == ""
    assert story_text(find_hand_story([], 3), NAMES) == ""


@pytest.mark.parametrize(
    ("hands", "winners", "text"),
    [
        ([[50, 0, 0], [0, 20, 0], [40, 0, 0]], [0], "Asha led from the first hand to the last."),
        ([[50, 0, 0], [0, 20, 0], [0, 60, 0]], [1], "Ben overtook Asha in the last hand."),
        ([[50, 0, 0], [0, 55, 0], [0, 0, 9]], [1], "Ben won by 5 points."),
        ([[50, 0, 0], [0, 51, 0], [0, 0, 9]], [1], "Ben won by 1 point."),
        (
            [[50, 0, 0], [0, 90, 0], [0, 10, 0]],
            [1],
            "Ben came from behind to win after 3 hands.",
        ),
        ([[50, 0, 0], [0, 50, 0]], [0, 1], "Asha and Ben finished level after 2 hands."),
        ([[9, 0, 9], [9, 0, 9]], [0, 2], "Asha and Chitra led from the first hand to the last."),
        ([[50, 0, 0]], [0], ""),
        ([[50, 0, 0], [0, 20, 0]], [], ""),
    ],
)
def test_story_of_a_match_says_how_it_was_won(
    hands: list[list[int]], winners: list[int], text: str
) -> None:
    assert story_text(find_match_story(hands, winners), NAMES) == text


def test_player_with_the_fewest_points_leads_if_the_fewest_points_win() -> None:
    hands = [[10, 0, 30], [10, 25, 0]]
    assert story_text(find_match_story(hands, [0], lowest=True), NAMES) == (
        "Asha overtook Ben in the last hand."
    )
