"""Tests of the score, the score sheet, and the reason why a match is over."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from games.json_values.deals import Attempt, Deals
from games.json_values.state import LiveState
from games.models import Hand, Match
from games.seats import SeatNumber
from games.tables.sheet import Score, describe_reason, ended_text, score, score_of, sheet
from tests.games.unsaved import (
    make_committed_hand,
    make_ended_hand,
    make_unsaved_hand,
    make_unsaved_match,
    make_unsaved_seat,
    make_unsaved_snapshot,
    seconds_after_noon,
)
from tests.rules.table import make_position

BETWEEN, OVER = Match.Phase.BETWEEN, Match.Phase.OVER
ENDED_BY_TARGET: dict[str, Any] = {"phase": OVER, "ended": "target"}
ENDED_BY_TIME: dict[str, Any] = {"phase": OVER, "ended": "time"}
ABANDONED_MATCH: dict[str, Any] = {
    "phase": OVER,
    "ended": "abandoned",
    "ended_reason": "The hall closes.",
}
THREE_SEATS = (make_unsaved_seat(0), make_unsaved_seat(1), make_unsaved_seat(2))
VOID_FIELDS = {"void": True, "void_reason": "A card lay open."}


def make_sheet(hands: Sequence[Hand], now: float = 0, **fields: Any) -> Any:
    live = make_unsaved_snapshot(hands, **fields)
    return sheet(live, score_of(live), seconds_after_noon(now))


# --- the score


def make_score(*hands: Hand, seats: int = 2, **fields: Any) -> Score:
    people = fields.pop("people", [make_unsaved_seat(number) for number in range(seats)])
    return score(make_unsaved_match(hands=hands, seats=people, **fields))


def test_points_add_up_in_order_over_counted_hands() -> None:
    found = make_score(
        make_ended_hand(3, [0, 7], 1, left=[7, 0]),
        make_ended_hand(1, [5, 0], 0, left=[0, 5]),
        make_ended_hand(2, None, None, **VOID_FIELDS),
        make_unsaved_hand(4),
    )
    assert found == Score(
        totals=[5, 7],
        left=[7, 5],
        hands=[[5, 0], [0, 7]],
        places=[2, 1],
        over=False,
        winners=[],
        out=[],
        hands_played=2,
    )


def test_continued_match_starts_with_its_earlier_points() -> None:
    found = make_score(make_ended_hand(1, [5, 0], 0), before=[[0, 9], [1, 0]])
    assert (found.totals, found.hands, found.places) == ([6, 9], [[5, 0]], [2, 1])


@pytest.mark.parametrize(
    ("fields", "points", "winners"),
    [
        ({}, [[5, 0]], []),
        (ENDED_BY_TIME, [[5, 0]], [0]),
        (ENDED_BY_TIME, [[5, 0], [0, 5]], [0, 1]),
        (ENDED_BY_TIME, [], []),
        (ENDED_BY_TIME | {"before": [[0, 9]]}, [], [1]),
        (ABANDONED_MATCH, [[5, 0]], []),
        (ENDED_BY_TARGET, [[400, 0]], [0]),
    ],
)
def test_sheet_names_the_winners(
    fields: dict[str, Any], points: list[list[int]], winners: list[int]
) -> None:
    hands = [make_ended_hand(number, each, None) for number, each in enumerate(points, 1)]
    assert make_score(*hands, **fields).winners == winners


def test_player_who_gave_up_ranks_last_and_never_wins() -> None:
    people = [make_unsaved_seat(0, bot="empty"), make_unsaved_seat(1), make_unsaved_seat(2)]
    found = make_score(make_ended_hand(1, [400, 0, 7], 0), people=people, **ENDED_BY_TARGET)
    assert (found.places, found.winners) == ([3, 2, 1], [2])


def test_last_player_who_has_not_given_up_wins() -> None:
    people = [make_unsaved_seat(0, bot="empty"), make_unsaved_seat(1)]
    assert make_score(make_ended_hand(1, [9, 0], 0), people=people, **ENDED_BY_TIME).winners == [1]


def test_eliminated_player_is_marked_out() -> None:
    rules: dict[str, Any] = {
        "ruleset": "uno-500",
        "options": {"scoring": "elimination", "target": 10},
    }
    found = make_score(make_ended_hand(1, [0, 12, 3], 0), seats=3, **rules)
    assert (found.out, found.places) == ([1], [1, 3, 2])


def test_score_is_recomputed_when_players_hands_or_ending_change() -> None:
    live = make_unsaved_snapshot([make_ended_hand(1, [5, 0], 0)], phase=BETWEEN)
    known = score_of(live)
    assert score_of(replace(live)) is known
    assert score_of(replace(live, hands=(make_ended_hand(1, [7, 0], 0),))).totals == [7, 0]
    assert score_of(
        replace(live, seats=(make_unsaved_seat(0, bot="empty"), make_unsaved_seat(1)))
    ).places == [2, 1]
    done = make_unsaved_match(**ENDED_BY_TIME, hands=live.hands, seats=live.seats)
    assert score_of(replace(live, match=done)).winners == [0]


# --- the sheet


def test_there_is_no_sheet_during_a_hand_or_before_the_first() -> None:
    assert make_sheet([make_unsaved_hand(1)], phase="playing") is None
    assert make_sheet([make_committed_hand(1)], phase="waiting") is None
    assert make_sheet([make_committed_hand(1)], phase=BETWEEN) is None


def test_previous_hand_is_not_shown_again_before_a_redeal() -> None:
    hands = [
        make_ended_hand(1, [5, 0], 0),
        make_ended_hand(2, None, None, **VOID_FIELDS),
        make_committed_hand(3),
    ]
    assert make_sheet(hands, phase=BETWEEN) is None
    assert make_sheet(hands[:1], phase=BETWEEN)["hand"] == 1


def test_sheet_between_hands_shows_the_last_hand() -> None:
    table = make_position("uno-400", "R1 R2|G3 B4", top="R5")
    hands = [make_ended_hand(1, [0, 9], 1), make_ended_hand(2, [11, 0], 0), make_committed_hand(3)]
    found = make_sheet(
        hands, 5, position=table, phase=BETWEEN, due=seconds_after_noon(12), between_seconds=12
    )
    assert found == {
        "hand": 2,
        "winner": 0,
        "winner_name": "Asha",
        "blocked": False,
        "story": "",
        "rows": [
            {
                "seat": 0,
                "name": "Asha",
                "points": 11,
                "total": 11,
                "place": 1,
                "before": 2,
                "cards_left": ["R1", "R2"],
            },
            {
                "seat": 1,
                "name": "Ben",
                "points": 0,
                "total": 9,
                "place": 2,
                "before": 1,
                "cards_left": ["G3", "B4"],
            },
        ],
        "next_ms": 7_000,
        "next_hand": 3,
        "waits_for": [0, 1],
        "ready": [],
        "over": False,
        "ended": "",
        "ended_text": "",
        "winners": [],
        "picture": False,
        "start": [],
        "hands": [[0, 9], [11, 0]],
        "numbers": [1, 2],
        "links": {"replay": None, "record": None, "replays": [], "review": None},
        "commitment": "c2",
        "next_commitment": "c3",
    }


def test_blocked_hand_has_no_winner() -> None:
    found = make_sheet([make_ended_hand(1, [0, 0], None)], phase=BETWEEN)
    assert (found["winner"], found["winner_name"], found["blocked"]) == (None, None, True)
    assert [row["before"] for row in found["rows"]] == [None, None]


@pytest.mark.parametrize(
    ("before", "points", "places", "places_before"),
    [
        ([], [[5, 0]], [1, 2], [None, None]),
        ([], [[5, 0], [0, 9]], [2, 1], [1, 2]),
        ([[0, 9]], [[5, 0]], [2, 1], [2, 1]),
        ([[0, 9]], [[5, 0], [0, 1]], [2, 1], [2, 1]),
        ([[0, 9]], [[5, 0], [5, 0]], [1, 2], [2, 1]),
    ],
)
def test_previous_place_includes_points_carried_over(
    before: list[list[int]],
    points: list[list[int]],
    places: list[int],
    places_before: list[int | None],
) -> None:
    hands = [make_ended_hand(number, each, None) for number, each in enumerate(points, 1)]
    rows = make_sheet(hands, phase=BETWEEN, before=before)["rows"]
    assert [row["place"] for row in rows] == places
    assert [row["before"] for row in rows] == places_before


def read_outcome(found: Any) -> tuple[object, ...]:
    """Return the sheet's winner of the hand, winners of the match, and places by seat."""
    return found["winner"], found["winners"], [row["place"] for row in found["rows"]]


