"""What an event is, in one sentence, from values alone."""

from datetime import UTC, datetime
from typing import Any

import pytest

from games.rules.ruleset import rulesets
from tournament.events.formats import READY
from tournament.events.texts import in_one_sentence
from tournament.models import Event

STARTS = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)
ANYBODY = "for everybody with a confirmed e-mail address"


def told(key: str = "rounds", **fields: Any) -> list[str]:
    """The parts of the sentence."""
    usual = {"title": "Chem Fest", "ruleset": "uno-400", "eligibility_required": False}
    sentence = in_one_sentence(Event(**(usual | fields)), READY[key].stages)
    assert sentence.startswith("Chem Fest: ")
    assert sentence.endswith(".")
    return sentence.removeprefix("Chem Fest: ").removesuffix(".").split("; ")


def test_it_has_the_rules_the_format_who_may_come_and_when() -> None:
    assert told() == [
        "UNO to 400 at tables of 4",
        "who first has 400 points wins a match",
        "3 rounds that everybody plays",
        "most points of all rounds win",
        ANYBODY,
        "at a time to be announced",
    ]


@pytest.mark.parametrize("size", [2, 5, 10])
def test_tables_are_as_large_as_they_are_set(size: int) -> None:
    assert told(table_size=size)[0].endswith(f" at tables of {size}")


@pytest.mark.parametrize(
    ("fields", "who"),
    [
        ({"capacity": None}, ANYBODY),
        ({"capacity": 40}, f"{ANYBODY}, 40 at most"),
        ({"eligibility_required": True}, "for the students on a list"),
        ({"eligibility_required": True, "capacity": 8}, "for the students on a list, 8 at most"),
    ],
)
def test_it_says_who_may_come_and_how_many(fields: dict[str, Any], who: str) -> None:
    assert told(**fields)[-2] == who


@pytest.mark.parametrize(
    ("fields", "when"),
    [
        ({"starts_at": STARTS, "time_zone": "Asia/Kolkata"}, "Sat 28 November 2026, 15:00 IST"),
        ({"starts_at": STARTS, "time_zone": "UTC"}, "Sat 28 November 2026, 09:30 UTC"),
        (
            {"starts_at": STARTS, "time_zone": "UTC", "place": "Hall 3"},
            "Sat 28 November 2026, 09:30 UTC, Hall 3",
        ),
        ({"place": "Hall 3"}, "at a time to be announced, Hall 3"),
    ],
)
def test_it_says_when_in_the_zone_of_the_event_and_where(fields: dict[str, Any], when: str) -> None:
    assert told(**fields)[-1] == when


def of_format(key: str, **fields: Any) -> list[str]:
    """What the sentence says of play, with the rules and settings that the format is meant for."""
    ready = READY[key]
    rules = rulesets.make(ready.ruleset or "uno-400", ready.options)
    meant = {"ruleset": rules.key, "options": rules.changed(), **ready.settings}
    return told(key, **(meant | {"capacity": None} | fields))[1:-2]


BRACKET = "a bracket of tables of which the best 2 go on, down to the final"
TURNOUT = "as many of the best as follows from the number of players"
TO_FINAL = "who wins the final wins the event"
TO_400 = "who first has 400 points wins a match"


@pytest.mark.parametrize(
    ("key", "clauses"),
    [
        (
            "turnout",
            [TO_400, f"3 rounds that everybody plays, then {TURNOUT}: {BRACKET}", TO_FINAL],
        ),
        (
            "rounds-bracket",
            [TO_400, f"3 rounds that everybody plays, then the best 16: {BRACKET}", TO_FINAL],
        ),
        ("rounds", [TO_400, "3 rounds that everybody plays", "most points of all rounds win"]),
        (
            "lowest",
            [
                "when somebody has 400 points, the lowest total wins the match",
                "3 rounds that everybody plays",
                "lowest wins: the fewest points a match, over all rounds",
            ],
        ),
        (
            "knock-out",
            [
                TO_400,
                "tables of which the best 2 go on, down to the final: all others are out",
                "2 rounds with 8 players, 3 rounds with 16 players",
                "who wins the final wins the event",
            ],
        ),
        (
            "challenge",
            [
                "who has 500 points is out of the match, and the last one left wins it: few points "
                "are good",
                "tables of which only the best one goes on, down to the final: all others are out",
                "2 rounds with 8 players, 2 rounds with 16 players",
                "who wins the final wins the event",
            ],
        ),
        (
            "partners",
            [
                "partners across from each other have their points together",
                "most points after 4 hands win a match, without a target",
                "rounds in which everybody has everybody else as partner once",
                "7 rounds with 8 players, 15 rounds with 16 players",
                "most points of all rounds win",
            ],
        ),
    ],
)
def test_it_tells_the_formats_apart(key: str, clauses: list[str]) -> None:
    assert of_format(key) == clauses


def test_no_two_formats_read_alike() -> None:
    assert len({"; ".join(of_format(key)) for key in READY}) == len(READY)


@pytest.mark.parametrize(("places", "rounds"), [(8, 7), (12, 11), (16, 15)])
def test_rounds_follow_from_the_places_there_are(places: int, rounds: int) -> None:
    assert f"{rounds} rounds with {places} players" in of_format("partners", capacity=places)


@pytest.mark.parametrize(
    ("scoring", "fields", "clause"),
    [
        (
            "winner-takes",
            {"hand_limit": 2},
            f"{TO_400}; it is over after 2 hands in any case, and most points win it",
        ),
        (
            "lowest",
            {"round_minutes": 30},
            "when somebody has 400 points, the lowest total wins the match; it is over after 30 "
            "minutes in any case, and the lowest total wins it",
        ),
        (
            "elimination",
            {"hand_limit": 1, "round_minutes": 1},
            "who has 400 points is out of the match, and the last one left wins it: few points are "
            "good; it is over after 1 hand or after 1 minute in any case, and the lowest total "
            "wins it",
        ),
    ],
)
def test_it_says_what_ends_a_match_besides(
    scoring: str, fields: dict[str, Any], clause: str
) -> None:
    parts = told(options={"scoring": scoring}, **fields)
    assert "; ".join(parts).startswith(f"UNO to 400 at tables of 4; {clause}; 3 rounds")


def test_lowest_without_a_target_says_what_decides() -> None:
    parts = told(options={"scoring": "lowest", "target": 0}, hand_limit=3)
    assert parts[1] == "the lowest total after 3 hands wins a match, without a target"
