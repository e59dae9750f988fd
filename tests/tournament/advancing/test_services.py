import pytest

from games import services as games
from tests.factories import make_user
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tests.tournament.staging import match_of
from tests.typed import sure
from tournament.advancing.services import (
    announce_winner,
    draw_bracket,
    preview_cut,
    qualify,
    reopen_event,
    undo_qualify,
)
from tournament.desk.queries import list_desk_steps
from tournament.models import Event, Qualifier, Round, Stage, User
from tournament.registration.services import register, withdraw
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round
from tournament.seating.changes import change_seats
from tournament.seating.services import publish_round, seat_round
from tournament.stages import winners
from tournament.stages.cut import CutRule
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db

TOP_EIGHT = CutRule("number", 8, "lots", 1)


def list_names(rows: list[int], event: Event) -> list[str]:
    by_id = dict(event.registrations.values_list("pk", "name"))
    return [by_id[pk] for pk in rows]


def test_whole_event_with_bots_runs_from_registration_to_winner() -> None:
    """Check a whole event in which bots play for everyone.

    Sixteen players play two rounds. Eight of them advance to a semi-final and a final.
    """
    event, organizer = make_organized_event(
        16, table_size=4, hand_limit=1, fill_with_bots=True, options={"target": 100}
    )
    stage = first_stage(event)
    for _ in range(2):
        played = start_drafted_round(seat_round(stage, organizer), organizer, paper=False)
        for table in played.tables.select_related("match"):
            games.play_out(match_of(table))
        close_round(played, organizer)
    outcome = preview_cut(stage_results(stage), TOP_EIGHT)
    qualify(stage, organizer, TOP_EIGHT, outcome.through)
    second = event.stages.get(number=2)
    rounds: list[Round] = []
    while not (rounds and rounds[-1].is_final):
        rounds.append(start_drafted_round(draw_bracket(second, organizer), organizer, paper=False))
        for table in rounds[-1].tables.select_related("match"):
            games.play_out(match_of(table))
        close_round(rounds[-1], organizer)
    assert [played.title for played in rounds] == ["Semi-final", "Final"]
    assert winners.winner(event) is None
    announced = announce_winner(event, organizer)
    event.refresh_from_db()
    final = rounds[-1].tables.get()
    sitting = [seat.registration for seat in final.seats.all()]
    assert announced.registration in sitting
    assert (event.state, winners.winner(event)) == ("finished", announced)
    assert [step.state for step in list_desk_steps(event)] == ["done"] * 7


def test_bots_get_no_seats_in_a_bracket() -> None:
    event, organizer = make_organized_event(
        7, table_size=4, hand_limit=1, fill_with_bots=True, options={"target": 100}
    )
    stage = first_stage(event)
    played = start_drafted_round(seat_round(stage, organizer), organizer, paper=False)
    assert [table.seats.exclude(bot="").count() for table in played.tables.all()] == [0, 1]
    for table in played.tables.select_related("match"):
        games.play_out(match_of(table))
    close_round(played, organizer)
    six = CutRule("number", 6, "lots", 1)
    qualify(stage, organizer, six, preview_cut(stage_results(stage), six).through)
    drawn = draw_bracket(event.stages.get(number=2), organizer)
    tables = [list(table.seats.values_list("bot", flat=True)) for table in drawn.tables.all()]
    assert tables == [[""] * 3, [""] * 3]


@pytest.mark.parametrize(
    ("rule", "through"),
    [
        (CutRule("number", 5, "lots", 1), 5),
        (CutRule("share", 25, "lots", 1), 5),
        (CutRule("top_k", 2, "lots", 1), 10),
        (CutRule("thresholds", 0, "lots", 1), 8),
        (CutRule("number", 4, "together", 1), 5),
    ],
)
def test_each_rule_advances_the_expected_number(rule: CutRule, through: int) -> None:
    event, organizer = make_organized_event(20)
    # five tables of four: five winners with 400 points
    stage = play_first_round(event, organizer)
    assert len(preview_cut(stage_results(stage), rule).through) == through


def test_playoffs_and_reasons_name_the_tables_by_number() -> None:
    event, organizer = make_organized_event(12)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    for number in (1, 3):
        enter_result(played.tables.get(number=number), organizer, [400, 0, 50, 50])
    close_round(played, organizer, "Table 2 went home.")
    waiting = preview_cut(stage_results(first_stage(event)), CutRule("top_k", 2, "hand", 1))
    assert [str(play.where) for play in waiting.playoffs] == ["at table 1", "at table 3"]
    best = sure(played.tables.get(number=3).seats.get(number=0).registration_id)
    result = {d.player: d.sentence for d in waiting.decisions}
    assert result[best] == "1st at table 3. The top 2 advance."


def test_cut_rule_that_lets_no_one_advance_is_refused() -> None:
    event, organizer = make_organized_event(8)
    stage = play_first_round(event, organizer)
    assert (
        get_refusal_code(preview_cut, stage_results(stage), CutRule("share", 0, "lots", 1))
        == "rule"
    )


