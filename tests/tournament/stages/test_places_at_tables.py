"""Places of players with equal points at a table, which must be the same in every view."""

import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from django.test import Client
from django.urls import reverse

from games.models import Hand
from games.queries import match_view
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.place_readers import (
    extract_words,
    fetch_page,
    read_board_places,
    read_certificate_places,
    read_podium_places,
)
from tests.tournament.staging import play
from tests.typed import sure
from tournament.advancing.next_rounds import draw_round
from tournament.advancing.services import announce_winner, draw_bracket, preview_cut, qualify
from tournament.events.services import change_event
from tournament.exports.queries import EXPORTS
from tournament.hall.directory import find_player
from tournament.hall.queries import bracket, player_page, tables
from tournament.hall.table_views import SeatView
from tournament.models import Event, Registration, Round, Stage, Table, User
from tournament.planning.qualification_odds import load_standing
from tournament.pure.files import FORMATS
from tournament.pure.ranking import draw_lot
from tournament.pure.simulation.chances import StageSimulator
from tournament.results.queries import result_of, table_results
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round
from tournament.stages.cut import rule_of
from tournament.stages.outdated_draws import list_outdated_draws
from tournament.stages.progression import decide_advancing
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db

# Points left in hand by seat. The winner is in the first seat.
POINTS_LEFT = (0, 5, 52, 220)
Places = dict[int, int | None]


def make_running_bracket() -> tuple[Round, User]:
    """Start the first round of a bracket of eight players, with matches of one hand."""
    event, organizer = make_organized_event(8, table_size=4, hand_limit=1)
    second = make_second_stage(event, organizer, 8)
    return start_drafted_round(draw_bracket(second, organizer), organizer, paper=False), organizer


def play_with_tied_losers(
    table: Table, losers_left: tuple[int, ...] = POINTS_LEFT
) -> dict[int, int]:
    """Play one hand that the first seat wins, with no points for the others.

    Returns the expected places by player, which depend on the points left in hand.
    """
    play(table)
    points = [260, *[0] * (table.seats.count() - 1)]
    hands = Hand.objects.filter(match=table.match)
    hands.update(points=points, winner=0, left=list(losers_left[: len(points)]))
    seats = table.seats.order_by("number").values_list("registration_id", flat=True)
    worth = list(zip((-each for each in points), losers_left, strict=False))
    places = (1 + sorted(worth).index(mine) for mine in worth)
    return {sure(pk): place for pk, place in zip(seats, places, strict=True)}


def map_players_to_places(seats: list[SeatView]) -> Places:
    return {seat.registration.pk: seat.place for seat in seats if seat.registration}


# Places at one table, as each view shows them


def read_places_on_tables_page(table: Table) -> Places:
    views = [view for each in tables(table.round.stage.event) for view in each.tables]
    return map_players_to_places(next(view for view in views if view.table == table).seats)


def read_places_in_bracket(table: Table) -> Places:
    found = sure(bracket(table.round.stage.event))
    views = [view for each in found.rounds for view in each.tables]
    return map_players_to_places(next(view for view in views if view.table == table).seats)


def list_seated_players(table: Table) -> list[Registration]:
    return list(Registration.objects.filter(seats__table=table))


def read_places_on_my_table(table: Table, people: Sequence[Registration] = ()) -> Places:
    """Return the places that `people` see on "My table".

    `people` defaults to all players of the table.
    """
    found: Places = {}
    for one in people or list_seated_players(table):
        page = sure(player_page(table.round.stage.event, one.user))
        views = [*page.history, *([page.table] if page.table else [])]
        view = next(view for view in views if view.table == table)
        found[one.pk] = map_players_to_places(view.seats)[one.pk]
    return found


def read_places_on_player_pages(table: Table, people: Sequence[Registration] = ()) -> Places:
    """Return the places shown on the public pages of `people`.

    `people` defaults to all players of the table.
    """
    found: Places = {}
    for one in people or list_seated_players(table):
        played = sure(find_player(table.round.stage.event, one.queue_number)).tables
        found[one.pk] = next(each.place for each in played if each.view.table == table)
    return found


