"""Tests of seating events with partners, with and without rotation."""

from collections import Counter

import pytest
from django.test import Client

from tests.factories import make_registrations
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.organizing import page
from tests.typed import sure
from tournament.desk.available_actions import list_partner_pairs
from tournament.hall.queries import tables
from tournament.models import Event, Registration, Round, User
from tournament.seating.changes import change_seats, repair_round
from tournament.seating.queries import list_seated, review_seats
from tournament.seating.services import publish_round, seat_round

pytestmark = pytest.mark.django_db


def make_partners_event(
    players: int, rounds: int = 1, rotation: bool = False
) -> tuple[Event, User]:
    event, organizer = make_organized_event(players, options={"partners": True})
    event.stages.filter(number=1).update(rotation=rotation, rounds_planned=rounds)
    return event, organizer


def withdraw_player(pk: int) -> None:
    Registration.objects.filter(pk=pk).update(state=Registration.State.WITHDRAWN)


def count_partners(rounds: list[Round]) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(pair)
        for played in rounds
        for table in list_seated(played)
        for pair in (table[::2], table[1::2])
    )


def test_new_player_takes_the_rotation_position_of_a_departed_one() -> None:
    event, organizer = make_partners_event(8, 7, rotation=True)
    stage = first_stage(event)
    played = [seat_round(stage, organizer)]
    finish_paper_round(start_drafted_round(played[0], organizer), organizer)
    withdraw_player(sorted(event.registrations.values_list("pk", flat=True))[2])
    Event.objects.filter(pk=event.pk).update(registration_closes=None)
    event.refresh_from_db()
    make_registrations(event, 1)
    for _ in range(6):
        played.append(seat_round(stage, organizer))
        finish_paper_round(start_drafted_round(played[-1], organizer), organizer)
    assert set(count_partners(played).values()) == {1}


def test_manually_seated_player_takes_the_rotation_position_of_that_seat() -> None:
    event, organizer = make_partners_event(8, 7, rotation=True)
    stage = first_stage(event)
    first = seat_round(stage, organizer)
    before = first.seating.order
    departed = [list_seated(first)[0][1], list_seated(first)[1][2]]
    for pk in departed:
        withdraw_player(pk)
    subs = make_registrations(event, 2)
    for sub, pk in zip(reversed(subs), departed, strict=True):
        change_seats(first, organizer, sub, f"swap:{pk}")
    finish_paper_round(start_drafted_round(first, organizer), organizer)
    second = seat_round(stage, organizer)
    replaced = {departed[0]: subs[1].pk, departed[1]: subs[0].pk}
    assert second.seating.order == tuple(replaced.get(pk, pk) for pk in before)


def test_repair_gives_the_new_player_the_partner_of_the_departed_one() -> None:
    event, organizer = make_partners_event(8, 7, rotation=True)
    played = seat_round(first_stage(event), organizer)
    (one, departed, *others), other = list_seated(played)
    withdraw_player(departed)
    [sub] = make_registrations(event, 1)
    repair_round(played, organizer)
    assert list_seated(played) == ((one, sub.pk, *others), other)


def test_no_show_leads_to_byes_and_a_publishable_round() -> None:
    event, organizer = make_partners_event(8)
    played = seat_round(first_stage(event), organizer)
    departed, *left = list_seated(played)[1]
    withdraw_player(departed)
    repair_round(played, organizer)
    assert [len(table) for table in list_seated(played)] == [4]
    assert sorted(played.seating.byes) == sorted(left)
    assert publish_round(played, organizer).state == Round.State.PUBLISHED


def test_new_player_without_a_free_seat_gets_a_bye() -> None:
    event, organizer = make_partners_event(8)
    played = seat_round(first_stage(event), organizer)
    withdraw_player(list_seated(played)[1][0])
    first, second = make_registrations(event, 2)
    repair_round(played, organizer)
    assert list_seated(played)[1][0] == first.pk
    assert played.seating.byes == (second.pk,)
    assert (
        f"{second.name} gets a bye, because no table has a free seat."
        in sure(event.audit.first()).text
    )


def test_repeated_partners_are_named() -> None:
    event, organizer = make_partners_event(4, 3, rotation=True)
    stage = first_stage(event)
    first = seat_round(stage, organizer)
    finish_paper_round(start_drafted_round(first, organizer), organizer)
    second = seat_round(stage, organizer)
    assert list_repeated_partners(second) == []
    a, b, c, d = list_seated(second)[0]
    # The former partner of `a` is beside `a`. Swapping with the player opposite reunites the pair.
    before = list_seated(first)[0]
    old = before[(before.index(a) + 2) % 4]
    assert old in (b, d)
    change_seats(second, organizer, event.registrations.get(pk=old), f"swap:{c}")
    assert len(list_repeated_partners(second)) == 2


def list_repeated_partners(round_: Round) -> list[str]:
    return [
        b.sentence for b in review_seats(round_).quality.broken if "partners again" in b.sentence
    ]


def test_number_of_rounds_depends_on_the_players_and_byes_rotate() -> None:
    event, organizer = make_partners_event(5, rounds=3, rotation=True)
    stage = first_stage(event)
    played = seat_round(stage, organizer)
    stage.refresh_from_db()
    assert (stage.rounds_planned, len(played.seating.byes)) == (5, 1)
    assert not review_seats(played).quality.hard
    byes = played.seating.byes
    for _ in range(5):
        finish_paper_round(start_drafted_round(played, organizer), organizer)
        played = seat_round(stage, organizer)
        byes += played.seating.byes
    assert sorted(byes[:5]) == sorted(event.registrations.values_list("pk", flat=True))


def test_partners_are_listed_together_and_their_points_shown_once() -> None:
    event, organizer = make_partners_event(4)
    played = finish_with_points(seat_round(first_stage(event), organizer), organizer)
    (table,) = played.tables.all()
    names = [str(seat) for seat in table.seats.all()]
    (shown,) = tables(event)[0].tables
    assert [(seat.name, seat.points, seat.partner) for seat in shown.seats] == [
        (names[0], 300, names[2]),
        (names[2], None, ""),
        (names[1], 100, names[3]),
        (names[3], None, ""),
    ]
    assert [(str(a), str(b)) for a, b in list_partner_pairs(table)] == [
        tuple(names[::2]),
        tuple(names[1::2]),
    ]


def finish_with_points(round_: Round, organizer: User) -> Round:
    return finish_paper_round(
        start_drafted_round(round_, organizer), organizer, [300, 100, 300, 100]
    )


def test_draft_shows_the_pairs_of_partners(client: Client) -> None:
    event, organizer = make_partners_event(4)
    played = seat_round(first_stage(event), organizer)
    client.force_login(organizer)
    shown = " ".join(client.get(page("round", event, played.pk)).content.decode().split())
    one, two, three, four = (str(seat) for seat in played.tables.get().seats.all())
    assert (
        f"<bdi>{one}</bdi> and <bdi>{three}</bdi> versus <bdi>{two}</bdi> and <bdi>{four}</bdi>"
    ) in shown


def test_individual_play_has_no_partners() -> None:
    event, organizer = make_organized_event(4)
    played = seat_round(first_stage(event), organizer)
    assert list_partner_pairs(played.tables.get()) == []
