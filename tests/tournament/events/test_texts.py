"""Tests of the sentences of an event's summary, without a database."""

from datetime import UTC, datetime
from typing import Any

import pytest

from games.rules.ruleset import rulesets
from tournament.events.texts import describe_admission, event_summary
from tournament.models import Event
from tournament.pure.formats import READY

STARTS_AT = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)
FOR_LISTED_STUDENTS = "Open to the students on the eligibility list"
BRACKET = "a knockout in which the top 2 of each table advance, all the way to the final"
BY_TURNOUT = "the top players (how many depends on turnout)"
TO_FINAL = "The winner of the final wins the event"
TO_400 = "The first player to reach 400 points wins the match"
MAX_POINTS = "The player with the most points over all rounds wins the event"
LOWEST = "Once a player reaches 400 points, the lowest total wins the match"
FOR_EVERYONE = "Open to everyone with a confirmed email address"


def list_summary_sentences(key: str = "rounds", **fields: Any) -> list[str]:
    """Return the sentences of the summary, without their full stops."""
    usual = {"title": "Chem Fest", "ruleset": "uno-400", "eligibility_required": False}
    text = event_summary(Event(**(usual | fields)), READY[key].stages)
    assert text.startswith("Chem Fest: ")
    assert text.endswith(".")
    return text.removeprefix("Chem Fest: ").removesuffix(".").split(". ")


def test_event_text_covers_rules_format_eligibility_and_dates() -> None:
    assert list_summary_sentences() == [
        "UNO to 400, tables of 4",
        TO_400,
        "3 rounds for everyone",
        MAX_POINTS,
        FOR_EVERYONE,
        "Time to be announced",
    ]


@pytest.mark.parametrize("size", [2, 5, 10])
def test_event_text_states_the_configured_table_size(size: int) -> None:
    assert list_summary_sentences(table_size=size)[0].endswith(f", tables of {size}")


@pytest.mark.parametrize(
    ("fields", "audience"),
    [
        ({"capacity": None}, FOR_EVERYONE),
        ({"capacity": 40}, f"{FOR_EVERYONE}, up to 40 players"),
        ({"eligibility_required": True}, FOR_LISTED_STUDENTS),
        ({"eligibility_required": True, "capacity": 8}, f"{FOR_LISTED_STUDENTS}, up to 8 players"),
    ],
)
def test_event_text_states_eligibility_and_capacity(fields: dict[str, Any], audience: str) -> None:
    assert list_summary_sentences(**fields)[-2] == audience


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, "everyone with an account"),
        ({"eligibility_required": True}, "students on the organizers’ list"),
        (
            {
                "eligibility_required": True,
                "conditions": [
                    {"field": "department", "value": "Chemistry"},
                    {"field": "year", "value": "2"},
                ],
            },
            "students on the organizers’ list: department = Chemistry and year = 2",
        ),
        (
            {"email_domains": ["uni.edu", "cs.uni.edu"]},
            "everyone with an account: an email address ending in @uni.edu or @cs.uni.edu",
        ),
    ],
)
def test_admission_names_the_list_its_conditions_and_domains(
    fields: dict[str, Any], sentence: str
) -> None:
    event = Event(title="Cup", **{"eligibility_required": False, "email_domains": []} | fields)
    assert describe_admission(event) == sentence


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"starts_at": STARTS_AT, "time_zone": "Asia/Kolkata"}, "Sat 28 November 2026, 15:00 IST"),
        ({"starts_at": STARTS_AT, "time_zone": "UTC"}, "Sat 28 November 2026, 09:30 UTC"),
        (
            {"starts_at": STARTS_AT, "time_zone": "UTC", "place": "Hall 3"},
            "Sat 28 November 2026, 09:30 UTC, Hall 3",
        ),
        ({"place": "Hall 3"}, "Time to be announced, Hall 3"),
    ],
)
def test_event_text_states_the_local_time_and_venue(fields: dict[str, Any], sentence: str) -> None:
    assert list_summary_sentences(**fields)[-1] == sentence