def read_places_in_api(table: Table) -> Places:
    slug = table.round.stage.event.slug
    rows = Client().get(f"/api/v1/events/{slug}/results?limit=100").json()["items"]
    stage, number = table.round.stage.number, table.round.number
    wanted = (stage, number, table.number)
    here = [row for row in rows if (row["stage"], row["round"], row["table"]) == wanted]
    return {row["player"]: row["place"] for row in here}


def read_places_in_csv(table: Table) -> Places:
    out = io.BytesIO()
    FORMATS["csv"].write(EXPORTS["results"].make(table.round.stage.event, False), out)
    head, *rows = csv.reader(io.StringIO(out.getvalue().decode("utf-8-sig")))
    where = [head.index(name) for name in ("Round", "Table", "Name", "Place at table")]
    keys = {one.name: one.pk for one in table.round.stage.event.registrations.all()}
    cells = [[row[n] for n in where] for row in rows]
    here = [row for row in cells if row[:2] == [str(table.round), str(table.number)]]
    return {keys[name]: int(place) for _round, _table, name, place in here}


# Views that show a whole table, and views that show the places of single players.
FULL_READERS: dict[str, Callable[[Table], Places]] = {
    "tables": read_places_on_tables_page,
    "bracket": read_places_in_bracket,
    "API": read_places_in_api,
    "results.csv": read_places_in_csv,
}
PLAYER_READERS: dict[str, Callable[[Table, Sequence[Registration]], Places]] = {
    "my table": read_places_on_my_table,
    "players": read_places_on_player_pages,
}


def check_views(table: Table, expected: dict[int, int]) -> None:
    table = Table.objects.select_related("round__stage__event").get(pk=table.pk)
    for name, read_places in FULL_READERS.items():
        if name == "bracket" and table.round.stage.format != Stage.Format.BRACKET:
            continue
        assert read_places(table) == expected, name
    for name, read_player_places in PLAYER_READERS.items():
        assert read_player_places(table, ()) == expected, name


def list_tables(round_: Round) -> list[Table]:
    return list(round_.tables.order_by("number"))


def estimate_chances(event: Event) -> dict[int, float]:
    """Return each player's chance, estimated from a few simulated endings."""
    from random import Random

    work = StageSimulator(sure(load_standing(event, public=True)), Random(1))
    list(work.simulate(10))
    return work.compute_shares()


def test_every_view_breaks_ties_as_the_next_draw_does() -> None:
    played, organizer = make_running_bracket()
    event = played.stage.event
    found = {table: play_with_tied_losers(table) for table in list_tables(played)}
    for table, expected in found.items():
        check_views(table, expected)
    close_round(Round.objects.get(pk=played.pk), organizer)
    for table, expected in found.items():
        check_views(table, expected)
    through = {pk for expected in found.values() for pk, place in expected.items() if place < 3}
    played = Round.objects.select_related("stage__event").get(pk=played.pk)
    assert set(decide_advancing(played, table_results(played)).seeds) == through
    board = read_board_places(event)
    assert {pk: board[pk] for each in found.values() for pk in each} == {
        pk: 1 + 2 * (place - 1) for each in found.values() for pk, place in each.items()
    }


def test_my_table_names_the_tie_break_that_eliminated_a_player() -> None:
    played, organizer = make_running_bracket()
    table, other = list_tables(played)
    expected = play_with_tied_losers(table)
    play_with_tied_losers(other)
    address = reverse("my-table", args=[played.stage.event.slug])
    third, fourth = (Registration.objects.get(pk=pk) for pk in list(expected)[2:])
    reason = f"Behind {third.name} on points left in hand: 220 to 52."
    assert reason in extract_words(fetch_page(fourth.user, address))
    close_round(Round.objects.get(pk=played.pk), organizer)
    reported = f"4th at table {table.number}. The top 2 advance. {reason}"
    assert reported in extract_words(fetch_page(fourth.user, address))
    draw_bracket(played.stage, organizer)
    assert reported in extract_words(fetch_page(fourth.user, address))


def test_score_sheet_shows_no_places_for_tied_players() -> None:
    played, _organizer = make_running_bracket()
    table = list_tables(played)[0]
    first, second, third, fourth = (
        Registration.objects.get(pk=pk) for pk in play_with_tied_losers(table)
    )
    sheet = match_view(sure(table.match), fourth.user)["sheet"]
    assert [row["place"] for row in sure(sheet)["rows"]] == [1, None, None, None]
    address = reverse("after-match", args=[played.stage.event.slug])
    sentences = {
        second: "You finished 2nd of 4 at table 1. "
        f"Ahead of {third.name} on points left in hand: 5 to 52.",
        fourth: "You finished 4th of 4 at table 1. "
        f"Behind {third.name} on points left in hand: 220 to 52.",
    }
    for each, expected in sentences.items():
        assert extract_words(fetch_page(each.user, address)).startswith(expected)
    assert "at table 1" not in fetch_page(first.user, address)