def test_players_see_only_points_while_places_are_hidden() -> None:
    hands = [make_ended_hand(1, [9, 0], 0), make_ended_hand(2, [0, 5], 1)]
    hidden: dict[str, Any] = {"viewers_until": seconds_after_noon(0)}
    over = make_sheet(hands, **ENDED_BY_TIME, **hidden)
    assert read_outcome(over) == (None, [], [None, None])
    assert [(row["total"], row["before"]) for row in over["rows"]] == [(9, None), (5, None)]
    between = make_sheet(hands, phase=BETWEEN, **hidden)
    assert read_outcome(between) == (1, [], [None, None])


@pytest.mark.parametrize(
    ("links", "points", "ending"),
    [
        ({}, [9, 9, 0], (0, [0, 1], [1, 1, 3])),
        ({"event": "/e/ocho/"}, [9, 9, 0], (0, [], [None, None, 3])),
        ({"event": "/e/ocho/"}, [9, 0, 0], (0, [0], [1, None, None])),
        ({"event": "/e/ocho/"}, [9, 4, 0], (0, [0], [1, 2, 3])),
    ],
)
def test_tie_in_an_event_is_left_to_its_tie_breaks(
    links: dict[str, str], points: list[int], ending: tuple[object, ...]
) -> None:
    found = make_sheet(
        [make_ended_hand(1, points, 0)], seats=THREE_SEATS, links=links, **ENDED_BY_TIME
    )
    assert read_outcome(found) == ending


