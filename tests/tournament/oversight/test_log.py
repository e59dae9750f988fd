"""Tests of filters for the activity log, and of the changed values in its entries."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.factories import make_event, make_user
from tests.guards import open_unguarded_cursor
from tournament.models import AuditEntry, Event, Registration, Round, Stage, Table, User
from tournament.oversight.desk_log import add_entry
from tournament.oversight.log import (
    LogFilter,
    list_actions,
    list_actors,
    list_changed_fields,
    mentions,
    select_entries,
)

pytestmark = [pytest.mark.sql, pytest.mark.event()]

STAGE = Stage(number=2)
ROUND = Round(pk=7, stage=STAGE, number=3)
FINAL = Round(pk=8, stage=STAGE, number=3, is_final=True)
TABLE = Table(pk=40, round=ROUND, number=4)
ASHA = Registration(pk=12)


@pytest.mark.parametrize(
    ("facts", "part", "fits"),
    [
        ({}, None, True),
        ({}, ROUND, False),
        ({"stage": 2, "round": 3}, ROUND, True),
        ({"stage": 2, "round": 3, "final": False}, ROUND, True),
        ({"stage": 2, "round": 3, "final": True}, ROUND, False),
        ({"stage": 2, "round": 3, "final": True}, FINAL, True),
        ({"stage": 2, "round": 3}, FINAL, False),
        ({"stage": 1, "round": 3}, ROUND, False),
        ({"stage": 2, "round": 7}, ROUND, False),  # with a stage, "round" is a number
        ({"stage": 2}, ROUND, False),
        ({"round": 7}, ROUND, True),  # without a stage, "round" is a key
        ({"round": 3}, ROUND, False),
        ({"stage": 2, "round": 3, "table": 4}, ROUND, True),
        ({"stage": 2, "round": 3, "table": 4}, TABLE, True),
        ({"stage": 2, "round": 3, "table": 5}, TABLE, False),
        ({"stage": 2, "round": 3, "table": 40}, TABLE, False),
        ({"stage": 2, "round": 3}, TABLE, False),
        ({"round": 7, "table": 4}, TABLE, True),
        ({"table": 40}, TABLE, True),  # alone, "table" is a key
        ({"table": 4}, TABLE, False),
    ],
)
def test_entry_mentions_a_round_or_table_by_number_or_key(
    facts: dict[str, Any], part: Round | Table | None, *, fits: bool
) -> None:
    assert mentions(facts, part, None) is fits


@pytest.mark.parametrize(
    ("facts", "fits"),
    [
        ({}, False),
        ({"registration": 12}, True),
        ({"registration": 13}, False),
        ({"user": 12}, False),
        *[
            ({key: [11, 12]}, True)
            for key in ("players", "order", "through", "winners", "registrations", "in", "out")
        ],
        ({"players": [11, 13]}, False),
        ({"points": [12, 0]}, False),  # points are not keys of registrations
        ({"players": "12"}, False),
        ({"registration": 11, "in": [12]}, True),
    ],
)
def test_entry_mentions_a_player_alone_or_in_a_list(facts: dict[str, Any], *, fits: bool) -> None:
    assert mentions(facts, None, ASHA) is fits


def test_entry_must_mention_both_the_round_and_the_player() -> None:
    both = {"stage": 2, "round": 3, "registration": 12}
    assert mentions(both, ROUND, ASHA)
    assert not mentions(both, FINAL, ASHA)
    assert not mentions(both | {"registration": 13}, ROUND, ASHA)


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, []),
        ({"points": [1, 2]}, []),  # entered for the first time, so there is no earlier value
        ({"before": [1, 2]}, []),
        ({"before": [1, 2], "points": [3, -4]}, [("Points", "1, 2", "3, -4")]),
        ({"before": [], "points": []}, [("Points", "", "")]),
        ({"before": 1, "points": [3]}, []),
        ({"changes": "many"}, []),
        (
            {"changes": [{"field": "title", "before": "A", "after": "B"}]},
            [("title", "A", "B")],
        ),
        (
            {
                "changes": [{"field": "title", "before": "A", "after": "B"}],
                "before": [1],
                "points": [2],
            },
            [("title", "A", "B"), ("Points", "1", "2")],
        ),
    ],
)
def test_changed_fields_are_listed_if_both_values_are_recorded(
    facts: dict[str, Any], expected: list[tuple[str, str, str]]
) -> None:
    found = list_changed_fields(facts, "Points")
    assert [(each["field"], each["before"], each["after"]) for each in found] == expected


# -- filters -----------------------------------------------------------------------------------

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)


@pytest.fixture
def asha() -> User:
    return make_user("Asha")


@pytest.fixture
def rows(event: Event, asha: User) -> list[AuditEntry]:
    """Create three log entries, an hour apart. The site is the actor of the last one."""
    message = [
        (asha, "rename", "Ben is now called Bela.", "Misspelt."),
        (asha, "close", "Closed Round 1.", ""),
        (None, "moved-up", "Chen moved up.", ""),
    ]
    made = [
        add_entry(event, who, action, text, reason, {}) for who, action, text, reason in message
    ]
    with open_unguarded_cursor():
        for number, row in enumerate(made):
            AuditEntry.objects.filter(pk=row.pk).update(at=NOON + timedelta(hours=number))
    add_entry(make_event(), asha, "other", "Elsewhere.", "", {})
    return made


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("filters", "numbers"),
    [
        ({}, [2, 1, 0]),
        ({"person": "site"}, [2]),
        ({"action": "close"}, [1]),
        ({"action": "clo"}, []),
        ({"person": "site", "action": "close"}, []),
        ({"person": "site", "action": "moved-up"}, [2]),
        ({"part": ROUND}, []),
        ({"words": "bela"}, [0]),
        ({"words": "MISSPELT"}, [0]),
        ({"words": "o"}, [2, 1, 0]),
        ({"words": "100%"}, []),
        ({"since": NOON + timedelta(hours=1)}, [2, 1]),
        ({"until": NOON + timedelta(hours=1)}, [0]),
        ({"since": NOON, "until": NOON}, []),
        ({"action": "close", "words": "bela"}, []),
        ({"player": ASHA}, []),
    ],
)
def test_filter_selects_matching_entries(
    event: Event, rows: list[AuditEntry], filters: dict[str, Any], numbers: list[int]
) -> None:
    assert list(select_entries(event, LogFilter(**filters))) == [rows[number] for number in numbers]


@pytest.mark.django_db
def test_person_is_filtered_by_the_key_of_the_account(
    event: Event, rows: list[AuditEntry], asha: User
) -> None:
    assert list(select_entries(event, LogFilter(person=str(asha.pk)))) == [rows[1], rows[0]]
    assert list(select_entries(event, LogFilter(person=str(make_user().pk)))) == []


@pytest.mark.django_db
def test_only_actors_and_actions_in_the_events_log_are_listed(
    event: Event, rows: list[AuditEntry], asha: User
) -> None:
    assert list_actors(event) == [(str(asha.pk), str(asha))]
    assert list_actions(event) == ["close", "moved-up", "rename"]
    assert (list_actors(make_event()), list_actions(make_event())) == ([], [])
