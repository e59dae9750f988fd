"""Records of pauses and outages, and extra time, which all delay the end of a round."""

from copy import deepcopy
from datetime import timedelta

import pytest
from django.utils import timezone

from games import services as games
from games.models import Match, Outage
from games.store import load
from games.tables.notes import note_text
from tests.factories import UNREACHABLE_TARGET
from tests.tournament.helpers import get_refusal_code
from tests.tournament.staging import first_table, match_of, organizer_of, play, running_round
from tests.typed import sure
from tournament.models import AuditEntry, Interruption, Round, Table, User
from tournament.rounds.interruptions import find_round_end, find_table_end, list_interruptions
from tournament.rounds.pauses import extend_turn, give_minutes, record_outage
from tournament.rounds.services import pause, resume

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(scope="module")
def shared_round(shared_rows: None) -> Round:
    """Provide a running round of 30 minutes with two tables."""
    return running_round(8, round_minutes=30, options=UNREACHABLE_TARGET)


@pytest.fixture
def started_round(shared_round: Round) -> Round:
    return deepcopy(shared_round)


@pytest.fixture
def organizer(started_round: Round) -> User:
    return organizer_of(started_round.stage.event)


def list_recorded_interruptions() -> list[tuple[bool, bool, str]]:
    """Return, for each interruption, whether it affects one table, whether it is over, and why."""
    rows = Interruption.objects.order_by("pk")
    return [(row.table is not None, row.ended_at is not None, row.reason) for row in rows]


def list_notes(table: Table) -> list[str]:
    """Return the notes in the log of the current hand, without the moves."""
    live = load(match_of(table).pk)
    return [note_text(note, live) for note in live.match.state.notes]


def minutes_delta(minutes: float) -> timedelta:
    return timedelta(minutes=minutes)


def test_pause_of_a_round_ends_when_all_tables_have_resumed(
    started_round: Round, organizer: User
) -> None:
    pause(started_round, organizer, reason="The network is down.")
    assert list_recorded_interruptions() == [(False, False, "The network is down.")]
    tables = list(started_round.tables.order_by("number"))
    resume(started_round, organizer, tables[0])
    assert list_recorded_interruptions() == [(False, False, "The network is down.")]
    resume(started_round, organizer, tables[1])
    assert list_recorded_interruptions() == [(False, True, "The network is down.")]


def test_pause_of_a_single_table_is_recorded_separately(
    started_round: Round, organizer: User
) -> None:
    table = first_table(started_round)
    pause(started_round, organizer, table)
    pause(started_round, organizer)
    resume(started_round, organizer, table)
    assert list_recorded_interruptions() == [(True, True, ""), (False, False, "")]
    resume(started_round, organizer)
    assert list_recorded_interruptions() == [(True, True, ""), (False, True, "")]


def test_resuming_an_unpaused_table_changes_nothing(started_round: Round, organizer: User) -> None:
    assert resume(started_round, organizer) == 0
    assert (list_recorded_interruptions(), AuditEntry.objects.filter(action="resumed").count()) == (
        [],
        0,
    )


def test_time_lost_to_an_outage_without_a_pause_is_restored(
    started_round: Round, organizer: User
) -> None:
    now = timezone.now()
    Round.objects.update(started_at=now - minutes_delta(20))
    before = sure(match_of(first_table(started_round)).ends_at)
    record_outage(
        started_round, organizer, now - minutes_delta(12), now - minutes_delta(8), "No power."
    )
    assert sure(match_of(first_table(started_round)).ends_at) - before == minutes_delta(4)
    (row,) = list_interruptions(started_round.stage.event)
    assert (row.where, row.why, row.by, row.time) == (
        "All tables of Round 1",
        "No power.",
        str(organizer),
        minutes_delta(4),
    )
    text = "An organizer extended the round at this table by 4 min."
    assert list_notes(first_table(started_round)) == [text]


