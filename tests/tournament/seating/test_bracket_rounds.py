"""Tests of bracket rounds whose seats are changed by hand, up to the winner."""

from copy import deepcopy

import pytest

from tests.tournament.helpers import (
    finish_paper_round,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tournament.advancing.services import announce_winner, draw_bracket, preview_cut, qualify
from tournament.attendance.services import mark_absent, undo_absence
from tournament.desk.queries import list_desk_steps
from tournament.models import Event, Registration, Round, Stage, Table, User
from tournament.registration.services import withdraw
from tournament.results.stages import stage_results
from tournament.rounds.services import start_round
from tournament.seating.bracket_rounds import describe_path_to_final
from tournament.seating.changes import change_seats, propose_repair, repair_round
from tournament.seating.queries import list_seated
from tournament.seating.services import publish_round
from tournament.stages.cut import propose_rule

pytestmark = pytest.mark.django_db

REASON = "Did not come."
FINAL_OF_4 = "Final: one table of 4."


Bracket = tuple[Round, Stage, User]


@pytest.fixture(scope="module")
def shared_bracket(shared_rows: None) -> Bracket:
    """Publish the first bracket round for twelve players at three tables.

    Two players of each table advance.
    """
    event, organizer = make_organized_event(12)
    stage = play_first_round(event, organizer)
    rule = propose_rule(stage_results(stage))
    qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)
    second = event.stages.get(number=2)
    played = publish_round(draw_bracket(second, organizer), organizer)
    assert list(map(len, list_seated(played))) == [3, 3]
    return played, second, organizer


@pytest.fixture
def two_tables_of_three(shared_bracket: Bracket) -> Bracket:
    return deepcopy(shared_bracket)


def load_registration(pk: int) -> Registration:
    return Registration.objects.get(pk=pk)


def play_round(round_: Round, organizer: User) -> Round:
    """Play a published round with physical cards. Seat 0 is the best of each table."""
    round_.tables.update(paper=True)
    return finish_paper_round(start_round(round_, organizer), organizer)


def describe_round(round_: Round) -> tuple[str, bool, str]:
    round_.refresh_from_db()
    return round_.title, round_.is_final, str(round_.seating.plan)


def test_bracket_with_a_no_show_is_played_to_its_winner(
    two_tables_of_three: Bracket,
) -> None:
    played, second, organizer = two_tables_of_three
    missing = list_seated(played)[1][2]
    change_seats(played, organizer, load_registration(missing), "out", REASON)
    assert describe_round(played) == (
        "Semi-final",
        False,
        "Semi-final: 2 tables of 3 and 2 (each winner advances); 2 more players by "
        "share of table points. 4 players advance.",
    )
    play_round(played, organizer)
    final = publish_round(draw_bracket(second, organizer), organizer)
    assert describe_round(final) == ("Final", True, FINAL_OF_4)
    play_round(final, organizer)
    best = final.tables.get().seats.get(number=0).registration
    assert announce_winner(second.event, organizer).registration == best


def test_merged_tables_become_the_final(two_tables_of_three: Bracket) -> None:
    played, second, organizer = two_tables_of_three
    departed = list_seated(played)[1][2]
    Registration.objects.filter(pk=departed).update(state="withdrawn")
    repair_round(played, organizer, REASON)
    assert describe_round(played) == ("Final", True, "Final: one table of 5.")
    play_round(played, organizer)
    assert get_refusal_code(draw_bracket, second, organizer) == "over"
    best = played.tables.get().seats.get(number=0).registration
    assert announce_winner(second.event, organizer).registration == best


def test_remaining_table_becomes_the_final_if_the_other_is_empty(
    two_tables_of_three: Bracket,
) -> None:
    played, _second, organizer = two_tables_of_three
    for pk in list_seated(played)[0]:
        change_seats(played, organizer, load_registration(pk), "out", REASON)
    assert describe_round(played) == ("Final", True, "Final: one table of 3.")
    assert list(played.tables.values_list("number", flat=True)) == [2]


def test_split_final_becomes_a_round_followed_by_another_final() -> None:
    event, organizer = make_organized_event(8)
    second = make_second_stage(event, organizer, 4)
    played = draw_bracket(second, organizer)
    assert describe_round(played) == ("Final", True, FINAL_OF_4)
    one, other = list_seated(played)[0][2:]
    change_seats(played, organizer, load_registration(one), "new")
    change_seats(played, organizer, load_registration(other), "table:2")
    split = "Semi-final: 2 tables of 2 (each winner advances). 2 players advance."
    assert describe_round(played) == ("Semi-final", False, split)
    assert event.audit.order_by("-pk")[0].text.endswith(split)
    play_round(publish_round(played, organizer), organizer)
    assert get_refusal_code(announce_winner, event, organizer) == "none"
    final = publish_round(draw_bracket(second, organizer), organizer)
    assert describe_round(final) == ("Final", True, "Final: one table of 2.")
    play_round(final, organizer)
    announce_winner(event, organizer)


