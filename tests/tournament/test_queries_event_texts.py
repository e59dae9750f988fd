"""What an event is, in one sentence, from values alone."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tournament.formats import READY
from tournament.models import Event
from tournament.queries.event_texts import in_one_sentence

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
    rules, rounds, who, when = told()
    assert rules.endswith(" at tables of 4")
    assert (rounds, who) == ("3 rounds that everybody plays", ANYBODY)
    assert when == "at a time to be announced"


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
    assert told(**fields)[2] == who


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
    assert told(**fields)[3] == when


@pytest.mark.parametrize("key", READY)
def test_every_ready_format_makes_one_sentence(key: str) -> None:
    assert len(told(key)) == 4