def test_outage_must_lie_within_the_running_round(started_round: Round, organizer: User) -> None:
    now = timezone.now()
    Round.objects.update(started_at=now - minutes_delta(10))
    started_round.refresh_from_db()
    for began, ended in [(-11, -5), (-5, -5), (-5, -6), (-1, 1)]:
        times = now + minutes_delta(began), now + minutes_delta(ended)
        assert (
            get_refusal_code(record_outage, started_round, organizer, *times, "Power.") == "times"
        )
    assert (
        get_refusal_code(
            record_outage,
            started_round,
            organizer,
            now - minutes_delta(2),
            now - minutes_delta(1),
            " ",
        )
        == "no-reason"
    )
    Round.objects.update(state=Round.State.CLOSED)
    assert (
        get_refusal_code(
            record_outage,
            started_round,
            organizer,
            now - minutes_delta(2),
            now - minutes_delta(1),
            "P.",
        )
        == "state"
    )


def test_interruptions_include_outages_of_the_site(started_round: Round, organizer: User) -> None:
    now = timezone.now()
    Round.objects.update(started_at=now - minutes_delta(10))
    Outage.objects.create(
        after=now - minutes_delta(60), began=now - minutes_delta(60), away=30, step=0
    )
    Outage.objects.create(
        after=now - minutes_delta(5), began=now - minutes_delta(5), away=90, step=0
    )
    pause(started_round, organizer)
    shown = [(row.why, row.ended is None) for row in list_interruptions(started_round.stage.event)]
    assert shown == [("Pause", True), ("The site was down", False)]


def test_outages_and_extra_minutes_delay_the_end_of_a_table(
    started_round: Round, organizer: User
) -> None:
    now, table = timezone.now(), first_table(started_round)
    Round.objects.update(started_at=now - minutes_delta(20), ends_at=now + minutes_delta(10))
    record_outage(
        started_round, organizer, now - minutes_delta(12), now - minutes_delta(8), "No power."
    )
    Outage.objects.create(
        after=now - minutes_delta(5), began=now - minutes_delta(5), away=120, step=0
    )
    give_minutes(table, organizer, 3)
    table = Table.objects.select_related("round").get(pk=table.pk)
    assert find_table_end(table, find_round_end(table.round)) == now + minutes_delta(10 + 4 + 2 + 3)
    Round.objects.update(ends_at=None)
    assert find_table_end(table, find_round_end(Round.objects.get())) is None


def test_extra_minutes_extend_the_round_only_for_that_table(
    started_round: Round, organizer: User
) -> None:
    ends = [sure(match_of(table).ends_at) for table in started_round.tables.order_by("number")]
    give_minutes(first_table(started_round), organizer, 5)
    now = [sure(match_of(table).ends_at) for table in started_round.tables.order_by("number")]
    assert [after - before for before, after in zip(ends, now, strict=True)] == [
        minutes_delta(5),
        minutes_delta(0),
    ]
    assert AuditEntry.objects.get(action="minutes").data["minutes"] == 5


def test_extra_turn_time_applies_only_to_the_current_turn(
    started_round: Round, organizer: User
) -> None:
    match = match_of(first_table(started_round))
    extend_turn(first_table(started_round), organizer, 30)
    after = Match.objects.get(pk=match.pk)
    assert sure(after.turn_until) - sure(match.turn_until) == timedelta(seconds=30)
    assert list(after.seats.values_list("extra_seconds", flat=True)) == [0, 0, 0, 0]
    (line,) = list_notes(first_table(started_round))
    assert line.endswith("30 s extra for this turn.")


def test_invalid_extra_time_is_refused(started_round: Round, organizer: User) -> None:
    table = first_table(started_round)
    assert get_refusal_code(give_minutes, table, organizer, 0) == "minutes"
    assert get_refusal_code(extend_turn, table, organizer, 1) == "seconds-range"
    play(table, 1)
    assert get_refusal_code(extend_turn, table, organizer, 30) == "no-turn"
    games.abandon_match(match_of(table), "The hall closes.")
    assert get_refusal_code(give_minutes, table, organizer, 5) == "over"
    Table.objects.filter(pk=table.pk).update(match=None)
    table.refresh_from_db()
    assert get_refusal_code(extend_turn, table, organizer, 30) == "state"
    Table.objects.filter(pk=table.pk).update(paper=True)
    assert get_refusal_code(give_minutes, table, organizer, 5) == "paper"


def test_match_without_a_time_limit_cannot_be_extended() -> None:
    free = running_round(4)
    assert (
        get_refusal_code(give_minutes, first_table(free), organizer_of(free.stage.event), 5)
        == "no-end"
    )