def test_qualification_requires_closed_rounds() -> None:
    event, organizer = make_organized_event(8)
    stage = first_stage(event)
    assert get_refusal_code(qualify, stage, organizer, TOP_EIGHT, ()) == "open-round"
    start_drafted_round(seat_round(stage, organizer), organizer)
    assert get_refusal_code(qualify, stage, organizer, TOP_EIGHT, ()) == "open-round"


def test_outdated_qualification_preview_is_refused() -> None:
    event, organizer = make_organized_event(8)
    stage = play_first_round(event, organizer)
    rule = CutRule("number", 4, "lots", 1)
    before = preview_cut(stage_results(stage), rule).through
    table = stage.rounds.get().tables.get(number=1)
    enter_result(table, organizer, [0, 0, 0, 500], "The sheet was upside down.")
    assert get_refusal_code(qualify, stage, organizer, rule, before) == "changed"
    assert Qualifier.objects.count() == 0


def test_qualification_closes_the_stage_and_seeds_the_next() -> None:
    event, organizer = make_organized_event(16)
    second = make_second_stage(event, organizer, 8)
    assert first_stage(event).state == "closed"
    assert [q.seed for q in second.qualifiers.all()] == list(range(1, 9))
    board = [row.registration.pk for row in leaderboard(event, first_stage(event)).rows]
    assert {q.registration_id for q in second.qualifiers.all()} <= set(board[:8])
    assert get_refusal_code(qualify, first_stage(event), organizer, TOP_EIGHT, ()) == "state"


def test_qualification_can_be_undone_until_the_next_stage_is_published() -> None:
    event, organizer = make_organized_event(16)
    second = make_second_stage(event, organizer, 8)
    played = draw_bracket(second, organizer)
    assert get_refusal_code(undo_qualify, first_stage(event), organizer, "") == "no-reason"
    undo_qualify(first_stage(event), organizer, "Two results were missing.")
    assert (second.qualifiers.count(), Round.objects.filter(pk=played.pk).exists()) == (0, False)
    stage = first_stage(event)
    qualify(stage, organizer, TOP_EIGHT, preview_cut(stage_results(stage), TOP_EIGHT).through)
    publish_round(draw_bracket(second, organizer), organizer)
    assert get_refusal_code(undo_qualify, first_stage(event), organizer, "Why") == "begun"


def test_bracket_uses_snake_seeding() -> None:
    event, organizer = make_organized_event(20)
    second = make_second_stage(event, organizer, 8)
    played = draw_bracket(second, organizer)
    seeds = {q.registration_id: q.seed for q in second.qualifiers.all()}
    tables = [
        [seeds[seat.registration_id] for seat in table.seats.all() if seat.registration_id]
        for table in played.tables.all()
    ]
    assert tables == [[1, 4, 5, 8], [2, 3, 6, 7]]
    assert str(played.seating.plan).startswith("Semi-final: 2 tables of 4")


def test_top_two_of_each_table_meet_in_the_final() -> None:
    event, organizer = make_organized_event(16)
    second = make_second_stage(event, organizer, 8)
    first = finish_paper_round(
        start_drafted_round(draw_bracket(second, organizer), organizer), organizer
    )
    final = draw_bracket(second, organizer)
    expected = {
        seat.registration_id
        for table in first.tables.all()
        for seat in table.seats.filter(number__lt=2)
    }
    sitting = set(final.tables.get().seats.values_list("registration_id", flat=True))
    assert (final.title, final.is_final, sitting) == ("Final", True, expected)


def test_bracket_requires_every_result() -> None:
    event, organizer = make_organized_event(16)
    second = make_second_stage(event, organizer, 8)
    played = start_drafted_round(draw_bracket(second, organizer), organizer)
    assert get_refusal_code(draw_bracket, second, organizer) == "open-round"
    close_round(played, organizer, "The power failed.")
    assert get_refusal_code(draw_bracket, second, organizer) == "no-result"
    for table in played.tables.all():
        enter_result(table, organizer, [400, 10, 0, 5], "From the score sheet.")
    assert draw_bracket(second, organizer).is_final


def test_bracket_round_without_eliminations_is_refused() -> None:
    event, organizer = make_organized_event(16)
    second = make_second_stage(event, organizer, 8)
    second.cut_ties = "together"
    second.save()
    played = start_drafted_round(draw_bracket(second, organizer), organizer)
    finish_paper_round(played, organizer, [400, 0, 0, 0])
    assert get_refusal_code(draw_bracket, second, organizer) == "no-progress"


def test_advancing_more_players_than_a_table_seats_is_refused() -> None:
    event, organizer = make_organized_event(16)
    second = make_second_stage(event, organizer, 8)
    second.advance = 4
    second.save()
    assert get_refusal_code(draw_bracket, second, organizer) == "shape"


def test_bracket_requires_qualification() -> None:
    event, organizer = make_organized_event(8)
    assert get_refusal_code(draw_bracket, event.stages.get(number=2), organizer) == "not-open"
    assert get_refusal_code(seat_round, event.stages.get(number=2), organizer) == "not-open"


