"""Tests of how the end of a hand changes its match, without a database."""

from collections.abc import Sequence
from typing import Any

import pytest

from games.json_values.deals import Attempt, Deals
from games.json_values.state import LiveState
from games.models import Hand, Match
from games.play import hands
from games.rules.hand.position import Position
from games.seats import SeatNumber
from games.store import MatchChange
from tests.games.unsaved import (
    make_committed_hand,
    make_ended_hand,
    make_unsaved_hand,
    make_unsaved_match,
    make_unsaved_seat,
    make_unsaved_snapshot,
    seconds_after_noon,
)
from tests.rules.table import make_position, run_actions

PACE_FIELDS: dict[str, Any] = {
    "between_seconds": 12,
    "turn_until": seconds_after_noon(50),
    "due": seconds_after_noon(52),
}
VOID_FIELDS = {"void": True, "ended_at": seconds_after_noon(30)}


def make_won_hand(ruleset: str = "uno-400", **options: Any) -> Position:
    """Return a three-player hand that player 0 has won.

    Player 1 holds Green 9 and Green 7, and player 2 holds a Skip.
    """
    found = make_position(ruleset, "R1|G9 G7|YS", top="R5", draw="B1 B2", **options)
    run_actions(found, "0: R1")
    return found


def finish_hand(
    position: Position,
    earlier: Sequence[Hand] = (),
    last: Hand | None = None,
    *,
    now: float = 100,
    **fields: Any,
) -> MatchChange:
    """Return the change that the end of the last hand makes, `now` seconds after noon."""
    last = last or make_unsaved_hand(len(earlier) + 1, range(position.seats))
    seats = fields.pop("seats", [make_unsaved_seat(number) for number in range(position.seats)])
    state = LiveState(turn_seat=SeatNumber(0))
    live = make_unsaved_snapshot(
        [*earlier, last], seats=seats, position=position, **PACE_FIELDS | {"state": state} | fields
    )
    change = MatchChange.from_snapshots(live, seconds_after_noon(now))
    hands.finish_hand(change, last)
    return change


def test_finished_hand_stores_its_result() -> None:
    position = make_won_hand()
    assert finish_hand(position).hands == {
        1: {
            "points": [36, 0, 0],
            "left": [0, 16, 20],
            "winner": 0,
            "ended_at": seconds_after_noon(100),
            "final": position.to_json(),
        }
    }


def test_only_seats_in_the_hand_score_points() -> None:
    last = make_unsaved_hand(1, [3, 0, 2])
    change = finish_hand(
        make_won_hand(), last=last, seats=[make_unsaved_seat(number) for number in range(4)]
    )
    fields = change.hands[1]
    assert (fields["points"], fields["left"]) == ([0, 0, 0, 36], [16, 0, 20, 0])
    assert fields["winner"] == 3


def test_blocked_hand_scores_no_points() -> None:
    position = make_position("uno-400", "B2|G9 G8|YS", top="R5")
    for player in range(3):
        run_actions(position, f"{player}: draw", f"{player}: pass")
    fields = finish_hand(position).hands[1]
    assert (fields["points"], fields["winner"], fields["left"]) == ([0, 0, 0], None, [2, 17, 20])


def test_next_hand_is_committed_and_due_after_a_pause() -> None:
    change = finish_hand(make_won_hand())
    (following,) = change.new_hands
    assert (following.number, following.players, following.dealer) == (2, [0, 1, 2], 0)
    assert (following.dealt_at, following.commitment) == (
        None,
        following.deals.current.commitment,
    )
    assert {key: change.match[key] for key in ("phase", "turn_until", "due")} == {
        "phase": "between",
        "turn_until": None,
        "due": seconds_after_noon(100 + 12 - 1),
    }
    assert (change.state.turn_seat, change.notable) == (None, True)


def test_deal_at_a_paused_table_is_due_relative_to_the_start_of_the_pause() -> None:
    assert finish_hand(make_won_hand(), paused_at=seconds_after_noon(70)).match[
        "due"
    ] == seconds_after_noon(70 + 12 - 1)


# --- dealers and remaining players


@pytest.mark.parametrize(
    ("ruleset", "dealer", "players", "following"),
    [
        ("uno-400", 2, [0, 1, 2], 0),
        ("uno-400", 0, [0, 1, 2], 1),
        ("uno-400", 3, [0, 2, 3], 0),
        ("uno-400", 0, [0, 2, 3], 2),
        ("ocho", 1, [0, 1, 2], 2),
    ],
)
def test_deal_passes_to_the_left(
    ruleset: str, dealer: int, players: list[int], following: int
) -> None:
    seats = [make_unsaved_seat(number) for number in range(max(players) + 1)]
    last = make_unsaved_hand(1, players, dealer=dealer)
    for one in seats:
        one.bot = "" if one.number in players else "empty"
    (new,) = finish_hand(make_won_hand(ruleset), last=last, seats=seats).new_hands
    assert (new.dealer, new.players) == (following, players)


def test_winner_deals_under_winner_deals_rules() -> None:
    position = make_position("ocho-cards", "3S|9H 8H|4D", top="5S")
    run_actions(position, "0: 3S")
    (new,) = finish_hand(position, last=make_unsaved_hand(1, [2, 0, 1], dealer=0)).new_hands
    assert new.dealer == 2