def test_final_of_two_tables_is_not_published() -> None:
    event, organizer = make_organized_event(8)
    played = draw_bracket(make_second_stage(event, organizer, 4), organizer)
    other = Table.objects.create(round=played, number=2)
    played.tables.get(number=1).seats.filter(number__gte=2).update(table=other)
    assert get_refusal_code(publish_round, played, organizer) == "final"


def publish_paired_round() -> tuple[Round, Stage, User]:
    """Publish a round with two tables of two players, whose winners meet in the final."""
    event, organizer = make_organized_event(8, table_size=2)
    second = make_second_stage(event, organizer, 4)
    Stage.objects.filter(pk=second.pk).update(advance=1)
    return publish_round(draw_bracket(second, organizer), organizer), second, organizer


def test_player_without_opponents_advances_without_playing() -> None:
    played, second, organizer = publish_paired_round()
    (alone, missing), (best, _) = list_seated(played)
    change_seats(played, organizer, load_registration(missing), "out", REASON)
    assert get_refusal_code(start_round, played, organizer) == "table-size"
    change_seats(played, organizer, load_registration(alone), "bye", REASON)
    assert describe_round(played) == (
        "Semi-final",
        False,
        "Semi-final: 1 table of 2 (the winner advances); 1 player with a bye. 2 players advance.",
    )
    assert propose_repair(played).sentences == ()
    play_round(played, organizer)
    final = draw_bracket(second, organizer)
    assert (final.is_final, list_seated(final)) == (True, ((alone, best),))


def test_bye_ends_if_the_player_gets_a_seat_or_sits_out() -> None:
    played, _second, organizer = publish_paired_round()
    (alone, missing), _ = list_seated(played)
    change_seats(played, organizer, load_registration(missing), "out", REASON)
    change_seats(played, organizer, load_registration(alone), "bye", REASON)
    change_seats(played, organizer, load_registration(missing), "bye", REASON)
    assert (played.seating.byes, played.seating.out) == ((alone, missing), ())
    change_seats(played, organizer, load_registration(missing), "out", REASON)
    change_seats(played, organizer, load_registration(alone), "new", REASON)
    assert (played.seating.byes, played.seating.out) == ((), (missing,))


def test_replacement_for_an_unseated_player_is_offered_a_seat(
    two_tables_of_three: Bracket,
) -> None:
    played, second, organizer = two_tables_of_three
    departed = load_registration(list_seated(played)[1][2])
    change_seats(played, organizer, departed, "out", REASON)
    withdraw(departed, organizer, REASON)
    coming = second.qualifiers.get(
        why__kind="in_place", why__values__name=departed.name
    ).registration
    (sentence,) = propose_repair(played).sentences
    assert sentence.startswith(f"{coming.name} joins table ")
    repair_round(played, organizer, REASON)
    assert coming.pk in [pk for table in list_seated(played) for pk in table]


def test_path_to_the_final_is_computed_from_the_actual_tables(
    two_tables_of_three: Bracket,
) -> None:
    played, second, organizer = two_tables_of_three
    first = "Semi-final: 2 tables of 3 (the top 2 of each advance). 4 players advance."
    planned = [first, FINAL_OF_4]
    assert describe_path_to_final(second) == planned
    one, *others = list_seated(played)[1]
    for pk in others:
        change_seats(played, organizer, load_registration(pk), "out", REASON)
    change_seats(played, organizer, load_registration(one), "bye", REASON)
    alone = "Semi-final: 1 table of 3 (the top 2 advance); 1 player with a bye. 3 players advance."
    assert describe_path_to_final(second) == [alone, "Final: one table of 3."]
    change_seats(played, organizer, load_registration(one), "table:1", REASON)
    assert describe_path_to_final(second) == [FINAL_OF_4]


def test_byes_exist_only_in_brackets_and_require_at_least_one_match() -> None:
    played, _second, organizer = publish_paired_round()
    (one, other), (third, fourth) = list_seated(played)
    for pk in (other, third, fourth):
        change_seats(played, organizer, load_registration(pk), "out", REASON)
    assert (
        get_refusal_code(change_seats, played, organizer, load_registration(one), "bye", REASON)
        == "target"
    )
    assert list_seated(played) == ((one,),)
    first = Round.objects.get(stage__event=played.stage.event, stage__number=1)
    Round.objects.filter(pk=first.pk).update(state="draft")
    assert (
        get_refusal_code(change_seats, first, organizer, load_registration(other), "bye")
        == "target"
    )


def test_players_of_the_other_table_play_the_final_if_a_whole_table_withdraws(
    two_tables_of_three: Bracket,
) -> None:
    played, second, organizer = two_tables_of_three
    play_round(played, organizer)
    departed, remaining = list_seated(played)
    for pk in departed:
        withdraw(load_registration(pk), organizer, REASON)
    final = draw_bracket(second, organizer)
    assert (final.is_final, {pk for table in list_seated(final) for pk in table}) == (
        True,
        set(remaining),
    )


