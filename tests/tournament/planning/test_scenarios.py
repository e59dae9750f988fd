"""Tests of planning an event with its own settings or in a preset format."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.factories import make_event, make_players
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.staging import make_stage, match_of, play
from tests.typed import sure
from tournament.models import Event, Registration, Table
from tournament.planning.scenarios import (
    PlanChoice,
    find_match_progress,
    make_planned_event,
    make_rest_of_day_question,
)
from tournament.pure.formats import READY
from tournament.pure.simulation.matches import MatchProgress
from tournament.pure.simulation.scenarios import PlannedEvent, PlannedStage
from tournament.results.queries import table_results
from tournament.seating.services import seat_round
from tournament.stages.outline import estimate_players

pytestmark = pytest.mark.django_db
State = Registration.State


@pytest.fixture
def event() -> Event:
    """Create an event with two rounds and a bracket.

    The turnout decides how many players advance.
    """
    found = make_event(options={"target": 300}, table_size=5, hand_limit=3, round_minutes=25)
    make_stage(found, rounds_planned=2, thresholds="9: 4", by_points=True)
    make_stage(found, 2, format="bracket", advance=1, cut_ties="lots", rounds_planned=1)
    return found


def test_scenario_defaults_to_the_event_settings(event: Event) -> None:
    assert make_planned_event(event, PlanChoice(), 12) == PlannedEvent(
        name="This event",
        players=12,
        ruleset="uno-400",
        options={"target": 300},
        table_size=5,
        hand_limit=3,
        round_minutes=25,
        parts=(
            PlannedStage(rounds=2, thresholds="9: 4", by_points=True),
            PlannedStage(format="bracket", advance=1, ties="lots"),
        ),
    )


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        ({"table_size": 3}, {"table_size": 3}),
        ({"hand_limit": 9}, {"hand_limit": 9}),
        ({"round_minutes": 40}, {"round_minutes": 40}),
        ({"target": 100}, {"options": {"target": 100}}),
        ({"format": "no such"}, {}),
    ],
)
def test_scenario_overrides_change_only_their_own_settings(
    event: Event, overrides: dict[str, Any], expected: dict[str, Any]
) -> None:
    usual = vars(make_planned_event(event, PlanChoice(), 12))
    assert vars(make_planned_event(event, PlanChoice(**overrides), 12)) == usual | expected


def describe_scenario(event: Event, key: str) -> tuple[Any, ...]:
    found = make_planned_event(event, PlanChoice(key), 12)
    return found.ruleset, found.options, found.table_size, found.hand_limit


@pytest.mark.parametrize(
    ("key", "ruleset", "options", "table_size", "hand_limit"),
    [
        ("rounds", "uno-400", {"target": 300}, 5, 3),
        ("lowest", "uno-400", {"target": 300, "scoring": "lowest"}, 5, 3),
        ("challenge", "uno-500", {"scoring": "elimination"}, 5, 3),
        ("partners", "uno-500", {"partners": True, "target": 0}, 4, 4),
        ("one-table", "uno-assignment", {}, 10, 3),
    ],
)
def test_preset_format_changes_the_rules_only_if_it_requires_other_rules(
    event: Event, key: str, ruleset: str, options: dict[str, Any], table_size: int, hand_limit: int
) -> None:
    assert describe_scenario(event, key) == (ruleset, options, table_size, hand_limit)


def test_format_for_the_event_rules_keeps_their_options(event: Event) -> None:
    event.ruleset, event.options = "uno-500", {"stacking": True}
    assert describe_scenario(event, "challenge")[:2] == (
        "uno-500",
        {"stacking": True, "scoring": "elimination"},
    )


@pytest.mark.parametrize("key", READY)
def test_preset_format_has_its_own_stages_and_name(event: Event, key: str) -> None:
    found = make_planned_event(event, PlanChoice(key), 12)
    assert found.name == READY[key].name
    assert [(part.format, part.rounds, part.rule) for part in found.parts] == [
        (plan.format, plan.rounds_planned, plan.qualify_rule) for plan in READY[key].stages
    ]


@pytest.mark.parametrize(
    ("seated", "capacity", "expected"), [(0, None, 30), (0, 12, 12), (1, 12, 12), (2, 12, 2)]
)
def test_expected_players_are_counted_or_estimated_from_the_capacity(
    seated: int, capacity: int | None, expected: int
) -> None:
    event = make_event()
    make_players(event, seated)
    event.capacity = capacity
    assert estimate_players(event) == expected


@pytest.mark.parametrize(
    ("state", "counts"),
    [
        (State.APPROVED, True),
        (State.PENDING, True),
        (State.WAITLIST, False),
        (State.REFUSED, False),
        (State.WITHDRAWN, False),
    ],
)
def test_players_without_a_spot_are_not_expected(state: str, *, counts: bool) -> None:
    event = make_event()
    players = make_players(event, 4)
    event.registrations.filter(pk=players[0].pk).update(state=state)
    assert estimate_players(event) == 3 + counts


def test_rest_of_day_is_not_planned_without_a_running_round() -> None:
    event, organizer = make_organized_event(8)
    assert make_rest_of_day_question(event, 60, 5) is None
    drawn = seat_round(first_stage(event), organizer)
    assert make_rest_of_day_question(event, 60, 5) is None
    finish_paper_round(start_drafted_round(drawn, organizer), organizer)
    assert make_rest_of_day_question(event, 60, 5) is None


def test_rest_of_day_begins_with_the_tables_in_play() -> None:
    event, organizer = make_organized_event(8, hand_limit=1)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    play(played.tables.get(number=1))
    found = sure(make_rest_of_day_question(event, 60, 5))
    assert (found.minutes, found.pause, found.begun) == (60, 5, 1)
    assert [seats for seats, _begun in found.stand] == [4]
    [rest] = found.courses
    assert (rest.players, len(rest.parts)) == (8, event.stages.count())


def get_started_match(table: Table) -> MatchProgress:
    played = table.round
    return find_match_progress(next(each for each in table_results(played) if each.table == table))


def test_table_progress_follows_from_its_hands_and_clock() -> None:
    event, organizer = make_organized_event(4, round_minutes=30, hand_limit=9)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    table = played.tables.get()
    assert get_started_match(table).hands == ()
    assert get_started_match(table).minutes == 0
    play(table, hands=2)
    match = match_of(table)
    since = sure(match.started_at) - timedelta(minutes=12)
    match.ends_at = timezone.now() + timedelta(minutes=18)
    match.started_at = since
    match.save(update_fields=["started_at", "ends_at"])
    found = get_started_match(table)
    assert len(found.hands) == 2
    assert 12 <= found.minutes < 18
    assert 17 < sure(found.left) <= 18


def test_progress_of_physical_cards_is_unknown() -> None:
    event, organizer = make_organized_event(4, round_minutes=30)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    assert get_started_match(played.tables.get()) == MatchProgress()
