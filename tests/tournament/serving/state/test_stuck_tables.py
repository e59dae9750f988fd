"""Stuck tables and their reasons, and the command that prints the site's status."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from games.json_values.state import LogNote
from games.models import Match
from games.process import Process
from games.services import start_match
from tests.games.helpers import make_match
from tests.tournament.staging import first_table, match_of, organizer_of, running_round
from tournament.models import Round
from tournament.rounds.services import pause
from tournament.serving.state.stuck_tables import find_stuck_tables

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def list_stuck_reasons() -> list[str]:
    return [table.why for table in find_stuck_tables(timezone.now())]


def set_clock_times(match: Match, **seconds: int) -> None:
    """Set times of the match's clock, in seconds from now."""
    now = timezone.now()
    moments = {name: now + timedelta(seconds=number) for name, number in seconds.items()}
    Match.objects.filter(pk=match.pk).update(**moments)


@pytest.fixture
def started_round() -> Round:
    return running_round(4)


@pytest.fixture
def match(started_round: Round) -> Match:
    return match_of(first_table(started_round))


def test_no_table_is_stuck_during_normal_play(match: Match) -> None:
    assert list_stuck_reasons() == []


@pytest.mark.parametrize(
    "seconds",
    [{"due": -16}, {"due": 20, "turn_until": -16}],
    ids=["unchecked clock", "failed clock with a later retry"],
)
def test_report_on_an_overdue_clock_refers_to_the_log(
    match: Match, seconds: dict[str, int]
) -> None:
    set_clock_times(match, **seconds)
    [table] = find_stuck_tables(timezone.now())
    event = match.event_table.round.stage.event
    assert table.name == f"{event}, {match.event_table}"
    log = f"it cannot continue: the log gives the reason under “Match {match.pk}”"
    assert (table.match, table.why) == (match.pk, log)


def test_recently_expired_clock_is_not_reported(match: Match) -> None:
    set_clock_times(match, due=-10, turn_until=-10)
    assert list_stuck_reasons() == []


def test_organizer_pause_is_reported_with_its_start(started_round: Round, match: Match) -> None:
    pause(started_round, organizer_of(started_round.stage.event))
    [reason] = list_stuck_reasons()
    assert reason.startswith("paused since ")


def test_deserted_table_is_reported_as_waiting_for_its_players(match: Match) -> None:
    state = replace(match.state, deserted=True)
    Match.objects.filter(pk=match.pk).update(state=state, paused_at=timezone.now())
    assert list_stuck_reasons() == ["no players are there: it continues once one of them is back"]


def test_damaged_deal_is_reported(match: Match) -> None:
    state = replace(match.state, notes=(LogNote(0, 0, "damaged"),))
    moment = timezone.now()
    Match.objects.filter(pk=match.pk).update(state=state, paused_at=moment, phase="playing")
    assert list_stuck_reasons() == [
        "its deal is damaged in the database: redeal the hand on the table's page"
    ]


def test_abandoned_practice_is_not_reported() -> None:
    practice = start_match(make_match())
    Match.objects.filter(pk=practice.pk).update(paused_at=timezone.now())
    assert list_stuck_reasons() == []
    Match.objects.filter(pk=practice.pk).update(paused_at=None)
    set_clock_times(practice, due=-20)
    assert [table.name for table in find_stuck_tables(timezone.now())] == ["Practice"]


def test_command_prints_the_status_and_the_stuck_tables(
    process: Process, match: Match, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("site_state")
    printed = capsys.readouterr().out
    assert "\n  Tables: 1 table is in play. Every clock is on time.\n" in printed
    assert printed.endswith("\nNo tables are stuck.\n")
    set_clock_times(match, due=20, turn_until=-20)
    call_command("site_state")
    printed = capsys.readouterr().out
    assert "\n! Tables: 1 table is in play. 1 is stuck: " in printed
    assert f"\nTables that are stuck:\n  {match.event_table.round.stage.event}, " in printed
    assert f" (match {match.pk}): it cannot continue: " in printed
