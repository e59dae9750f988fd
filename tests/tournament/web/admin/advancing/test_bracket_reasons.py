"""Tests of the reasons that pages show for players who advance in a bracket or do not."""

from copy import deepcopy
from dataclasses import replace

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.helpers import (
    finish_paper_round,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.organizing import page, press_button
from tests.tournament.staging import play
from tournament.advancing.services import draw_bracket
from tournament.hall.queries import bracket
from tournament.hall.table_views import SeatView
from tournament.models import Event, Round, Stage, User
from tournament.pure.arrangement import RoundSeating
from tournament.pure.brackets.plans import had_bye
from tournament.pure.qualifying.sentences import describe_no_result
from tournament.registration.services import refuse
from tournament.results.queries import table_results
from tournament.rounds.services import close_round
from tournament.seating.changes import change_seats
from tournament.seating.services import publish_round

pytestmark = pytest.mark.django_db

SENTENCES = [
    "1st at table 1. The top 2 advance.",
    "2nd at table 1. The top 2 advance.",
    "3rd at table 1. The top 2 advance.",
    "4th at table 1. The top 2 advance.",
]


Cut = tuple[Event, Stage]


@pytest.fixture(scope="module")
def shared_cut(shared_rows: None) -> Cut:
    """Create an event in which eight of sixteen players have advanced."""
    event, organizer = make_organized_event(16, title="Chem Fest")
    return event, make_second_stage(event, organizer, 8)


@pytest.fixture
def cut(shared_cut: Cut) -> Cut:
    return deepcopy(shared_cut)


@pytest.fixture
def event(cut: Cut) -> Event:
    return cut[0]


@pytest.fixture
def second_stage(cut: Cut) -> Stage:
    return cut[1]


@pytest.fixture
def first_bracket_round(second_stage: Stage, organizer: User) -> Round:
    """Provide the closed first round of the bracket."""
    return finish_paper_round(
        start_drafted_round(draw_bracket(second_stage, organizer), organizer), organizer
    )


def get_first_bracket_seats(event: Event) -> list[SeatView]:
    """Return the seats of the first table in the bracket's first round."""
    shown = bracket(event)
    assert shown is not None
    return shown.rounds[0].tables[0].seats


def test_reasons_are_shown_once_the_round_is_closed(
    client: Client, event: Event, first_bracket_round: Round
) -> None:
    for address in (page("bracket", event), reverse("event-bracket", args=[event.slug])):
        shown = client.get(address).content.decode()
        assert [sentence in shown for sentence in SENTENCES] == [True] * 4


def test_no_player_advances_while_the_round_is_open(
    event: Event, second_stage: Stage, organizer: User
) -> None:
    start_drafted_round(draw_bracket(second_stage, organizer), organizer)
    assert {(seat.through, seat.why) for seat in get_first_bracket_seats(event)} == {(False, "")}


def test_reasons_stored_by_the_draw_remain_after_a_player_leaves(
    event: Event, first_bracket_round: Round, second_stage: Stage, organizer: User
) -> None:
    finish_paper_round(
        start_drafted_round(draw_bracket(second_stage, organizer), organizer), organizer
    )
    assert [(seat.through, seat.why) for seat in get_first_bracket_seats(event)] == list(
        zip([True, True, False, False], SENTENCES, strict=True)
    )
    best = get_first_bracket_seats(event)[0].registration
    assert best is not None
    refuse(best, organizer, "Played with a second phone.")
    assert [seat.why for seat in get_first_bracket_seats(event)] == SENTENCES


def test_manual_change_after_the_draw_is_shown(
    event: Event, first_bracket_round: Round, second_stage: Stage, organizer: User
) -> None:
    final = draw_bracket(second_stage, organizer)
    third, loser = (
        get_first_bracket_seats(event)[2].registration,
        get_first_bracket_seats(event)[1].registration,
    )
    assert third is not None
    assert loser is not None
    change_seats(final, organizer, loser, "out")
    seats = final.tables.get().seats
    seats.create(number=9, registration=third)
    publish_round(final, organizer, "They agreed to it.")
    assert [(seat.through, seat.why) for seat in get_first_bracket_seats(event)][1:3] == [
        (False, f"{SENTENCES[1]} Won’t play in the next round after all."),
        (True, "Given a spot in the next round by the organizers."),
    ]


def test_older_draw_without_stored_reasons_derives_them_from_results(
    event: Event, first_bracket_round: Round, second_stage: Stage, organizer: User
) -> None:
    final = publish_round(draw_bracket(second_stage, organizer), organizer)
    final.seating = replace(final.seating, why=())
    final.save(update_fields=["seating"])
    assert [seat.why for seat in get_first_bracket_seats(event)] == SENTENCES


def test_reasons_are_stored_with_the_draw() -> None:
    kept = RoundSeating(seeds=(2, 1), why=((1, had_bye()), (2, describe_no_result())))
    assert RoundSeating.from_json(kept.to_json()) == kept


def test_bracket_with_invalid_settings_shows_no_advancing_players(
    event: Event, first_bracket_round: Round, second_stage: Stage
) -> None:
    Stage.objects.filter(pk=second_stage.pk).update(advance=9)
    assert {(seat.through, seat.why) for seat in get_first_bracket_seats(event)} == {(False, "")}


def test_round_with_missing_results_shows_no_advancing_players(
    client: Client, event: Event, second_stage: Stage, organizer: User
) -> None:
    played = start_drafted_round(draw_bracket(second_stage, organizer), organizer)
    close_round(played, organizer, "Fire alarm.")
    assert {(seat.through, seat.why) for seat in get_first_bracket_seats(event)} == {(False, "")}
    shown = press_button(client, page("bracket", event), "playoff")
    assert "advances" not in shown.replace("Who advances", "")


def test_cards_left_break_ties_at_zero_points_before_lots() -> None:
    event, organizer = make_organized_event(16, hand_limit=1)
    second = make_second_stage(event, organizer, 8)
    second.cut_ties = Stage.Ties.LOTS
    second.save(update_fields=["cut_ties"])
    played = start_drafted_round(draw_bracket(second, organizer), organizer, paper=False)
    for table in played.tables.all():
        play(table)
    close_round(played, organizer)
    shown = bracket(event)
    assert shown is not None
    for view, found in zip(shown.rounds[0].tables, table_results(played), strict=True):
        figures = zip(found.points, found.left, strict=True)
        ranked = sorted((-points, left, n) for n, (points, left) in enumerate(figures))
        apart = ranked[1][:2] != ranked[2][:2]
        best = {number for _points, _left, number in ranked[:2]}
        assert not apart or {seat.number for seat in view.seats if seat.through} == best
        assert not apart or not any("lots" in seat.why for seat in view.seats)
