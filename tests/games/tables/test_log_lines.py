"""Tests of the log's lines: their numbers, seats, texts, cards and colours."""

from typing import Any

import pytest

from games.json_values.race import Claim, TimedClaim, Timing
from games.json_values.seat_history import Sitter, Sitters
from games.json_values.state import LiveState, LogNote
from games.json_values.submitted_action import SubmittedAction
from games.models import LoggedAction
from games.process import Process
from games.rules.actions.actions import CALL, Action
from games.rules.ruleset import rulesets
from games.seats import PlayerIndex, SeatNumber
from games.tables import log
from tests.games.unsaved import (
    make_logged_action,
    make_playing_snapshot,
    make_unsaved_hand,
    make_unsaved_seat,
    make_unsaved_snapshot,
)
from tests.rules.table import make_position

RULES = rulesets.make("uno-400")
NAMES = ["Chen", "Asha", "Ben"]
# Seats of the hand's players 0, 1 and 2.
HAND_OF_THREE = make_unsaved_hand(3, [2, 0, 1])


def make_event(kind: str, **fields: Any) -> Any:
    return {"event": kind, **fields}


PLAYED = make_event("played", seat=1, card="W", color="G", uno=False)
SKIPPED = make_event("skipped", seat=2)


def make_line(n: int, text: str, **more: Any) -> dict[str, Any]:
    known = {"n": n, "text": text, "more": False, "seat": 0, "auto": ""}
    return known | more


def list_lines(action: LoggedAction, you: int | None = None) -> list[Any]:
    player = None if you is None else PlayerIndex(you)
    return log.action_lines(action, HAND_OF_THREE, NAMES, RULES, player)


def test_action_has_a_line_for_each_consequence() -> None:
    assert list_lines(make_logged_action(4, 1, {"play": "W", "color": "G"}, PLAYED, SKIPPED)) == [
        make_line(300_400, "Asha plays Wild and chooses green.", card="W", color="G"),
        make_line(300_401, "Ben is skipped.", more=True),
    ]


@pytest.mark.parametrize(
    ("happened", "extra"),
    [
        (make_event("played", seat=1, card="R5", uno=False), {"card": "R5"}),
        (PLAYED, {"card": "W", "color": "G"}),
        (make_event("chose", seat=1, color="B"), {"color": "B"}),
        (make_event("identical", card="R5"), {"card": "R5"}),
        (make_event("opening", card="R5"), {}),
        (make_event("passed", seat=1), {}),
    ],
)
def test_line_includes_the_card_and_the_colour_of_its_event(
    happened: Any, extra: dict[str, str]
) -> None:
    (found,) = list_lines(make_logged_action(1, 1, {}, happened))
    assert {key: found[key] for key in ("card", "color") if key in found} == extra


@pytest.mark.parametrize(
    ("auto", "you", "text"),
    [
        ("timeout", None, "Asha ran out of time. Asha passes."),
        ("away", None, "Asha is away. Asha passes."),
        ("timeout", 1, "You ran out of time. You pass."),
        ("away", 1, "You were away. You pass."),
        ("timeout", 2, "Asha ran out of time. Asha passes."),
        ("bot", None, "Asha passes."),
        ("", 1, "You pass."),
    ],
)
def test_automatic_action_starts_with_its_reason(auto: str, you: int | None, text: str) -> None:
    passed = make_logged_action(1, 1, {"pass": True}, make_event("passed", seat=1), auto=auto)
    assert list_lines(passed, you) == [make_line(300_100, text, auto=auto)]


def make_claim(player: int, action: Action, received: int, credit: int) -> TimedClaim:
    submitted = SubmittedAction(PlayerIndex(player), action)
    return TimedClaim(Claim(submitted, received, credit), received - credit)


CATCH_CLAIM = make_claim(2, Action("catch", seat=1), 1_000, 100)
LATE_CALL = make_claim(1, CALL, 1_050, 30)


def test_race_line_gives_the_margin_between_both_times() -> None:
    race = Timing(PlayerIndex(1), 400, (CATCH_CLAIM, LATE_CALL))
    caught = make_event("caught", seat=1, by=2, cards=2)
    drew = make_event("drew", seat=1, cards=2, why="uno")
    found = list_lines(make_logged_action(5, 2, {"catch": 1}, caught, drew, timing=race))
    assert found == [
        make_line(
            300_500,
            "Ben catches Asha for not saying UNO. Asha said UNO 0.12 s later.",
            seat=1,
        ),
        make_line(300_501, "Asha draws 2 cards for not saying UNO.", seat=1, more=True),
        make_line(
            300_502,
            "Times since the first message arrived: Ben 0.00 s, less 0.10 s for network "
            "delay; Asha 0.05 s, less 0.03 s.",
            seat=None,
            more=True,
        ),
    ]


