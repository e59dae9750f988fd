"""Places of players who were eliminated in the same round at different tables."""

import pytest

from tests.tournament.helpers import (
    first_stage,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.place_readers import read_certificate_places, read_podium_places
from tests.typed import sure
from tournament.advancing.services import announce_winner, draw_bracket, preview_cut, qualify
from tournament.models import Event, Registration, Round, Stage, Table, User
from tournament.registration.services import withdraw
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round
from tournament.seating.services import seat_round
from tournament.stages.cut import CutRule
from tournament.stages.places import PlayerPlace, places
from tournament.standings.freezing import freeze, reveal
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db

Points = list[list[int]]


def make_duel_bracket(players: int = 4) -> tuple[Stage, User]:
    """Create a bracket of tables for two, where one player advances."""
    event, organizer = make_organized_event(players, table_size=2)
    event.stages.filter(number__gt=1).delete()
    event.stages.update(format="bracket", advance=1)
    return first_stage(event), organizer


def make_duel_bracket_after_a_round() -> tuple[Stage, User]:
    """Create a bracket of four players who rank differently after an earlier round."""
    event, organizer = make_organized_event(4, table_size=2)
    event.stages.filter(number=2).update(advance=1)
    stage = first_stage(event)
    play_round(seat_round(stage, organizer), organizer, [[400, 300], [390, 290]])
    rule = CutRule(Stage.Rule.NUMBER, 4, Stage.Ties.LOTS, 1)
    qualify(stage, organizer, rule, preview_cut(stage_results(stage), rule).through)
    return event.stages.get(number=2), organizer


def play_next_round(stage: Stage, organizer: User, points: Points) -> list[Table]:
    return play_round(draw_bracket(stage, organizer), organizer, points)


def play_round(round_: Round, organizer: User, points: Points) -> list[Table]:
    """Play a round with these points by table, and close it."""
    played = start_drafted_round(round_, organizer)
    tables = list(played.tables.order_by("number"))
    for table, each in zip(tables, points, strict=True):
        enter_result(table, organizer, each, "Counted.", override=True)
    close_round(Round.objects.get(pk=played.pk), organizer)
    return tables


def list_places(stage: Stage) -> list[PlayerPlace]:
    return places(stage_results(Event.objects.get(pk=stage.event_id)))


def list_losers(tables: list[Table]) -> list[int]:
    """Return the players in the second seats, who lost."""
    return [sure(table.seats.get(number=1).registration_id) for table in tables]


def leave_event(player: int, organizer: User) -> None:
    withdraw(Registration.objects.get(pk=player), organizer, "Has to leave.")


def test_share_of_table_points_separates_losing_semifinalists() -> None:
    stage, organizer = make_duel_bracket()
    one, two = list_losers(play_next_round(stage, organizer, [[300, 20], [300, 100]]))
    names = dict(stage.event.registrations.values_list("pk", "name"))
    play_next_round(stage, organizer, [[300, 20]])
    placed = list_places(stage)
    assert [(each.place, each.player) for each in placed[2:]] == [(3, two), (4, one)]
    assert [each.why() for each in placed[2:]] == [
        "Semi-final, table 2: 2nd place. "
        f"Ahead of {names[one]} on share of table points in Semi-final: 100 of 400 to 20 of 320.",
        "Semi-final, table 1: 2nd place. "
        f"Behind {names[two]} on share of table points in Semi-final: 20 of 320 to 100 of 400.",
    ]
    announce_winner(Event.objects.get(), organizer)
    event = Event.objects.get()
    assert read_podium_places(event) == {each.player: each.place for each in placed[:3]}
    assert read_certificate_places(event) == {each.player: each.place for each in placed[:3]}


def test_equal_losers_share_third_place_if_the_bracket_was_drawn_by_lot() -> None:
    stage, organizer = make_duel_bracket()
    losers = list_losers(play_next_round(stage, organizer, [[300, 20], [300, 20]]))
    play_next_round(stage, organizer, [[300, 20]])
    placed = list_places(stage)
    assert {(each.place, each.player) for each in placed[2:]} == {(3, pk) for pk in losers}
    assert all(each.why().endswith("in that round.") for each in placed[2:])
    announce_winner(Event.objects.get(), organizer)
    assert sorted(read_certificate_places(Event.objects.get()).values()) == [1, 2, 3, 3]


def test_loser_who_then_leaves_still_shares_third_place() -> None:
    stage, organizer = make_duel_bracket()
    losers = list_losers(play_next_round(stage, organizer, [[300, 20], [300, 20]]))
    leave_event(losers[0], organizer)
    play_next_round(stage, organizer, [[300, 20]])
    assert {(each.place, each.player) for each in list_places(stage)[2:]} == {
        (3, pk) for pk in losers
    }


def test_previous_round_separates_losers_with_equal_shares() -> None:
    stage, organizer = make_duel_bracket(8)
    play_next_round(stage, organizer, [[300, 0], [300, 10], [300, 20], [300, 30]])
    semi = play_next_round(stage, organizer, [[300, 20], [300, 20]])
    play_next_round(stage, organizer, [[300, 20]])
    third, fourth = list_places(stage)[2:4]
    assert [third.place, fourth.place] == [3, 4]
    assert {third.player, fourth.player} == {*list_losers(semi)}
    assert "on share of table points in Quarter-final: 300 of 3" in third.why()


def test_losers_with_equal_rounds_are_separated_by_the_earlier_standings() -> None:
    stage, organizer = make_duel_bracket_after_a_round()
    seeds = list(stage.qualifiers.order_by("seed").values_list("registration", flat=True))
    names = dict(stage.event.registrations.values_list("pk", "name"))
    losers = list_losers(play_next_round(stage, organizer, [[300, 20], [300, 20]]))
    better, worse = sorted(losers, key=seeds.index)
    placed = {each.player: each for each in list_places(stage)}
    assert [placed[better].place, placed[worse].place] == [3, 4]
    assert placed[worse].why().endswith(f" Behind {names[better]} in the standings.")


def test_standings_before_the_bracket_still_separate_a_loser_who_then_leaves() -> None:
    stage, organizer = make_duel_bracket_after_a_round()
    seeds = list(stage.qualifiers.order_by("seed").values_list("registration", flat=True))
    losers = list_losers(play_next_round(stage, organizer, [[300, 20], [300, 20]]))
    better, worse = sorted(losers, key=seeds.index)
    leave_event(worse, organizer)
    placed = {each.player: each.place for each in list_places(stage)}
    assert (placed[better], placed[worse]) == (3, 4)


def test_open_round_does_not_separate_players_across_tables() -> None:
    stage, organizer = make_duel_bracket()
    played = start_drafted_round(draw_bracket(stage, organizer), organizer)
    for table, points in zip(played.tables.order_by("number"), ([9, 1], [9, 4]), strict=True):
        enter_result(table, organizer, points, "Counted.", override=True)
    assert [each.place for each in list_places(stage)] == [1, 1, 3, 3]
    close_round(Round.objects.get(pk=played.pk), organizer)
    assert [each.place for each in list_places(stage)] == [1, 2, 3, 4]


def test_reveal_does_not_name_a_player_who_is_still_hidden() -> None:
    stage, organizer = make_duel_bracket()
    event = freeze(stage.event, organizer)
    one, two = list_losers(play_next_round(stage, organizer, [[300, 20], [300, 100]]))
    play_next_round(stage, organizer, [[300, 20]])
    last = leaderboard(reveal(event, organizer, 4)).rows
    assert [(row.registration.pk, row.separated_by) for row in last] == [(one, "")]
    both = leaderboard(reveal(event, organizer, 3)).rows
    assert [row.registration.pk for row in both] == [two, one]
    assert both[1].separated_by
