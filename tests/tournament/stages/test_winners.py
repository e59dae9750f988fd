"""The podium: its steps by place, and the other players of the final."""

import pytest

from tests.tournament.helpers import final_of
from tests.typed import sure
from tournament.models import Event, TableSeat
from tournament.results.stages import stage_results
from tournament.stages.places import places
from tournament.stages.winners import Podium, podium, podium_of

pytestmark = pytest.mark.django_db


def list_names_by_seat(event: Event) -> list[str]:
    seats = TableSeat.objects.filter(table__round__stage__event=event)
    return [sure(seat.registration).name for seat in seats.order_by("number")]


def describe_podium(found: Podium) -> list[tuple[int, list[str], int]]:
    """Return each step's place, its players and the points of each."""
    return [
        (step.place, sorted(one.name for one in step.people), step.points) for step in found.steps
    ]


def test_each_place_is_a_step() -> None:
    event = final_of([100, 400, 300, 200])
    one, two, three, four = list_names_by_seat(event)
    found = podium(event)
    assert describe_podium(found) == [(1, [two], 400), (2, [three], 300), (3, [four], 200)]
    assert [each.name for each in found.also] == [one]


def test_who_shares_a_place_stands_on_one_step() -> None:
    event = final_of([400, 300, 0, 0])
    one, two, *others = list_names_by_seat(event)
    assert describe_podium(podium(event)) == [
        (1, [one], 400),
        (2, [two], 300),
        (3, sorted(others), 0),
    ]
    assert podium(event).also == []


def test_two_winners_share_the_first_step_and_nobody_is_second() -> None:
    event = final_of([400, 400, 200, 100])
    one, two, three, four = list_names_by_seat(event)
    found = podium(event)
    assert describe_podium(found) == [(1, sorted([one, two]), 400), (3, [three], 200)]
    assert [each.name for each in found.also] == [four]


def test_four_thirds_make_no_fourth_step() -> None:
    event = final_of([400, 300, 100, 100, 100, 100])
    assert [(place, len(people)) for place, people, _ in describe_podium(podium(event))] == [
        (1, 1),
        (2, 1),
        (3, 4),
    ]


def test_all_may_be_first() -> None:
    event = final_of([0, 0, 0])
    assert describe_podium(podium(event)) == [(1, sorted(list_names_by_seat(event)), 0)]


def test_one_person_stands_there_alone() -> None:
    event = final_of([400, 300])
    results = stage_results(event)
    [first, _second] = places(results)
    assert describe_podium(podium_of(results, [first])) == [
        (1, [list_names_by_seat(event)[0]], 400)
    ]


def test_before_the_winner_is_announced_nobody_does() -> None:
    event = final_of([400, 300])
    Event.objects.update(state=Event.State.RUNNING)
    event.refresh_from_db()
    assert podium(event) == Podium()
