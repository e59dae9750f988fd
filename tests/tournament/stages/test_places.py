"""Players' places in an event, by the bracket first and then by earlier stages."""

import pytest

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.typed import sure
from tournament.advancing.services import announce_winner, draw_bracket
from tournament.models import Event, Round, Stage, Table, User
from tournament.registration.services import withdraw
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round
from tournament.seating.services import publish_round, seat_round
from tournament.stages.places import PlayerPlace, places
from tournament.stages.winners import find_winner, podium
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db


def play_final(stage: Stage, organizer: User, points: list[int]) -> Table:
    """Play the final of four players with these points by seat, and return its table."""
    final = start_drafted_round(draw_bracket(stage, organizer), organizer)
    return finish_paper_round(final, organizer, points).tables.get()


def list_players_by_seat(table: Table) -> list[int]:
    return [sure(seat.registration_id) for seat in table.seats.order_by("number")]


def describe_places(placed: list[PlayerPlace]) -> list[tuple[int, int, str]]:
    return [(each.place, each.player, each.why()) for each in placed]


def list_event_places(event: Event) -> list[PlayerPlace]:
    return places(stage_results(event))


def test_winner_of_the_final_is_first_despite_fewer_points() -> None:
    event, organizer = make_organized_event(8)
    table = play_final(make_second_stage(event, organizer, 4), organizer, [0, 100, 150, 160])
    first = list_players_by_seat(table)[::-1]
    placed = list_event_places(event)
    assert [each.player for each in placed][:4] == first
    assert [each.place for each in placed] == [1, 2, 3, 4, 5, 5, 7, 7]
    assert [each.why() for each in placed][:2] == ["Final: 1st place.", "Final: 2nd place."]
    assert placed[0].row.points < max(each.row.points for each in placed)


def test_players_outside_the_bracket_are_ranked_by_the_earlier_stage() -> None:
    event, organizer = make_organized_event(8)
    play_final(make_second_stage(event, organizer, 4), organizer, [0, 100, 150, 300])
    before = {row.player: row.rank for row in stage_results(first_stage(event)).rows()}
    behind = list_event_places(event)[4:]
    assert [before[each.player] for each in behind] == [5, 5, 7, 7]
    assert behind[0].why().startswith("First round (everyone plays): 5th place. ")


def test_players_with_a_shared_bracket_place_are_listed_in_seeding_order() -> None:
    event, organizer = make_organized_event(16)
    semi = start_drafted_round(
        draw_bracket(make_second_stage(event, organizer, 8), organizer), organizer
    )
    tables = list(semi.tables.order_by("number"))
    shares = {1: [400, 300, 200, 100], 2: [400, 30, 20, 10]}
    for table in tables:
        enter_result(table, organizer, shares[table.number], "Counted.", override=True)
    seats = [list_players_by_seat(table) for table in tables]
    placed = list_event_places(event)
    assert [each.place for each in placed][:4] == [1, 1, 3, 3]
    assert [each.player for each in placed][:4] == [
        seats[1][0],
        seats[0][0],
        seats[0][1],
        seats[1][1],
    ]


def test_players_whom_the_seeding_order_does_not_separate_share_a_place() -> None:
    event, organizer = make_organized_event(16)
    stage = make_second_stage(event, organizer, 8)
    semi = finish_paper_round(
        start_drafted_round(draw_bracket(stage, organizer), organizer), organizer
    )
    play_final(stage, organizer, [300, 200, 200, 0])
    placed = list_event_places(event)
    assert [each.place for each in placed][:8] == [1, 2, 2, 4, 5, 5, 7, 7]
    thirds = {list_players_by_seat(table)[2] for table in semi.tables.all()}
    assert {each.player for each in placed[4:6]} == thirds
    shared = "Tied with everyone else who finished in the same place in that round."
    assert placed[1].why() == f"Final: 2nd place. {shared}"
    out = {each.why() for each in placed[4:6]}
    assert out == {f"Semi-final, table {n}: 3rd place. {shared}" for n in (1, 2)}
    in_list = {each.why_in_list() for each in placed[4:6]}
    assert in_list == {f"Semi-final, table {n}: 3rd place." for n in (1, 2)}


def test_finalists_share_first_place_before_the_first_hand() -> None:
    event, organizer = make_organized_event(8)
    final = start_drafted_round(
        draw_bracket(make_second_stage(event, organizer, 4), organizer), organizer
    )
    placed = list_event_places(event)
    assert {each.player for each in placed[:4]} == set(list_players_by_seat(final.tables.get()))
    assert [(each.place, each.why(), each.still_in) for each in placed[:4]] == [
        (1, "In the final.", True)
    ] * 4
    assert find_winner(stage_results(event)) is None
    assert not any(each.still_in for each in placed[4:])