@pytest.mark.parametrize(
    ("bots", "players"),
    [
        (["", "", ""], [0, 1, 2]),
        (["", "plain", ""], [0, 1, 2]),
        (["", "empty", ""], [0, 2]),
        (["empty", "empty", ""], [0, 1, 2]),
    ],
)
def test_player_who_gave_up_is_not_dealt_in_while_two_remain(
    bots: list[str], players: list[int]
) -> None:
    seats = [make_unsaved_seat(number, bot=bot) for number, bot in enumerate(bots)]
    (new,) = finish_hand(make_won_hand(), seats=seats).new_hands
    assert new.players == players


def test_partner_game_deals_to_four_seats_even_after_a_player_gives_up() -> None:
    position = make_position("uno-500", "R1|G9|YS|B2", top="R5", partners=True)
    run_actions(position, "0: R1")
    seats = [make_unsaved_seat(number) for number in range(3)] + [make_unsaved_seat(3, bot="empty")]
    (new,) = finish_hand(position, seats=seats).new_hands
    assert new.players == [0, 1, 2, 3]


def test_eliminated_player_is_not_dealt_in() -> None:
    position = make_won_hand("uno-500", scoring="elimination", target=20)
    change = finish_hand(position)
    assert change.hands[1]["points"] == [0, 16, 20]
    assert change.new_hands[0].players == [0, 1]


# --- the end of the match


TARGET, LIMIT, TIME = Match.MatchEnding.TARGET, Match.MatchEnding.HAND_LIMIT, Match.MatchEnding.TIME


@pytest.mark.parametrize(
    ("earlier", "fields", "reason"),
    [
        ([], {}, ""),
        ([make_ended_hand(1, [363, 0, 0], 0)], {}, ""),
        ([make_ended_hand(1, [364, 0, 0], 0)], {}, TARGET),
        ([make_ended_hand(1, [364, 0, 0], 0, void=True)], {}, ""),
        ([], {"before": [[364, 0, 0]]}, TARGET),
        ([], {"hand_limit": 2}, ""),
        ([], {"hand_limit": 1}, LIMIT),
        ([make_ended_hand(1, [5, 0, 0], 0)], {"hand_limit": 2}, LIMIT),
        ([make_ended_hand(1, None, None, **VOID_FIELDS)], {"hand_limit": 2}, ""),
        ([], {"hand_limit": 2, "before": [[5, 0, 0]]}, LIMIT),
        ([], {"ends_at": seconds_after_noon(101)}, ""),
        ([], {"ends_at": seconds_after_noon(100)}, TIME),
        ([], {"ends_at": seconds_after_noon(99), "hand_limit": 1}, LIMIT),
        (
            [make_ended_hand(1, [364, 0, 0], 0)],
            {"ends_at": seconds_after_noon(99), "hand_limit": 1},
            TARGET,
        ),
    ],
)
def test_hand_ends_the_match_with_the_right_reason(
    earlier: list[Hand], fields: dict[str, Any], reason: str
) -> None:
    change = finish_hand(make_won_hand(), earlier, **fields)
    assert change.match.get("ended", "") == reason
    assert bool(change.new_hands) is (not reason)


def test_finished_match_has_no_due_time() -> None:
    change = finish_hand(make_won_hand(), hand_limit=1, paused_at=seconds_after_noon(70))
    assert change.state.turn_seat is None
    assert {key: value for key, value in change.match.items() if key != "state"} == {
        "phase": "over",
        "ended": "hand-limit",
        "ended_reason": "",
        "ended_at": seconds_after_noon(100),
        "paused_at": None,
        "turn_until": None,
        "due": None,
    }


def test_abandoned_match_stores_the_reason_and_leaves_the_deal_unused() -> None:
    attempt = Attempt(1, b"s" * 96, "c2", SeatNumber(0))
    live = make_unsaved_snapshot(
        [make_ended_hand(1, [5, 0], 0), make_committed_hand(2, deals=Deals((attempt,)))]
    )
    change = MatchChange.from_snapshots(live, seconds_after_noon(100))
    hands.end_match(change, Match.MatchEnding.ABANDONED, "The hall closes.")
    assert (change.match["ended"], change.match["ended_reason"]) == (
        "abandoned",
        "The hall closes.",
    )
    assert change.hands[2]["deals"].current.outcome == "unused"


# --- the first hand


@pytest.mark.parametrize(
    ("rules", "before", "players"),
    [
        ({}, [], [0, 1, 2]),
        ({}, [[50, 0, 0]], [0, 1, 2]),
        ({"scoring": "elimination", "target": 20}, [[0, 25, 3]], [0, 2]),
    ],
)
def test_first_hand_is_for_remaining_seats_and_has_no_dealer_yet(
    rules: dict[str, Any], before: list[list[int]], players: list[int]
) -> None:
    known = make_position("uno-500", "R1|R2|R3", top="R5", **rules).rs
    first = hands.first_hand(make_unsaved_match(before=before), known, 3)
    assert (first.number, first.players, first.dealer, first.dealt_at) == (1, players, None, None)
    assert first.commitment == first.deals.current.commitment


def test_score_includes_earlier_hands_and_the_current_result() -> None:
    live = make_unsaved_snapshot(
        [make_ended_hand(1, [5, 0], 0), make_unsaved_hand(2)], before=[[0, 9]]
    )
    assert hands.match_score(live).totals == [5, 9]
    assert hands.match_score(live, [1, 0], [0, 7]).totals == [6, 16]
