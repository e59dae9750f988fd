"""The line while a stage is played: how many of how many, by which rule, what is still to come."""

import pytest

from tests.tournament.helpers import finished, first_stage, organized, started
from tests.typed import sure
from tournament.desk.queries import desk
from tournament.hall.spotlight import on_stage
from tournament.models import Event, Stage, Table, User
from tournament.planning.outlook import with_chances
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.live_tables import stages
from tournament.seating.services import seat_round
from tournament.stages.cut import CutRule
from tournament.stages.line import line, line_of
from tournament.standings.freezing import freeze
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db


def begun(players: int, **stage: object) -> tuple[Event, User, list[Table]]:
    """An event whose first round is being played on paper."""
    event, organizer = organized(players)
    Stage.objects.filter(event=event, number=1).update(**{"rounds_planned": 1, **stage})
    played = started(seat_round(first_stage(event), organizer), organizer)
    return Event.objects.get(), organizer, list(played.tables.order_by("number"))


def sentence(event: Event) -> str:
    return sure(line_of(stage_results(event, public=True))).sentence


def test_before_the_first_table_plays_there_is_no_line() -> None:
    assert line_of(stage_results(organized(8)[0], public=True)) is None


def test_turnout_is_told_with_its_own_step_and_the_next() -> None:
    event, organizer, tables = begun(18, thresholds="17: 8, 33: 16, 65: 25 %")
    turnout = "8 places: 8 from 17 players on and 16 from 33 players on."
    assert sentence(event) == f"18 players, 18 take part, {turnout} 5 tables still play."
    for table in tables[:-1]:
        enter_result(table, organizer, [90, 0, 0, 0][: table.seats.count()], "", override=True)
    number = tables[-1].number
    assert sentence(event).endswith(f" Table {number} still plays.")
    enter_result(tables[-1], organizer, [90, 0, 0][: tables[-1].seats.count()], "", override=True)


def test_who_never_sat_down_has_a_place_and_took_no_part() -> None:
    event, organizer = organized(9)
    Stage.objects.filter(number=1).update(rounds_planned=1, qualify_rule="number", qualify_value=2)
    event.registrations.filter(queue_number=9).update(absent_at=event.created_at)
    finished(started(seat_round(first_stage(event), organizer), organizer), organizer)
    told = sentence(Event.objects.get())
    assert told.startswith("9 players, 8 took part, 2 places: the best of the standings.")


def test_rounds_to_come_are_told_and_who_comes_to_them_takes_part() -> None:
    event, _organizer, _tables = begun(
        8, rounds_planned=3, qualify_rule="share", qualify_value=50, min_matches=3
    )
    assert sentence(event) == (
        "8 players, 8 take part, 4 places: the best 50 % of those who took part. "
        "Tables 1 and 2 still play. 2 rounds are still to come."
    )


def test_too_few_for_a_second_round_read_from_how_many_there_is_one() -> None:
    event, _organizer, _tables = begun(8, thresholds="17: 8")
    assert sentence(event).startswith("8 players, 8 take part, no place: 8 from 17 players on.")


def test_best_of_each_table_has_no_line_among_the_standings() -> None:
    event, _organizer, tables = begun(8, qualify_rule="top_k", qualify_value=2)
    found = sure(line_of(stage_results(event, public=True)))
    assert found.outcome.places == 2 * len(tables)
    assert found.above([each.player for each in found.outcome.decisions]) == 0
    assert "4 places: the best 2 of each table." in found.sentence


def test_who_is_level_for_the_last_place_is_told_of() -> None:
    event, organizer, tables = begun(8, qualify_rule="number", qualify_value=1, cut_ties="hand")
    for table in tables:
        enter_result(table, organizer, [90, 0, 0, 0], "", override=True)
    assert "2 are level and play a hand for what is left of the places." in sentence(event)
    Stage.objects.filter(number=1).update(cut_ties="together")
    assert "Who share the last place would all go through." in sentence(Event.objects.get())


def test_after_a_freeze_the_public_is_not_told_what_still_plays() -> None:
    event, organizer, _tables = begun(8, qualify_rule="number", qualify_value=1)
    freeze(event, organizer)
    found = sure(line_of(stage_results(Event.objects.get(), public=True)))
    assert (found.settled, found.sentence) == (
        False,
        "8 players, 8 take part, 1 place: the best of the standings.",
    )
    assert "still play" in sure(line_of(stage_results(Event.objects.get(), public=False))).sentence


def test_a_rule_that_is_tried_has_a_line_of_its_own_and_one_without_sense_none() -> None:
    event, _organizer, _tables = begun(8)
    results = stage_results(first_stage(event))
    assert sure(line(results, CutRule("number", 3, "together", 1))).outcome.places == 3
    assert line(results, CutRule("number", 0, "together", 1)) is None


def test_the_overview_the_leaderboard_and_the_desk_say_the_same() -> None:
    event, organizer = organized(34)
    event.registrations.filter(queue_number__gt=32).update(absent_at=event.created_at)
    Stage.objects.filter(event=event, number=1).update(rounds_planned=1, thresholds="17: 8")
    played = started(seat_round(first_stage(event), organizer), organizer)
    for still in ("8 tables still play.", "8 would go through; the organizers confirm."):
        event = Event.objects.get()
        told = sentence(event)
        rule = "8 places: 8 from 17 players on."
        took = "32 take part" if "play" in still else "32 took part"
        assert told == f"34 players, {took}, {rule} {still}"
        overview = sure(on_stage(event, stages(event))).line
        board = with_chances(leaderboard(event), public=True).line
        desks = next(step for step in desk(event) if step.key == "qualify").text
        assert [overview, board, desks] == [told] * 3
        if played.state == "running":
            played = finished(played, organizer)