def test_no_round_follows_the_final() -> None:
    event, organizer = make_organized_event(8)
    second = make_second_stage(event, organizer, 4)
    finish_paper_round(start_drafted_round(draw_bracket(second, organizer), organizer), organizer)
    assert get_refusal_code(draw_bracket, second, organizer) == "over"


def test_withdrawn_qualifier_is_replaced_by_the_next_in_line() -> None:
    event, organizer = make_organized_event(16)
    second = make_second_stage(event, organizer, 8)
    played = publish_round(draw_bracket(second, organizer), organizer)
    leaving = second.qualifiers.get(seed=2)
    chair = leaving.registration.seats.get(table__round=played)
    withdraw(leaving.registration, organizer, "Has an exam.")
    leaving.refresh_from_db()
    chair.refresh_from_db()
    stepped_in = second.qualifiers.get(seed=9)
    assert (leaving.active, chair.registration) == (False, stepped_in.registration)
    assert str(stepped_in.why).startswith(f"Replaces {leaving.registration.name}. ")
    ranks = {r.registration.pk: r.rank for r in leaderboard(event, first_stage(event)).rows}
    assert ranks[stepped_in.registration_id] == 9
    assert second.qualifiers.filter(active=True).count() == 8


def test_player_who_withdraws_between_bracket_rounds_is_replaced_from_the_same_table() -> None:
    event, organizer = make_organized_event(16)
    second = make_second_stage(event, organizer, 8)
    played = finish_paper_round(
        start_drafted_round(draw_bracket(second, organizer), organizer), organizer
    )
    table = played.tables.get(number=1)
    winner, third = table.seats.get(number=0).registration, table.seats.get(number=2).registration
    assert winner is not None
    assert third is not None
    withdraw(winner, organizer, "Missed the bus.")
    sitting = set(
        draw_bracket(second, organizer).tables.get().seats.values_list("registration", flat=True)
    )
    assert (winner.pk in sitting, third.pk in sitting) == (False, True)


def test_late_registrations_do_not_enter_the_bracket() -> None:
    event, organizer = make_organized_event(8)
    second = make_second_stage(event, organizer, 4)
    Event.objects.update(registration_closes=None)  # reopened for latecomers
    late = register(event, make_user(), roll_number="LATE")
    played = draw_bracket(second, organizer)
    assert late.pk not in played.tables.get().seats.values_list("registration_id", flat=True)
    change_seats(played, organizer, late, "table:1")
    assert late.pk in played.tables.get().seats.values_list("registration_id", flat=True)


def make_announced_event(players: int, advancing: int) -> tuple[Event, User]:
    event, organizer = make_organized_event(players)
    second = make_second_stage(event, organizer, advancing)
    finish_paper_round(start_drafted_round(draw_bracket(second, organizer), organizer), organizer)
    announce_winner(event, organizer)
    event.refresh_from_db()
    return event, organizer


def test_winner_of_the_final_wins_the_event() -> None:
    event, organizer = make_announced_event(8, 4)
    final = Round.objects.get(stage__event=event, is_final=True).tables.get()
    found = winners.winner(event)
    assert found is not None
    assert (found.registration, found.points) == (final.seats.get(number=0).registration, 400)
    assert get_refusal_code(announce_winner, event, organizer) == "state"


def test_winner_cannot_be_announced_before_the_final() -> None:
    event, organizer = make_organized_event(8)
    assert get_refusal_code(announce_winner, event, organizer) == "none"
    second = make_second_stage(event, organizer, 4)
    assert get_refusal_code(announce_winner, event, organizer) == "none"
    start_drafted_round(draw_bracket(second, organizer), organizer)
    assert get_refusal_code(announce_winner, event, organizer) == "open"


def test_leader_of_the_first_stage_wins_without_a_second_stage() -> None:
    event, organizer = make_organized_event(4)
    stage = play_first_round(event, organizer)
    rule = CutRule(Stage.Rule.THRESHOLDS, 0, "together", 1)
    assert qualify(stage, organizer, rule, ()) == []
    found = announce_winner(event, organizer)
    assert (found.points, found.table) == (400, None)


def test_shared_win_names_all_winners() -> None:
    event, organizer = make_organized_event(8)
    stage = play_first_round(event, organizer)
    rule = CutRule(Stage.Rule.THRESHOLDS, 0, "together", 1)
    qualify(stage, organizer, rule, ())
    event.tie_breakers = ["wins"]
    event.save()
    found = announce_winner(event, organizer)
    assert len(found.shared) == 2
    assert found.name == " and ".join(list_names([r.pk for r in found.shared], event))


def test_announcement_can_be_undone_with_a_reason() -> None:
    event, organizer = make_announced_event(8, 4)
    assert get_refusal_code(reopen_event, event, organizer, "") == "no-reason"
    reopen_event(event, organizer, "The final is corrected.")
    event.refresh_from_db()
    assert (event.state, winners.winner(event)) == ("running", None)