def test_chances_after_a_finished_table_do_not_depend_on_lots() -> None:
    played, _organizer = make_running_bracket()
    expected = play_with_tied_losers(list_tables(played)[0])
    shares = estimate_chances(Event.objects.get())
    assert {pk: shares[pk] for pk in expected} == {
        pk: float(place < 3) for pk, place in expected.items()
    }


def test_fully_tied_players_share_a_place_on_the_site_and_on_certificates() -> None:
    played, organizer = make_running_bracket()
    event = played.stage.event
    for table in list_tables(played):
        play_with_tied_losers(table)
    close_round(Round.objects.get(pk=played.pk), organizer)
    final = start_drafted_round(draw_bracket(played.stage, organizer), organizer, paper=False)
    [table] = list_tables(final)
    expected = play_with_tied_losers(table, (0, 5, 52, 52))
    check_views(table, expected)
    close_round(Round.objects.get(pk=final.pk), organizer)
    announce_winner(Event.objects.get(), organizer)
    event.refresh_from_db()
    assert sorted(expected.values()) == [1, 2, 3, 3]
    assert read_podium_places(event) == read_certificate_places(event) == expected


def test_only_the_player_in_first_place_has_won_the_match() -> None:
    """Check a match whose best two players have equal points, but different points left in hand."""
    event, organizer = make_organized_event(4, table_size=4, hand_limit=2)
    first_stage(event).delete()
    event.stages.update(number=1)
    drawn = draw_bracket(first_stage(event), organizer)
    [table] = list_tables(start_drafted_round(drawn, organizer, paper=False))
    play(table)
    for number, hand in enumerate(Hand.objects.filter(match=table.match).order_by("number")):
        points = [60 if seat == number else 0 for seat in range(4)]
        left = [[0, 10, 20, 30], [50, 0, 20, 30]][number]
        Hand.objects.filter(pk=hand.pk).update(points=points, winner=number, left=left)
    close_round(drawn, organizer)
    result = result_of(table)
    assert (result.winners, result.list_places()[:2]) == ([0, 1], [2, 1])
    second, winner = result.people[:2]
    rows = {row.registration.pk: row.wins for row in leaderboard(event).rows}
    assert (rows[second], rows[winner]) == (0, 1)
    out = io.BytesIO()
    FORMATS["csv"].write(EXPORTS["results"].make(event, False), out)
    lines = csv.DictReader(io.StringIO(out.getvalue().decode("utf-8-sig")))
    assert [line["Won"] for line in lines][:2] == ["", "yes"]


def test_changing_the_tie_breaks_makes_the_next_draw_outdated() -> None:
    played, organizer = make_running_bracket()
    table, other = list_tables(played)
    expected = play_with_tied_losers(table)
    play_with_tied_losers(other)
    close_round(Round.objects.get(pk=played.pk), organizer)
    draw_bracket(played.stage, organizer)
    event = Event.objects.get()
    assert list_outdated_draws(event) == []
    second, third = list(expected)[1:3]
    keys = map(str, itertools.count())
    key = next(key for key in keys if draw_lot(key, third) < draw_lot(key, second))
    Stage.objects.filter(pk=played.stage_id).update(lots_key=key)
    event.tie_breakers = ["wins"]
    change_event(event, organizer, ["tie_breakers"])
    (found,) = list_outdated_draws(event)
    assert second in {each.pk for each in found.surplus}


def read_places_on_match_page(table: Table) -> dict[str, int]:
    assert table.match is not None
    text = Client().get(reverse("games:result", args=[table.match.public_id])).text
    rows = re.findall(r'<tr><td>(\d+)</td><th scope="row">.*?<bdi>([^<]+)</bdi>', text)
    return {name: int(place) for place, name in rows}