def test_uncontested_race_mentions_no_margin() -> None:
    alone = Timing(PlayerIndex(1), 400, (CATCH_CLAIM,))
    caught = make_event("caught", seat=1, by=2, cards=2)
    assert list_lines(make_logged_action(5, 2, {"catch": 1}, caught, timing=alone)) == [
        make_line(300_500, "Ben catches Asha for not saying UNO.", seat=1)
    ]


# --- the opening


OPENING_ACTION = {
    "events": [make_event("opening", card="RS"), make_event("skipped", seat=0)],
    "chance": [],
}


def test_deal_line_precedes_the_card_turned_up() -> None:
    dealt = make_unsaved_hand(3, [2, 0, 1], opening=OPENING_ACTION)
    names = {SeatNumber(number): name for number, name in enumerate(["Asha", "Ben", "Chen"])}
    assert log.opening_texts(dealt, names, RULES) == [
        "Ben deals hand 3.",
        "Red Skip is turned up.",
        "Chen is skipped.",
    ]


def test_repeated_draws_for_the_dealer_are_listed_separately() -> None:
    drawn = [{"0": "R5", "1": "R5"}, {"0": "R5", "1": "W"}]
    dealt = make_unsaved_hand(1, opening={**OPENING_ACTION, "events": [], "dealer_drawn": drawn})
    names = {SeatNumber(0): "Asha", SeatNumber(1): "Ben"}
    assert log.opening_texts(dealt, names, RULES) == [
        "Cards drawn to choose the dealer: Asha Red 5, Ben Red 5.",
        "Cards drawn to choose the dealer: Asha Red 5, Ben Wild.",
        "Ben deals hand 1.",
    ]


# --- the log of a table


TABLE = make_position("uno-400", "R1 R2|G1 G2", top="R5")
PASS_0 = make_logged_action(1, 0, {"pass": True}, make_event("passed", seat=0))
PASS_1 = make_logged_action(2, 1, {"pass": True}, make_event("passed", seat=1))


def read_log_lines(notes: tuple[LogNote, ...] = (), **fields: Any) -> list[tuple[int, str]]:
    table = make_playing_snapshot(
        TABLE, **{"actions": [PASS_0, PASS_1], "state": LiveState(notes=notes)} | fields
    )
    return [(line["n"], line["text"]) for line in log.log_lines(table)]


def test_notes_are_sorted_among_the_actions() -> None:
    notes = (
        LogNote(0, 0, "played-on"),
        LogNote(1, 0, "played-on"),
        LogNote(1, 1, "seat-bot", {"seat": 0}),
    )
    returned = "Someone is back. Play continues."
    assert read_log_lines(notes) == [
        (100_000, "Ben deals hand 1."),
        (100_001, "Red 5 is turned up."),
        (100_050, returned),
        (100_100, "Asha passes."),
        (100_150, returned),
        (100_151, "A bot is now playing for Asha."),
        (100_200, "Ben passes."),
    ]


def test_note_is_hidden_until_the_actions_before_it_are_shown() -> None:
    notes = (LogNote(2, 0, "played-on"),)
    assert [n for n, _ in read_log_lines(notes)] == [100_000, 100_001, 100_100, 100_200, 100_250]
    assert [n for n, _ in read_log_lines(notes, actions=[PASS_0])] == [100_000, 100_001, 100_100]


def test_log_is_limited_to_the_last_thirty_lines() -> None:
    many = [
        make_logged_action(n, n % 2, {"pass": True}, make_event("passed", seat=n % 2))
        for n in range(1, 41)
    ]
    found = read_log_lines(actions=many)
    assert [n for n, _ in found] == [100_000 + 100 * n for n in range(11, 41)]


def test_log_is_empty_before_the_first_deal() -> None:
    assert log.log_lines(make_unsaved_snapshot()) == []
    assert log.latest_sentence(make_unsaved_snapshot()) == ""
    assert log.own_lines(make_unsaved_snapshot(), SeatNumber(0)) == {}
    assert log.own_latest_sentence(make_unsaved_snapshot(), SeatNumber(0)) is None