def withdraw_all_but_one(round_: Round, organizer: User) -> Registration:
    first, *others = [pk for table in list_seated(round_) for pk in table]
    for pk in others:
        withdraw(load_registration(pk), organizer, REASON)
    return load_registration(first)


def list_last_desk_steps(event: Event) -> list[tuple[str, str, str]]:
    return [(step.key, step.state, step.text) for step in list_desk_steps(event)[-2:]]


def test_last_remaining_player_after_a_round_wins(two_tables_of_three: Bracket) -> None:
    played, second, organizer = two_tables_of_three
    play_round(played, organizer)
    left = withdraw_all_but_one(played, organizer)
    assert get_refusal_code(draw_bracket, second, organizer) == "over"
    only = f"Only {left.name} is left"
    assert list_last_desk_steps(second.event) == [
        ("rounds", "done", f"{only}."),
        ("winner", "now", f"{only}. Announce the winner."),
    ]
    found = announce_winner(second.event, organizer)
    at = [at for at in stage_results(second.event).tables if left.pk in at.players][-1]
    points = dict(zip(at.players, at.points, strict=True))[left.pk]
    assert (found.registration, found.table, found.points) == (left, None, points)


def test_only_advancing_player_wins() -> None:
    event, organizer = make_organized_event(8)
    best = make_second_stage(event, organizer, 1).qualifiers.get().registration
    assert announce_winner(event, organizer).registration == best


def test_withdrawals_after_the_final_change_nothing() -> None:
    event, organizer = make_organized_event(8)
    second = make_second_stage(event, organizer, 4)
    final = finish_paper_round(
        start_drafted_round(draw_bracket(second, organizer), organizer), organizer
    )
    best, *others = list_seated(final)[0]
    withdraw(load_registration(best), organizer, REASON)
    for pk in others[1:]:
        withdraw(load_registration(pk), organizer, REASON)
    assert announce_winner(event, organizer).registration.pk == best


def test_bracket_keeps_fixed_tables_and_separates_forbidden_pairs() -> None:
    event, organizer = make_organized_event(12)
    second = make_second_stage(event, organizer, 8)
    plain = draw_bracket(second, organizer)
    (ann, _, _, ben), (_, _, _, dan) = list_seated(plain)
    Registration.objects.filter(pk=ann).update(fixed_table=2)
    load_registration(ann).apart_from.add(load_registration(ben))
    drawn = draw_bracket(second, organizer)
    first, other = list_seated(drawn)
    assert (ann in other, ben in first, dan in other) == (True, True, True)
    publish_round(drawn, organizer)
    drawn.refresh_from_db()
    assert drawn.seating.despite is None


def test_final_uses_the_table_that_a_player_needs() -> None:
    event, organizer = make_organized_event(8)
    second = make_second_stage(event, organizer, 4)
    ann = second.qualifiers.get(seed=3).registration
    Registration.objects.filter(pk=ann.pk).update(fixed_table=3)
    final = publish_round(draw_bracket(second, organizer), organizer)
    assert (final.is_final, [table.number for table in final.tables.all()]) == (True, [3])
    assert len(list_seated(final)[2]) == 4


def test_bracket_with_a_distant_fixed_table_is_played_to_its_winner() -> None:
    event, organizer = make_organized_event(12)
    second = make_second_stage(event, organizer, 8)
    ann = second.qualifiers.get(seed=1).registration
    Registration.objects.filter(pk=ann.pk).update(fixed_table=5)
    first = publish_round(draw_bracket(second, organizer), organizer)
    assert [table.number for table in first.tables.all()] == [2, 5]
    assert propose_repair(first).sentences == ()
    play_round(first, organizer)
    final = publish_round(draw_bracket(second, organizer), organizer)
    assert [table.number for table in final.tables.all()] == [5]
    play_round(final, organizer)
    assert announce_winner(event, organizer).registration == ann


def test_absent_player_gets_no_seat_until_they_return() -> None:
    event, organizer = make_organized_event(8)
    second = make_second_stage(event, organizer, 4)
    away = second.qualifiers.order_by("seed")[0].registration
    mark_absent([away], organizer, REASON)
    played = draw_bracket(second, organizer)
    assert away.pk not in {pk for table in list_seated(played) for pk in table}
    assert propose_repair(played).sentences == ()
    undo_absence(away, organizer)
    assert propose_repair(played).sentences == (f"{away.name} joins table 1.",)


def test_absent_player_is_replaced_by_the_next_best_of_their_table(
    two_tables_of_three: Bracket,
) -> None:
    played, second, organizer = two_tables_of_three
    play_round(played, organizer)
    (first, _second, third), _other = list_seated(played)
    mark_absent([load_registration(first)], organizer, REASON)
    final = draw_bracket(second, organizer)
    drawn = {pk for table in list_seated(final) for pk in table}
    assert (first in drawn, third in drawn) == (False, True)
    assert "marked absent" in str(dict(final.seating.why)[first])
