"""Tests of the data for result pages, deal checks and commentary."""

from collections.abc import Sequence
from typing import Any

import pytest

from games.deals import fairness
from games.json_values.seat_history import Sitter, Sitters
from games.models import Hand
from games.play.site_key import site_key
from games.protocol.desk import CountedResult
from games.protocol.faces import Person, faces_at
from games.tables import commentary, results
from games.tables.spectator_delay import ShownMatch, Stream
from tests.games.unsaved import (
    NOON,
    make_committed_hand,
    make_ended_hand,
    make_playing_snapshot,
    make_unsaved_hand,
    make_unsaved_match,
    make_unsaved_seat,
    make_unsaved_snapshot,
    seconds_after_noon,
)
from tests.rules.table import make_position

ENDED_BY_TIME: dict[str, Any] = {"phase": "over", "ended": "time"}
VOID_FIELDS = {"void": True, "void_reason": "A card lay open."}
HANDS = [
    make_ended_hand(1, [5, 0], 0),
    make_ended_hand(2, None, None, **VOID_FIELDS),
    make_ended_hand(3, [0, 0], None),
    make_committed_hand(4),
]
CARDS_HIDDEN = "The organizers keep this match’s cards hidden, so its deals can’t be checked."


def get_result_page(hands: Sequence[Hand] = HANDS, **fields: Any) -> Any:
    return results.result_page(make_unsaved_snapshot(hands, **fields))


# --- the result


def test_partners_are_named_together() -> None:
    seats, options = [make_unsaved_seat(number) for number in range(4)], {"partners": True}
    rows = get_result_page(
        [make_ended_hand(1, [5, 0, 5, 0], 0)], seats=seats, options=options, **ENDED_BY_TIME
    )["seats"]
    names = [seat.name for seat in seats]
    assert [row["partner"] for row in rows] == [*names[2:], *names[:2]]


def test_each_seat_has_a_row_with_its_totals() -> None:
    seats = [make_unsaved_seat(0), make_unsaved_seat(1, bot="plain")]
    first, second = get_result_page(seats=seats, **ENDED_BY_TIME)["seats"]
    one, two = faces_at([Person("Asha", 100), Person("Ben")])
    assert first == {
        "number": 0,
        "name": "Asha",
        "partner": "",
        "face": one,
        "bot": "",
        "total": 5,
        "place": 1,
        "won": True,
        "out": False,
        "sat": "",
    }
    assert second == first | {
        "number": 1,
        "name": "Ben",
        "face": two,
        "bot": "plain",
        "total": 0,
        "place": 2,
        "won": False,
    }


def test_every_dealt_hand_has_a_row() -> None:
    rows = get_result_page(replays="hand")["hands"]
    known = {"points": None, "winner": None, "winner_name": "", "note": "", "open": True}
    assert rows == [
        known | {"number": 1, "points": [5, 0], "winner": 0, "winner_name": "Asha"},
        known | {"number": 2, "note": "Void: A card lay open."},
        known | {"number": 3, "points": [0, 0], "note": "Blocked: no one scores"},
    ]


@pytest.mark.parametrize(
    ("replays", "phase", "opened"),
    [("hand", "playing", False), ("over", "playing", False), ("hand", "over", False)],
)
def test_hand_in_play_is_marked_and_has_no_replay(replays: str, phase: str, opened: bool) -> None:
    (row,) = get_result_page([make_unsaved_hand(1)], replays=replays, phase=phase)["hands"]
    assert (row["note"], row["open"], row["points"]) == ("In progress", opened, None)


@pytest.mark.parametrize(
    ("fields", "winners", "won_with"),
    [
        ({}, [], None),
        (ENDED_BY_TIME, ["Asha"], 5),
        (ENDED_BY_TIME | {"before": [[0, 5]]}, ["Asha", "Ben"], 5),
        (ENDED_BY_TIME | {"before": [[0, 9]]}, ["Ben"], 9),
    ],
)
def test_page_shows_the_winners_and_their_winning_scores(
    fields: dict[str, Any], winners: list[str], won_with: int | None
) -> None:
    page = get_result_page(**fields)
    assert [one.name for one in page["winners"]] == winners
    assert page["won_with"] == won_with