def test_former_player_is_named_in_their_own_actions() -> None:
    left = Sitters((Sitter("Asha", "", 1, 0), Sitter("Dina", "", 1, 1)))
    third = make_logged_action(3, 0, {"pass": True}, make_event("passed", seat=0))
    seats = [make_unsaved_seat(0, "Dina", sitters=left), make_unsaved_seat(1)]
    table = make_playing_snapshot(TABLE, seats=seats, actions=[PASS_0, PASS_1, third])
    assert [line["text"] for line in log.log_lines(table)] == [
        "Ben deals hand 1.",
        "Red 5 is turned up.",
        "Asha passes.",
        "Ben passes.",
        "Dina passes.",
    ]
    assert log.latest_sentence(table) == "Dina passes."
    earlier = make_playing_snapshot(TABLE, seats=seats, actions=[PASS_0], pk=2)
    assert log.latest_sentence(earlier) == "Asha passes."


# --- lines that differ by seat


CATCH_ACTION = make_logged_action(3, 1, {"catch": 0}, make_event("caught", seat=0, by=1, cards=2))


@pytest.mark.parametrize(
    ("seat", "own_lines", "last"),
    [
        (
            0,
            {
                "100100": "You pass.",
                "100300": "Ben catches you for not saying UNO.",
            },
            "Ben catches you for not saying UNO.",
        ),
        (
            1,
            {
                "100200": "You pass.",
                "100300": "You catch Asha for not saying UNO.",
            },
            "You catch Asha.",
        ),
        (2, {}, None),
        (None, {}, None),
    ],
)
def test_seat_sees_its_own_events_in_the_second_person(
    seat: int | None, own_lines: dict[str, str], last: str | None
) -> None:
    table = make_position("uno-400", "R1 R2|G1 G2|Y1 Y2", top="R5")
    live = make_playing_snapshot(table, actions=[PASS_0, PASS_1, CATCH_ACTION])
    number = None if seat is None else SeatNumber(seat)
    assert (log.own_lines(live, number), log.own_latest_sentence(live, number)) == (own_lines, last)
    assert log.latest_sentence(live) == "Ben catches Asha."


def test_own_lines_do_not_depend_on_cached_earlier_lines() -> None:
    many = [
        make_logged_action(n, n % 2, {"pass": True}, make_event("passed", seat=n % 2))
        for n in range(1, 41)
    ]
    table = make_position("uno-400", "R1 R2|G1 G2", top="R5")
    shown = [
        make_playing_snapshot(table, actions=many[:done])
        for done in (0, 1, 2, 3, 29, 31, 32, 40, 40, 39)
    ]
    with Process().enter():
        one_by_one = [log.own_lines(snapshot, SeatNumber(0)) for snapshot in shown]
    for snapshot, own in zip(shown, one_by_one, strict=True):
        with Process().enter():
            assert own == log.own_lines(snapshot, SeatNumber(0))
    assert [len(own) for own in one_by_one] == [0, 0, 1, 1, 14, 15, 15, 15, 15, 15]
    assert min(one_by_one[-2]) == "101200"


def test_note_is_the_latest_line_until_the_next_action() -> None:
    notes = (LogNote(1, 0, "seat-bot", {"seat": 1}), LogNote(2, 0, "played-on"))
    noted = make_playing_snapshot(TABLE, actions=[PASS_0, PASS_1], state=LiveState(notes=notes))
    assert log.latest_sentence(noted) == "Someone is back. Play continues."
    assert log.own_latest_sentence(noted, SeatNumber(1)) is None
    acted = make_playing_snapshot(
        TABLE, actions=[PASS_0, PASS_1, CATCH_ACTION], state=LiveState(notes=notes), pk=2
    )
    assert log.latest_sentence(acted) == "Ben catches Asha."
    assert log.own_latest_sentence(acted, SeatNumber(1)) == "You catch Asha."


def test_result_of_the_deal_is_the_latest_line_before_any_action() -> None:
    live = make_playing_snapshot(TABLE, hands=[make_unsaved_hand(1, opening=OPENING_ACTION)])
    assert log.latest_sentence(live) == "Red Skip is turned up: Asha is skipped."
    assert log.own_latest_sentence(live, SeatNumber(0)) is None