def list_format_sentences(key: str, **fields: Any) -> list[str]:
    """Return the summary's sentences about play, for an event with the format's own settings."""
    ready = READY[key]
    rules = rulesets.make(ready.ruleset or "uno-400", ready.options)
    meant = {"ruleset": rules.key, "options": rules.changed_options(), **ready.settings}
    return list_summary_sentences(key, **(meant | {"capacity": None} | fields))[1:-2]


@pytest.mark.parametrize(
    ("key", "clauses"),
    [
        (
            "turnout",
            [TO_400, f"3 rounds for everyone, then {BY_TURNOUT} play {BRACKET}", TO_FINAL],
        ),
        (
            "rounds-bracket",
            [TO_400, f"3 rounds for everyone, then the top 16 play {BRACKET}", TO_FINAL],
        ),
        ("rounds", [TO_400, "3 rounds for everyone", MAX_POINTS]),
        (
            "lowest",
            [
                LOWEST,
                "3 rounds for everyone",
                "The player with the fewest points per match over all rounds wins the event",
            ],
        ),
        (
            "knock-out",
            [
                TO_400,
                "A knockout for everyone in which the top 2 of each table advance, all the "
                "way to the "
                "final",
                "2 rounds with 8 players, 3 rounds with 16 players",
                TO_FINAL,
            ],
        ),
        (
            "challenge",
            [
                "A player who reaches 500 points is out of the match, and the last one left wins "
                "it",
                "A knockout for everyone in which the winner of each table advances, all the "
                "way to the "
                "final",
                "2 rounds with 8 players, 2 rounds with 16 players",
                TO_FINAL,
            ],
        ),
        (
            "partners",
            [
                "Partners sit across from each other and share their points",
                "There is no target: the highest total after 4 hands wins the match",
                "Rounds in which everyone partners everyone else once",
                "7 rounds with 8 players, 15 rounds with 16 players",
                MAX_POINTS,
            ],
        ),
    ],
)
def test_event_text_distinguishes_formats(key: str, clauses: list[str]) -> None:
    assert list_format_sentences(key) == clauses


def test_every_format_has_a_different_text() -> None:
    assert len({"; ".join(list_format_sentences(key)) for key in READY}) == len(READY)


@pytest.mark.parametrize(("places", "rounds"), [(8, 7), (12, 11), (16, 15)])
def test_rounds_are_estimated_from_the_capacity(places: int, rounds: int) -> None:
    assert f"{rounds} rounds with {places} players" in list_format_sentences(
        "partners", capacity=places
    )


@pytest.mark.parametrize(
    ("scoring", "fields", "clause"),
    [
        (
            "winner-takes",
            {"hand_limit": 2},
            f"{TO_400}. Unless it ends sooner, a match ends after 2 hands, and the highest "
            "total wins it",
        ),
        (
            "lowest",
            {"round_minutes": 30},
            f"{LOWEST}. Unless it ends sooner, a match ends after 30 minutes, and the lowest total "
            "wins it",
        ),
        (
            "elimination",
            {"hand_limit": 1, "round_minutes": 1},
            "A player who reaches 400 points is out of the match, and the last one left wins it. "
            "Unless it ends sooner, a match ends after 1 hand or after 1 minute, and the lowest "
            "total wins it",
        ),
    ],
)
def test_event_text_lists_other_match_limits(
    scoring: str, fields: dict[str, Any], clause: str
) -> None:
    parts = list_summary_sentences(options={"scoring": scoring}, **fields)
    assert ". ".join(parts).startswith(f"UNO to 400, tables of 4. {clause}. 3 rounds")


def test_lowest_score_without_a_target_explains_what_decides() -> None:
    parts = list_summary_sentences(options={"scoring": "lowest", "target": 0}, hand_limit=3)
    assert parts[1] == "There is no target: the lowest total after 3 hands wins the match"