def test_last_finished_hand_is_shown_after_an_abandoned_one() -> None:
    hands = [
        make_ended_hand(1, [5, 0], 0),
        make_ended_hand(2, [0, 9], 1),
        make_unsaved_hand(3, void=True, ended_at=seconds_after_noon(300)),
    ]
    rows = make_sheet(hands, **ABANDONED_MATCH, goes_on=True)["rows"]
    assert [(row["points"], row["before"]) for row in rows] == [(0, 1), (9, 2)]


def test_seat_that_was_not_dealt_in_has_no_cards_left() -> None:
    table = make_position("uno-400", "R1|G3", top="R5")
    last = make_ended_hand(1, [5, 0, 0], 0, players=[2, 0])
    found = make_sheet([last], position=table, seats=THREE_SEATS, phase=BETWEEN)
    assert [row["cards_left"] for row in found["rows"]] == [["G3"], [], ["R1"]]


def test_next_hand_waits_for_its_players() -> None:
    seats = [
        make_unsaved_seat(0),
        make_unsaved_seat(1, bot="plain"),
        make_unsaved_seat(2),
        make_unsaved_seat(3, guest="g"),
    ]
    hands = [make_ended_hand(1, [5, 0, 0, 0], 0), make_committed_hand(2, [0, 1, 3])]
    state = LiveState(ready=(SeatNumber(3),))
    found = make_sheet(hands, seats=seats, phase=BETWEEN, state=state)
    assert (found["next_hand"], found["waits_for"], found["ready"]) == (2, [0, 3], [3])


SERVER_ATTEMPT = Attempt(1, b"s" * 96, "c2", SeatNumber(0))


@pytest.mark.parametrize(
    ("now", "fields", "deals", "remaining"),
    [
        (5, {"due": seconds_after_noon(12)}, Deals(), 7_000),
        (5.5004, {"due": seconds_after_noon(12)}, Deals(), 6_499),
        (12, {"due": seconds_after_noon(12)}, Deals(), 0),
        (15, {"due": seconds_after_noon(12)}, Deals(), 0),
        (5, {}, Deals(), None),
        (50, {"due": seconds_after_noon(12), "paused_at": seconds_after_noon(4)}, Deals(), 8_000),
        (
            5,
            {"due": seconds_after_noon(12), "between_seconds": 2},
            Deals((SERVER_ATTEMPT,)),
            7_500,
        ),
        (
            5,
            {"due": seconds_after_noon(12), "between_seconds": 12},
            Deals((SERVER_ATTEMPT,)),
            8_000,
        ),
        (5, {"due": seconds_after_noon(12), "phase": OVER, "ended": "time"}, Deals(), None),
    ],
)
def test_sheet_shows_the_time_until_the_next_hand(
    now: float, fields: dict[str, Any], deals: Deals, remaining: int | None
) -> None:
    hands = [make_ended_hand(1, [5, 0], 0), make_committed_hand(2, deals=deals)]
    assert make_sheet(hands, now, **{"phase": BETWEEN} | fields)["next_ms"] == remaining