def test_advancing_players_rank_above_eliminated_players_before_the_draw() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    placed = list_event_places(event)
    through = set(stage.qualifiers.values_list("registration", flat=True))
    assert {each.player for each in placed[:4]} == through
    assert {each.why() for each in placed[:4]} == {"Reached Second round (knockout)."}


def test_draft_seats_do_not_affect_places() -> None:
    event, organizer = make_organized_event(16)
    stage = make_second_stage(event, organizer, 8)
    finish_paper_round(start_drafted_round(draw_bracket(stage, organizer), organizer), organizer)
    before = describe_places(list_event_places(event))
    draw_bracket(stage, organizer)
    assert describe_places(list_event_places(event)) == before


def test_seats_of_a_later_stage_of_rounds_do_not_affect_places() -> None:
    event, organizer = make_organized_event(
        12, table_size=4, ruleset="uno-500", options={"partners": True}
    )
    event.stages.filter(number=2).update(format=Stage.Format.ROUNDS, rounds_planned=2)
    second = make_second_stage(event, organizer, 5)
    before = describe_places(list_event_places(event))
    drawn = seat_round(second, organizer)
    assert describe_places(list_event_places(event)) == before
    publish_round(drawn, organizer)
    assert describe_places(list_event_places(event)) == before


def test_only_remaining_player_wins_without_a_final() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    last = stage.qualifiers.get(seed=4).registration
    # Replacements take the free spots until none are left.
    while leaving := stage.qualifiers.filter(active=True).exclude(registration=last).first():
        withdraw(leaving.registration, organizer, "Has an exam.")
    placed = list_event_places(event)
    assert (placed[0].player, placed[0].place) == (last.pk, 1)
    assert placed[0].why() == "Won without a final because no opponents were left."
    assert sure(find_winner(stage_results(event))).registration == last


def test_leaderboard_of_the_bracket_is_in_order_of_places() -> None:
    event, organizer = make_organized_event(16)
    stage = make_second_stage(event, organizer, 8)
    finish_paper_round(start_drafted_round(draw_bracket(stage, organizer), organizer), organizer)
    play_final(stage, organizer, [0, 100, 200, 400])
    whole = [row.registration.pk for row in leaderboard(event).rows]
    assert [row.registration.pk for row in leaderboard(event, stage).rows] == whole[:8]


def test_no_player_is_marked_as_advancing_after_the_end() -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    assert sum(row.through for row in leaderboard(event).rows) == 4
    play_final(stage, organizer, [0, 100, 200, 400])
    announce_winner(event, organizer)
    event.refresh_from_db()
    boards = (leaderboard(event), leaderboard(event, first_stage(event)), leaderboard(event, stage))
    assert not any(row.through for board in boards for row in board.rows)


def test_correction_after_the_end_changes_winner_and_podium() -> None:
    event, organizer = make_organized_event(8)
    table = play_final(make_second_stage(event, organizer, 4), organizer, [400, 300, 200, 100])
    announce_winner(event, organizer)
    enter_result(table, organizer, [100, 300, 200, 400], "Exchanged.", override=True)
    event.refresh_from_db()
    one, two, three, four = list_players_by_seat(table)
    assert [one.pk for step in podium(event).steps for one in step.people] == [four, two, three]
    assert [each.player for each in list_event_places(event)][:4] == [four, two, three, one]


def test_places_follow_the_standings_if_rounds_decide() -> None:
    event, organizer = make_organized_event(8)
    played = finish_paper_round(
        start_drafted_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    assert played.state == Round.State.CLOSED
    rows = stage_results(event).rows()
    assert [(each.place, each.player, each.why()) for each in list_event_places(event)] == [
        (row.rank, row.player, row.sentence) for row in rows
    ]


def test_provisional_places_include_unfinished_tables() -> None:
    event, organizer = make_organized_event(16)
    stage = make_second_stage(event, organizer, 8)
    semi = start_drafted_round(draw_bracket(stage, organizer), organizer)
    table = semi.tables.get(number=1)
    enter_result(table, organizer, [50, 0, 0, 0], "Μετρήθηκε.", override=True)
    placed = places(stage_results(event), provisional=True)
    one = list_players_by_seat(table)[0]
    assert {each.player for each in placed if each.place == 1} == {
        one,
        *list_players_by_seat(semi.tables.get(number=2)),
    }
    close_round(semi, organizer, "The power failed.")
    assert not any(each.still_in for each in list_event_places(event))