@pytest.mark.parametrize(
    ("fields", "records", "luck", "ended_text"),
    [
        ({}, True, False, ""),
        (ENDED_BY_TIME, True, True, "Time ran out. The points from the finished hands count."),
        (
            ENDED_BY_TIME | {"replays": "never"},
            False,
            False,
            "Time ran out. The points from the finished hands count.",
        ),
        ({"phase": "over", "ended": "target"}, True, True, "The target of 400 points was reached."),
    ],
)
def test_result_links_depend_on_the_match(
    fields: dict[str, Any], records: bool, luck: bool, ended_text: str
) -> None:
    page = get_result_page(**fields)
    assert (page["records"], page["luck"], page["ended_text"]) == (records, luck, ended_text)


def test_match_without_a_finished_hand_has_no_luck_page() -> None:
    assert (
        get_result_page([make_ended_hand(1, None, None, **VOID_FIELDS)], **ENDED_BY_TIME)["luck"]
        is False
    )


def test_points_carried_over_are_listed_separately() -> None:
    assert get_result_page(before=[[0, 9], [1, 0]])["before"] == [1, 9]
    assert get_result_page()["before"] == []


ASHA, BEN = Sitter("Asha", "", 1, 0), Sitter("Ben", "", 2, 5)
NOBODY, BOT = Sitter("Ben", "empty", 3, 0), Sitter("Ben (bot)", "plain", 4, 2)


@pytest.mark.parametrize(
    ("ever", "expected"),
    [
        ((), ""),
        ((ASHA, BEN), "From hand 1: Asha. From hand 2, after move 5: Ben."),
        (
            (ASHA, NOBODY, BOT),
            "From hand 1: Asha. From hand 3: no one. From hand 4, after move 2: Ben (bot).",
        ),
        ((ASHA, Sitter("דנה", "", 2, 0)), "From hand 1: Asha. From hand 2: \u2068דנה\u2069."),
    ],
)
def test_seat_with_several_holders_lists_when_each_took_over(
    ever: tuple[Sitter, ...], expected: str
) -> None:
    assert results.describe_sitters(make_unsaved_seat(0, sitters=Sitters(ever))) == expected


PRACTICE_FIELDS = {"practice": True, "ruleset": "ocho", "bot_seconds": 1.2}


@pytest.mark.parametrize(
    ("bots", "fields", "data"),
    [
        (["", "strong"], PRACTICE_FIELDS, {"seats": 2, "strength": "strong", "fast": ""}),
        (["", "easy", "easy"], PRACTICE_FIELDS, {"seats": 3, "strength": "easy", "fast": ""}),
        (["", ""], PRACTICE_FIELDS, {"seats": 2, "strength": "", "fast": ""}),
        (["", "easy"], PRACTICE_FIELDS | {"bot_seconds": 0.99}, {"fast": "on"}),
        (["", "easy"], PRACTICE_FIELDS | {"bot_seconds": 1.0}, {"fast": ""}),
    ],
)
def test_practice_can_be_repeated_with_the_same_settings(
    bots: list[str], fields: dict[str, Any], data: dict[str, Any]
) -> None:
    seats = [make_unsaved_seat(number, bot=bot) for number, bot in enumerate(bots)]
    known = {"ruleset": "ocho", "seats": 2, "strength": "easy"}
    assert results.rematch(make_unsaved_match(seats=seats, **fields)) == known | data


def test_only_practice_can_be_repeated() -> None:
    assert (
        results.rematch(
            make_unsaved_match(seats=[make_unsaved_seat(0), make_unsaved_seat(1, bot="easy")])
        )
        == {}
    )


# --- whether a deal can be checked


@pytest.mark.parametrize(
    ("fields", "states", "hidden"),
    [
        ({"replays": "hand"}, ["open", "void", "open"], ""),
        (
            {"replays": "over"},
            ["hidden", "hidden", "hidden"],
            "You can check the hands once the match is over.",
        ),
        ({"replays": "over"} | ENDED_BY_TIME, ["open", "void", "open", "unused"], ""),
        ({"replays": "never"} | ENDED_BY_TIME, ["hidden"] * 4, CARDS_HIDDEN),
        ({"replays": "never"}, ["hidden"] * 3, CARDS_HIDDEN),
    ],
)
def test_page_lists_the_hands_that_can_be_checked(
    fields: dict[str, Any], states: list[str], hidden: str
) -> None:
    page = fairness.fair_deal_page(make_unsaved_snapshot(HANDS, **fields), None)
    hands = page["fair"]["hands"]
    assert [hand["state"] for hand in hands] == states
    assert page["hidden"] == hidden
    records = {
        hand["number"]: hand["record"] for hand in hands if hand["state"] in ("open", "void")
    }
    assert records == {number: f"/m/abc/hands/{number}.json" for number in records}
    assert [hand["record"] for hand in hands if hand["number"] not in records] == [
        None for state in states if state in ("hidden", "unused")
    ]