def test_sheet_of_a_finished_match_has_no_next_hand() -> None:
    found = make_sheet([make_ended_hand(1, [5, 0], 0), make_committed_hand(2)], **ENDED_BY_TIME)
    assert (found["next_hand"], found["next_commitment"], found["waits_for"]) == (None, None, [])
    assert (found["over"], found["winners"], found["ended"]) == (True, [0], "time")


def test_abandoned_match_has_rows_only_if_it_continues_elsewhere() -> None:
    hands = [make_ended_hand(1, [5, 0], 0), make_ended_hand(2, None, None, **VOID_FIELDS)]
    assert make_sheet(hands, **ABANDONED_MATCH)["rows"] == []
    continued = make_sheet(hands, **ABANDONED_MATCH, goes_on=True)["rows"]
    assert [(row["points"], row["total"]) for row in continued] == [(5, 5), (0, 0)]


def test_match_ended_before_any_hand_has_an_empty_sheet() -> None:
    found = make_sheet([make_committed_hand(1)], **ENDED_BY_TIME)
    assert (found["hand"], found["winner"], found["blocked"]) == (None, None, False)
    assert (found["commitment"], found["numbers"]) == (None, [])
    assert [(row["points"], row["place"]) for row in found["rows"]] == [(0, 1), (0, 1)]


REPLAY_LINKS = ["/m/abc/hands/1/", "/m/abc/hands/3/"]


@pytest.mark.parametrize(
    ("fields", "replay", "record", "replays", "review"),
    [
        ({"replays": "hand"}, REPLAY_LINKS[1], "/m/abc/hands/3.json", REPLAY_LINKS, None),
        ({"replays": "over"}, None, None, [], None),
        (
            {"replays": "over"} | ENDED_BY_TIME,
            REPLAY_LINKS[1],
            "/m/abc/hands/3.json",
            REPLAY_LINKS,
            "/m/abc/luck/",
        ),
        ({"replays": "never"} | ENDED_BY_TIME, REPLAY_LINKS[1], None, REPLAY_LINKS, None),
    ],
)
def test_sheet_links_only_to_available_pages(
    fields: dict[str, Any],
    replay: str | None,
    record: str | None,
    replays: list[str],
    review: str | None,
) -> None:
    hands = [
        make_ended_hand(1, [5, 0], 0),
        make_ended_hand(2, None, None, **VOID_FIELDS),
        make_ended_hand(3, [0, 7], 1),
    ]
    assert make_sheet(hands, **{"phase": BETWEEN} | fields)["links"] == {
        "replay": replay,
        "record": record,
        "replays": replays,
        "review": review,
    }


# --- the end in words


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, ""),
        (ENDED_BY_TARGET, "The target of 400 points was reached."),
        (ENDED_BY_TIME, "Time ran out. The points from the finished hands count."),
        ({"ended": "hand-limit", "hand_limit": 1}, "The only hand has been played."),
        ({"ended": "hand-limit", "hand_limit": 6}, "All 6 hands have been played."),
        (ABANDONED_MATCH, "The match was abandoned: The hall closes."),
        (
            ABANDONED_MATCH | {"goes_on": True},
            "This match continues elsewhere with these points. Reason: The hall closes.",
        ),
        (
            ABANDONED_MATCH | {"practice": True},
            "The match was abandoned: A new practice match was started.",
        ),
    ],
)
def test_ending_has_a_sentence(fields: dict[str, Any], text: str) -> None:
    assert ended_text(make_unsaved_match(**fields)) == text


def test_ending_reason_is_shown_unchanged_except_in_practice() -> None:
    assert describe_reason(make_unsaved_match(), "A {card} lay open.") == "A {card} lay open."
    assert (
        describe_reason(make_unsaved_match(practice=True), "")
        == "A new practice match was started."
    )
