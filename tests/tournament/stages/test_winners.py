"""The podium, with its steps and the other finalists."""

import pytest
from django.urls import reverse

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_finished_final,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.place_readers import extract_words, fetch_page
from tests.typed import sure
from tournament.advancing.services import announce_winner
from tournament.hall.sharing import make_event_preview
from tournament.models import Event, Stage, TableSeat
from tournament.results.stages import stage_results
from tournament.seating.services import seat_round
from tournament.stages.places import places
from tournament.stages.winners import Podium, build_podium, podium, winner
from tournament.standings.queries import leaderboard

pytestmark = pytest.mark.django_db


def list_names_by_seat(event: Event) -> list[str]:
    seats = TableSeat.objects.filter(table__round__stage__event=event)
    return [sure(seat.registration).name for seat in seats.order_by("number")]


def describe_podium(podium: Podium) -> list[tuple[int, list[str], int]]:
    """Return the place, the players' names and the points of each step."""
    return [
        (step.place, sorted(one.name for one in step.people), step.points) for step in podium.steps
    ]


def test_each_place_has_a_podium_step() -> None:
    event = make_finished_final([100, 400, 300, 200])
    one, two, three, four = list_names_by_seat(event)
    found = podium(event)
    assert describe_podium(found) == [(1, [two], 400), (2, [three], 300), (3, [four], 200)]
    assert [each.name for each in found.also] == [one]


def test_players_sharing_a_place_share_a_podium_step() -> None:
    event = make_finished_final([400, 300, 0, 0])
    one, two, *others = list_names_by_seat(event)
    assert describe_podium(podium(event)) == [
        (1, [one], 400),
        (2, [two], 300),
        (3, sorted(others), 0),
    ]
    assert podium(event).also == []


def test_podium_of_two_winners_has_no_second_place() -> None:
    event = make_finished_final([400, 400, 200, 100])
    one, two, three, four = list_names_by_seat(event)
    found = podium(event)
    assert describe_podium(found) == [(1, sorted([one, two]), 400), (3, [three], 200)]
    assert [each.name for each in found.also] == [four]


def test_four_players_can_share_third_place() -> None:
    event = make_finished_final([400, 300, 100, 100, 100, 100])
    assert [(place, len(people)) for place, people, _ in describe_podium(podium(event))] == [
        (1, 1),
        (2, 1),
        (3, 4),
    ]


def test_all_players_can_share_first_place() -> None:
    event = make_finished_final([0, 0, 0])
    assert describe_podium(podium(event)) == [(1, sorted(list_names_by_seat(event)), 0)]


def test_podium_of_one_place_has_a_single_step() -> None:
    event = make_finished_final([400, 300])
    results = stage_results(event)
    [first, _second] = places(results)
    assert describe_podium(build_podium(results, [first])) == [
        (1, [list_names_by_seat(event)[0]], 400)
    ]


def test_podium_is_empty_before_the_winner_is_announced() -> None:
    event = make_finished_final([400, 300])
    Event.objects.update(state=Event.State.RUNNING)
    event.refresh_from_db()
    assert podium(event) == Podium()


def test_every_view_shows_points_per_match_if_the_fewest_points_win() -> None:
    """Check that all views show points per match if the fewest points win.

    They once showed 117 points and 39 points per match for the same player.
    """
    event, organizer = make_organized_event(
        4, table_size=4, hand_limit=1, options={"scoring": "lowest"}
    )
    stage = first_stage(event)
    event.stages.exclude(pk=stage.pk).delete()
    Stage.objects.filter(pk=stage.pk).update(rounds_planned=2)
    for points in ([19, 60, 80, 90], [20, 60, 80, 90]):
        drawn = seat_round(first_stage(event), organizer)
        seats = (
            drawn.tables.get().seats.order_by("number").values_list("registration_id", flat=True)
        )
        by_player = dict(zip(sorted(map(sure, seats)), points, strict=True))
        started = start_drafted_round(drawn, organizer)
        finish_paper_round(started, organizer, [by_player[sure(pk)] for pk in seats])
    announce_winner(event, organizer)
    event.refresh_from_db()
    message = "19.50 points per match"
    assert sure(winner(event)).score == podium(event).steps[0].score == message
    assert leaderboard(event).rows[0].figure == "19.50"
    assert message in make_event_preview(event, winner(event)).text
    for name in ("event", "event-closing"):
        assert message in extract_words(fetch_page(None, reverse(name, args=[event.slug])))
