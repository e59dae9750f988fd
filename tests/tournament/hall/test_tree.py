"""Tests of the bracket as a tree: the drawn rounds and the expected rounds."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.tournament.helpers import (
    finish_paper_round,
    make_finished_final,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tournament.advancing.services import draw_bracket
from tournament.hall.queries import bracket
from tournament.hall.tree import Tree, build_tree
from tournament.models import Event, Registration, Round, Stage
from tournament.standings.freezing import freeze

pytestmark = pytest.mark.django_db


def load_tree(stage: Stage, mine: Registration | None = None) -> Tree:
    found = bracket(Event.objects.get(pk=stage.event_id))
    assert found is not None
    return build_tree(found, mine)


def map_seat_texts(tree: Tree) -> dict[str, list[list[str]]]:
    """Map the title of each round to the texts at its seats."""
    return {
        each.round.title: [
            [seat.view.name if seat.view else seat.origin for seat in table.seats]
            for table in each.tables
        ]
        for each in tree.rounds
    }


def list_origins(tree: Tree, number: int) -> list[str]:
    return [seat.origin for table in tree.rounds[number].tables for seat in table.seats]


def make_half_played_bracket(players: int = 8) -> Stage:
    """Return a bracket whose first round is closed and whose second round has started."""
    event, organizer = make_organized_event(players)
    second = make_second_stage(event, organizer, players)
    finish_paper_round(start_drafted_round(draw_bracket(second, organizer), organizer), organizer)
    start_drafted_round(draw_bracket(second, organizer), organizer)
    return second


def test_bracket_tree_shows_seeds_before_the_first_draw() -> None:
    event, organizer = make_organized_event(8)
    found = load_tree(make_second_stage(event, organizer, 8))
    assert map_seat_texts(found) == {
        "Semi-final": [
            ["Seed 1", "Seed 4", "Seed 5", "Seed 8"],
            ["Seed 2", "Seed 3", "Seed 6", "Seed 7"],
        ],
        "Final": [["1st at table 1", "1st at table 2", "2nd at table 1", "2nd at table 2"]],
    }
    assert not found.is_seeded_by_shares


def test_u67_tree_shows_all_rounds_after_the_first_draw() -> None:
    event, organizer = make_organized_event(32)
    second = make_second_stage(event, organizer, 32)
    start_drafted_round(draw_bracket(second, organizer), organizer)
    found = load_tree(second)
    assert [len(each.tables) for each in found.rounds] == [8, 4, 2, 1]
    assert [each.is_drawn for each in found.rounds] == [True, False, False, False]
    titles = ["Round 2", "Quarter-final", "Semi-final", "Final"]
    assert [each.round.title for each in found.rounds] == titles
    assert map_seat_texts(found)["Quarter-final"][0] == [
        "Winner 1",
        "Winner 8",
        "Runner-up 1",
        "Runner-up 8",
    ]
    assert found.is_seeded_by_shares


def test_each_round_has_an_anchor_independent_of_its_key() -> None:
    event, organizer = make_organized_event(32)
    second = make_second_stage(event, organizer, 32)
    draw_bracket(second, organizer)
    rounds = load_tree(second).rounds
    for other in rounds[1:]:
        rounds[0].round.pk = other.round.ordinal
        assert len({each.anchor for each in rounds}) == len(rounds)


def test_advanced_players_show_their_previous_table() -> None:
    found = load_tree(make_half_played_bracket())
    assert [each.is_drawn for each in found.rounds] == [True, True]
    assert sorted(list_origins(found, 1)) == [
        "1st at table 1",
        "1st at table 2",
        "2nd at table 1",
        "2nd at table 2",
    ]
    assert list_origins(found, 0) == [""] * 8
    assert not found.is_seeded_by_shares


def test_frozen_leaderboard_hides_how_players_reached_their_seats() -> None:
    second = make_half_played_bracket()
    freeze(second.event, second.event.organizers.get())
    assert list_origins(load_tree(second), 1) == [""] * 4


def test_own_path_is_highlighted() -> None:
    second = make_half_played_bracket()
    final = Round.objects.get(is_final=True)
    seat = final.tables.get().seats.first()
    assert seat is not None
    found = load_tree(second, seat.registration)
    assert [sum(table.is_own for table in each.tables) for each in found.rounds] == [1, 1]
    assert not any(table.is_own for each in load_tree(second).rounds for table in each.tables)


def test_bracket_that_cannot_reach_a_final_shows_only_drawn_rounds() -> None:
    second = make_half_played_bracket()
    Stage.objects.filter(pk=second.pk).update(advance=9)
    Round.objects.filter(is_final=True).delete()
    assert [each.is_drawn for each in load_tree(second).rounds] == [True]


def test_page_shows_the_tree_with_links_and_future_rounds(client: Client) -> None:
    event, organizer = make_organized_event(16)
    second = make_second_stage(event, organizer, 16)
    start_drafted_round(draw_bracket(second, organizer), organizer, paper=False)
    one = second.rounds.get().tables.get(number=1).seats.get(number=0).registration
    assert one is not None
    client.force_login(one.user)
    page = client.get(reverse("event-bracket", args=[event.slug])).content.decode()
    assert "1st at table 2" in page
    assert "upcoming" in page
    assert 'class="tree-cell way"' in page
    assert reverse("event-player", args=[event.slug, one.queue_number]) in page


def test_page_explains_why_players_advanced(client: Client) -> None:
    second = make_half_played_bracket()
    page = client.get(reverse("event-bracket", args=[second.event.slug])).content.decode()
    assert "Who advanced, and why" in page


def test_page_says_once_that_all_players_were_seeded_by_lot(client: Client) -> None:
    event = make_finished_final([400, 300, 200, 100])
    page = client.get(reverse("event-bracket", args=[event.slug])).content.decode()
    assert page.count("Seeded by drawing lots.") == 1


def test_tree_query_count_does_not_depend_on_tables(client: Client) -> None:
    def count_queries(players: int) -> int:
        address = reverse("event-bracket", args=[make_half_played_bracket(players).event.slug])
        with CaptureQueriesContext(connection) as captured:
            client.get(address)
        return len(captured)

    assert count_queries(16) == count_queries(8)