def test_match_page_separates_players_with_equal_points() -> None:
    played, organizer = make_running_bracket()
    table = list_tables(played)[0]
    names = dict(Registration.objects.values_list("pk", "name"))
    expected = play_with_tied_losers(table)
    assert read_places_on_match_page(table) == {names[pk]: place for pk, place in expected.items()}
    enter_result(table, organizer, [0, 5, 9, 300], "Scores were swapped.", override=True)
    assert list(read_places_on_match_page(table).values()) == [1, 2, 3, 4]
    address = reverse("games:result", args=[sure(table.match).public_id])
    assert "The organizers have corrected these points." in extract_words(fetch_page(None, address))


def test_equal_points_entered_by_hand_stay_tied() -> None:
    event, organizer = make_organized_event(8, table_size=4)
    second = make_second_stage(event, organizer, 8)
    played = start_drafted_round(draw_bracket(second, organizer), organizer)
    table = list_tables(played)[0]
    finish_paper_round(played, organizer, [260, 0, 0, 0])
    keys = table.seats.order_by("number").values_list("registration_id", flat=True)
    check_views(table, dict(zip(map(sure, keys), (1, 2, 2, 2), strict=True)))


def play_two_rounds(event: Event, organizer: User) -> list[Round]:
    """Play two rounds with physical cards. The second leaves two players at each table tied."""
    first = _start_next_round(event, organizer)
    for table in list_tables(first):
        points = [value - 5 * table.number for value in (400, 300, 200, 100)]
        enter_result(table, organizer, points, "Counted.", override=True)
    close_round(first, organizer)
    last = _start_next_round(event, organizer)
    return [first, finish_paper_round(last, organizer, [400, 50, 50, 0])]


def _start_next_round(event: Event, organizer: User) -> Round:
    drawn = draw_round(first_stage(event), organizer, "Once more.")
    return start_drafted_round(drawn, organizer)


def find_expected_places(event: Event, table: Table) -> dict[int, int]:
    """Return the places by the points at the table, then by the points of all rounds."""
    totals: Counter[int] = Counter()
    for result in table_results(event):
        totals.update(dict(zip(result.people, result.points, strict=True)))
    here = result_of(table)
    worth = {
        pk: (-points, -totals[pk]) for pk, points in zip(here.people, here.points, strict=True)
    }
    best_first = sorted(worth.values())
    return {pk: 1 + best_first.index(mine) for pk, mine in worth.items()}


def test_every_view_separates_tied_players_by_the_standings_as_the_cut_does() -> None:
    event, organizer = make_organized_event(8, table_size=4)
    event.stages.filter(number=1).update(
        qualify_rule=Stage.Rule.TOP_K, qualify_value=2, rounds_planned=2, cut_ties=Stage.Ties.LOTS
    )
    first, last = play_two_rounds(event, organizer)
    expected = {table: find_expected_places(event, table) for table in list_tables(last)}
    assert [sorted(places.values()) for places in expected.values()] == [[1, 2, 3, 4]] * 2
    stage = first_stage(event)
    for moment in ("before the cut", "after the cut"):
        for table, places in expected.items():
            check_views(table, places)
        if moment == "before the cut":
            through = preview_cut(stage_results(stage), rule_of(stage)).through
            qualify(stage, organizer, rule_of(stage), through)
    advanced = set(event.stages.get(number=2).qualifiers.values_list("registration_id", flat=True))
    assert advanced == {
        pk for places in expected.values() for pk, place in places.items() if place <= 2
    }
    # The second round did not change the places in the first one.
    assert [result_of(table).list_places() for table in list_tables(first)] == [[1, 2, 3, 4]] * 2


def test_my_table_names_the_standings_as_the_reason_for_a_place() -> None:
    event, organizer = make_organized_event(8, table_size=4)
    event.stages.filter(number=1).update(
        qualify_rule=Stage.Rule.TOP_K, qualify_value=2, rounds_planned=2
    )
    _first, last = play_two_rounds(event, organizer)
    expected = find_expected_places(event, table := list_tables(last)[0])
    second, third = (
        Registration.objects.get(pk=pk) for pk in sorted(expected, key=expected.__getitem__)[1:3]
    )
    address = reverse("my-table", args=[event.slug])
    assert f"Behind {second.name} in the standings." in extract_words(
        fetch_page(third.user, address)
    )
    assert result_of(table).order.explain(second.pk) is not None
