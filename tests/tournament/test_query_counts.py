"""Tests that organizers' pages and previews need no more queries for more tables."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.organizing import page
from tournament.advancing.services import preview_cut
from tournament.attendance.services import check_in
from tournament.corrections.points import preview_result
from tournament.models import Event, Round
from tournament.results.stages import stage_results
from tournament.rounds.services import start_round
from tournament.seating.services import publish_round, seat_round
from tournament.stages.cut import CutRule

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.patient]

RULE = {"qualify_rule": "number", "qualify_value": "2", "cut_ties": "lots", "min_matches": "1"}


def count_queries(call: Callable[..., Any], *args: Any) -> int:
    with CaptureQueriesContext(connection) as captured:
        call(*args)
    return len(captured)


def start_full_tables(tables: int, *, paper: bool) -> Round:
    event, organizer = make_organized_event(4 * tables)
    return start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=paper)


def sign_in_organizer(event: Event) -> Client:
    client = Client()
    client.force_login(event.organizers.get())
    return client


def count_queries_during_a_round(tables: int) -> dict[str, int]:
    event = start_full_tables(tables, paper=False).stage.event
    client = sign_in_organizer(event)
    names = ("control", "desk", "standings")
    return {name: count_queries(client.get, page(name, event)) for name in names}


def count_queries_after_a_round(tables: int) -> dict[str, int]:
    first = start_full_tables(tables, paper=True)
    event = first.stage.event
    organizer = event.organizers.get()
    finish_paper_round(first, organizer)
    client, stage, table = sign_in_organizer(event), first_stage(event), first.tables.first()
    names = ("qualify", "desk", "standings")
    counts = {name: count_queries(client.get, page(name, event)) for name in names}
    rule = CutRule("number", 2, "lots", 1)
    through = ",".join(map(str, preview_cut(stage_results(stage), rule).through))
    confirm = RULE | {"action": "confirm", "sure": "yes", "through": through}
    return counts | {
        "try a rule": count_queries(client.get, page("qualify", event), RULE),
        "correct points": count_queries(
            preview_result, table, organizer, [0, 100, 200, 300], "Swapped."
        ),
        "confirm": count_queries(client.post, page("qualify", event), confirm),
        "bracket": count_queries(client.get, page("bracket", event)),
        "and then the desk": count_queries(client.get, page("desk", event)),
    }


def test_query_count_is_independent_of_tables_during_a_round() -> None:
    assert count_queries_during_a_round(30) == count_queries_during_a_round(1)


def test_query_count_is_independent_of_tables_after_a_round() -> None:
    assert count_queries_after_a_round(30) == count_queries_after_a_round(1)


def count_shared_reads_at_start(tables: int) -> int:
    """Count the SELECT queries that start a round, without those for a single match."""
    event, organizer = make_organized_event(4 * tables)
    played = publish_round(seat_round(first_stage(event), organizer), organizer)
    with CaptureQueriesContext(connection) as captured:
        start_round(played, organizer)
    reads = [each["sql"] for each in captured if each["sql"].startswith("SELECT")]
    return sum(not re.search(r'FROM "games_(match|hand|seat)"', each) for each in reads)


def test_starting_a_round_reads_shared_data_once() -> None:
    assert count_shared_reads_at_start(5) == count_shared_reads_at_start(1)


def test_cut_page_loads_the_results_once() -> None:
    event = start_full_tables(2, paper=True).stage.event
    finish_paper_round(event.stages.get(number=1).rounds.get(), event.organizers.get())
    with CaptureQueriesContext(connection) as captured:
        sign_in_organizer(event).get(page("qualify", event), RULE)
    asked = [query["sql"] for query in captured]
    for table in ("tournament_table", "tournament_tableseat", "tournament_result", "games_hand"):
        assert sum(f'FROM "{table}"' in sql for sql in asked) <= 1, table


def test_desk_counts_registrations_once() -> None:
    event = start_full_tables(2, paper=False).stage.event
    client = sign_in_organizer(event)
    with CaptureQueriesContext(connection) as captured:
        client.get(page("desk", event))
    asked = [query["sql"] for query in captured]
    counts = [s for s in asked if "COUNT(" in s and 'FROM "tournament_registration"' in s]
    # One query counts the registrations by state, and the menu counts only pending registrations.
    assert [("GROUP BY" in sql) for sql in counts] == [True, False]


def count_presence_queries(players: int) -> dict[str, int]:
    """Return the query counts of the presence pages, with half the players checked in."""
    event, organizer = make_organized_event(players, check_in=True)
    check_in(event.registrations.all()[: players // 2], organizer)
    client = sign_in_organizer(event)
    return {
        name: count_queries(client.get, page(name, event))
        for name in ("check-in", "door", "absentees")
    }


def test_query_count_of_attendance_pages_is_independent_of_people() -> None:
    assert count_presence_queries(4) == count_presence_queries(40)


# Django loads the targets of foreign keys with a chain of such conditions. SQLite accepts at most a
# thousand conditions.
REPEATED_ID = re.compile(r'"id" = \S+ OR \S+"id" = ')


def test_large_key_lists_stay_within_the_sqlite_limit() -> None:
    with CaptureQueriesContext(connection) as captured:
        playing = start_full_tables(2, paper=False)
        client = sign_in_organizer(playing.stage.event)
        for part in ("", "names", "sheets"):
            address = page("print", playing.stage.event)
            assert client.get(address, {"part": part}).status_code == 200
        for name in ("round", "control", "desk", "standings"):
            rest = [playing.pk] if name == "round" else []
            assert client.get(page(name, playing.stage.event, *rest)).status_code == 200
    assert [query["sql"] for query in captured if REPEATED_ID.search(query["sql"])] == []
