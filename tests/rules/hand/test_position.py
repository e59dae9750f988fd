"""Tests that all queries about a hand agree on the legal actions at any time."""

import pytest

from games.rules.actions.actions import CALL, DRAW, PASS, Action
from games.rules.hand import codec
from games.rules.hand.position import Position
from tests.rules.table import make_position, parse_action, run_actions

CATCH_SEAT_0 = Action("catch", seat=0)
# Time of a play without a UNO call, and duration of the respectful pause (002), in seconds.
PLAYED, PAUSE = 100.0, 1.5


def make_hand_with_missed_call(window: str = "own-turn") -> Position:
    hand = make_position("uno-400", "R1 R2|G1 G2|Y1 Y2", top="R5", draw="B1 B2", uno_window=window)
    run_actions(hand, "0: R1", now=PLAYED)
    return hand


@pytest.mark.parametrize(
    ("now", "legal"),
    [
        (PLAYED, False),
        (PLAYED + PAUSE - 0.001, False),
        (PLAYED + PAUSE, True),
        (PLAYED + 60, True),
        (None, True),
    ],
)
def test_catch_is_legal_after_the_respectful_pause(now: float | None, legal: bool) -> None:
    hand = make_hand_with_missed_call()
    assert (CATCH_SEAT_0 in hand.legal_actions(2, now)) is legal
    view = hand.view(2, now)
    assert view["may"]["catch"] == ([0] if legal else [])
    assert ({"catch": 0} in view["actions"]) is legal
    assert (hand.refusal(2, CATCH_SEAT_0, now) is None) is legal


@pytest.mark.parametrize("window", ["next-begins", "next-ends"])
def test_catch_is_immediately_legal_if_there_is_no_respectful_pause(window: str) -> None:
    assert CATCH_SEAT_0 in make_hand_with_missed_call(window).legal_actions(2, PLAYED)


def test_delay_postpones_the_end_of_the_respectful_pause() -> None:
    hand = make_hand_with_missed_call()
    later = hand.delay(10)
    assert CATCH_SEAT_0 not in later.legal_actions(2, PLAYED + PAUSE)
    assert CATCH_SEAT_0 in later.legal_actions(2, PLAYED + PAUSE + 10)
    assert CATCH_SEAT_0 in hand.legal_actions(2, PLAYED + PAUSE)


@pytest.mark.parametrize(
    ("seat", "now", "legal"),
    [
        (0, None, ["call"]),
        (1, None, ["G1", "G1 uno", "draw", "catch 0"]),
        (1, PLAYED, ["G1", "G1 uno", "draw"]),
        (2, None, ["catch 0"]),
        (2, PLAYED, []),
    ],
)
def test_legal_actions_after_a_forgotten_uno_depend_on_the_seat(
    seat: int, now: float | None, legal: list[str]
) -> None:
    assert make_hand_with_missed_call().legal_actions(seat, now) == [
        parse_action(each) for each in legal
    ]


def test_viewer_sees_only_public_information() -> None:
    hand = make_hand_with_missed_call()
    own, public = hand.view(1), hand.view(None)
    assert {key: own[key] for key in public} == public  # type: ignore[literal-required]
    assert own.keys() - public.keys() == {
        *("seat", "cards", "seen", "drawn", "playable", "why", "may", "actions"),
    }


# --- codes


@pytest.mark.parametrize(
    "legal",
    [
        *("R1", "R1 uno", "W R", "W G uno", "W+4 B", "draw", "pass", "challenge", "call"),
        *("choose R", "choose B", "catch 0", "catch 2", "BLANK Y with 2", "BLANK Y uno with 1"),
    ],
)
def test_code_of_an_action_decodes_to_the_same_action(legal: str) -> None:
    hand = make_position(
        "uno-500", "R1 W W+4 BLANK|G1 G2|Y1 Y2", top="R5", blanks=2, blank_rule="swap"
    )
    held = 2 if "uno" in legal else 4
    hand.hands[0] = hand.hands[0][:held]
    code = codec.encode(hand, 0, parse_action(legal))
    assert codec.decode(hand, code) == parse_action(legal)


@pytest.mark.parametrize(
    ("seat", "impossible"),
    [
        (0, "R1X"),
        (0, "AS"),
        (0, "W S"),
        (0, "choose H"),
        (0, "catch 3"),
        (0, "catch 99"),
    ],
)
def test_impossible_action_has_no_code(seat: int, impossible: str) -> None:
    hand = make_position("uno-500", "R1 W|G1 G2|Y1 Y2", top="R5")
    assert codec.encode(hand, seat, parse_action(impossible)) == codec.IMPOSSIBLE
    assert codec.IMPOSSIBLE not in hand.codes(seat)


@pytest.mark.parametrize(
    ("cards", "called", "counts"),
    [
        ("R1 W", False, True),
        ("R1 W G1", False, False),
        ("R1", False, False),
        ("R1 W", True, False),
    ],
)
def test_only_a_play_that_leaves_one_card_has_a_code_with_uno(
    cards: str, called: bool, counts: bool
) -> None:
    hand = make_position("uno-500", f"{cards}|G1 G2|Y1 Y2", top="R5", draw="B1")
    if called:
        run_actions(hand, "0: call")
    plain, with_uno = (codec.encode(hand, 0, parse_action(text)) for text in ("R1", "R1 uno"))
    assert (plain != with_uno) is counts


def test_actions_without_cards_have_different_codes() -> None:
    hand = make_position("uno-500", "R1 W|G1 G2|Y1 Y2", top="R5")
    codes = {codec.encode(hand, 0, each) for each in (DRAW, PASS, CALL, CATCH_SEAT_0)}
    assert len(codes) == 4