def test_hand_can_be_checked_after_it_is_over() -> None:
    page = fairness.fair_deal_page(
        make_unsaved_snapshot([HANDS[0], make_unsaved_hand(2)], replays="hand"), None
    )
    assert [hand["state"] for hand in page["fair"]["hands"]] == ["open", "hidden"]
    assert page["hidden"] == "You can check a hand as soon as it’s over."


def test_page_data_contains_the_match_and_the_readers_seat() -> None:
    known = fairness.fair_deal_page(
        make_unsaved_snapshot([], phase="waiting"), make_unsaved_seat(1).number
    )
    assert known["fair"] == {"match": "abc", "you": 1, "hands": [], "keys": [site_key()]}


# --- commentary


POSITION = make_position("uno-400", "R1 R2|G1 G2", top="R5")


@pytest.mark.parametrize(
    ("since", "opened"),
    [
        (seconds_after_noon(-60), True),
        (NOON, True),
        (seconds_after_noon(1), False),
        (None, False),
    ],
)
def test_commentator_sees_cards_only_of_hands_dealt_afterwards(since: Any, opened: bool) -> None:
    stream = Stream("delayed", 30, since=since)
    view = commentary.commentary_view(
        ShownMatch(make_playing_snapshot(POSITION), seconds_after_noon(30), stream), {}
    )
    cards = [{"seat": 0, "cards": ["R1", "R2"]}, {"seat": 1, "cards": ["G1", "G2"]}]
    assert view["open"] == (cards if opened else [])
    assert view["viewer"] is not None
    assert (view["viewer"]["text"] == "You’ll see all cards from the next hand on.") is not opened


def test_no_card_is_open_in_a_hidden_hand_or_before_the_first_deal() -> None:
    stream = Stream("hand", since=seconds_after_noon(-60))
    for live in (
        make_unsaved_snapshot([make_unsaved_hand(1)], phase="playing"),
        make_unsaved_snapshot([make_committed_hand(1)], phase="waiting"),
    ):
        assert commentary.commentary_view(ShownMatch(live, NOON, stream), {})["open"] == []


def test_open_cards_are_listed_by_seat_of_the_match() -> None:
    live = make_unsaved_snapshot(
        [make_unsaved_hand(1, [2, 0])],
        seats=[make_unsaved_seat(0), make_unsaved_seat(1), make_unsaved_seat(2)],
        position=POSITION,
    )
    assert commentary.open_cards(live) == [
        {"seat": 2, "cards": ["R1", "R2"]},
        {"seat": 0, "cards": ["G1", "G2"]},
    ]


def test_commentator_has_no_controls() -> None:
    stream = Stream("delayed", 30, since=NOON)
    view = commentary.commentary_view(
        ShownMatch(make_playing_snapshot(POSITION), seconds_after_noon(30), stream), {}
    )
    assert (view["you"], view["controls"], view["cards"], view["actions"]) == (None, False, [], [])
    assert view["viewer"] == {
        "mode": "delayed",
        "seconds": 30,
        "curtain": False,
        "text": "You see all cards with a delay of 30 seconds. Your visit is logged.",
    }


def test_finished_match_has_data_for_its_picture() -> None:
    hands = [make_ended_hand(1, [11, 0], 0), make_ended_hand(2, [0, 30], 1)]
    page = get_result_page(hands, **ENDED_BY_TIME)
    assert page["story"] == "Ben overtook Asha in the last hand."
    assert page["picture"] == {
        "names": ["Ben"],
        "points": 30,
        "story": page["story"],
        "heading": page["match"].heading,
        "at": "",
        "card": "",
        "faces": [page["seats"][1]["face"]],
        "colors": ["R", "Y", "G", "B"],
    }
    assert get_result_page(hands[:1], phase="between")["picture"] is None


def test_corrected_result_has_no_story() -> None:
    hands = [make_ended_hand(1, [11, 0], 0), make_ended_hand(2, [0, 30], 1)]
    page = get_result_page(hands, **ENDED_BY_TIME)
    results.show_event_result(page, CountedResult([1, 2], [40, 30], corrected=True))
    picture = page["picture"]
    assert (page["story"], picture["story"]) == ("", "")
    assert (picture["names"], picture["points"]) == (["Asha"], 40)
