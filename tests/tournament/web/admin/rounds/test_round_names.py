"""Tests of the names of rounds on pages and buttons."""

import re

import pytest
from django.test import Client

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.organizing import page
from tournament.advancing.services import draw_bracket
from tournament.models import Event, Round, Stage, User
from tournament.oversight.history_texts import history
from tournament.seating.changes import change_seats
from tournament.seating.queries import list_seated

pytestmark = [pytest.mark.django_db, pytest.mark.event(players=16, title="Chem Fest")]

DRAW_FINAL_BUTTON = "Draw seats for the final"


@pytest.fixture
def second_stage(event: Event, organizer: User) -> Stage:
    return make_second_stage(event, organizer, 8)


def read_rounds_page(client: Client, event: Event) -> str:
    return client.get(page("rounds", event)).content.decode()


def test_button_for_the_last_bracket_round_draws_the_final(
    client: Client, event: Event, second_stage: Stage, organizer: User
) -> None:
    before = read_rounds_page(client, event)
    assert "Draw seats for the semi-final" in before
    assert DRAW_FINAL_BUTTON not in before
    finish_paper_round(
        start_drafted_round(draw_bracket(second_stage, organizer), organizer), organizer
    )
    assert DRAW_FINAL_BUTTON in read_rounds_page(client, event)


def test_draw_button_shows_the_round_number_if_later_rounds_are_unknown(
    client: Client, event: Event, second_stage: Stage
) -> None:
    Stage.objects.filter(pk=second_stage.pk).update(advance=9)
    assert "Draw seats for round 2" in read_rounds_page(client, event)


def test_opponents_who_meet_again_are_listed(
    client: Client, event: Event, second_stage: Stage, organizer: User
) -> None:
    finish_paper_round(
        start_drafted_round(draw_bracket(second_stage, organizer), organizer), organizer
    )
    final = draw_bracket(second_stage, organizer)
    shown = client.get(page("round", event, final.pk)).content.decode()
    assert "in consecutive rounds" in shown
    assert "met in round" not in shown


def test_rounds_are_numbered_across_the_event_and_last_ones_are_named(
    client: Client, event: Event, organizer: User
) -> None:
    second = make_second_stage(event, organizer, 16)
    shown = client.get(page("bracket", event)).content.decode()
    assert re.findall(r"([\w -]+): (?:\d tables|one table)", shown) == [
        "Quarter-final",
        "Semi-final",
        "Final",
    ]
    Stage.objects.filter(pk=second.pk).update(advance=3)
    finish_paper_round(start_drafted_round(draw_bracket(second, organizer), organizer), organizer)
    names = [played.title for played in Round.objects.order_by("ordinal")]
    assert names == ["Round 1", "Round 2"]


def test_round_names_stay_unique_when_the_bracket_grows(
    event: Event, second_stage: Stage, organizer: User
) -> None:
    finish_paper_round(
        start_drafted_round(draw_bracket(second_stage, organizer), organizer), organizer
    )
    final = draw_bracket(second_stage, organizer)
    for player, target in zip(list_seated(final)[0][2:], ("new", "table:2"), strict=True):
        change_seats(final, organizer, event.registrations.get(pk=player), target)
    names = [played.title for played in Round.objects.order_by("ordinal")]
    assert names == ["Round 1", "Semi-final", "Round 3"]


def test_history_refers_to_rounds_by_name(
    event: Event, second_stage: Stage, organizer: User
) -> None:
    draw_bracket(second_stage, organizer)
    seeded = "players were seeded by their results, and seats follow the seeds."
    assert history(event).rows[0].text == f"Semi-final: {seeded}"
    second_stage.rounds.all().delete()
    message = history(event).rows[0].text
    assert message == f"Second round (knockout), Round 1: {seeded}"


def test_bracket_without_earlier_results_is_seeded_by_lot() -> None:
    event, organizer = make_organized_event(8)
    event.stages.filter(number=1).update(format="bracket", advance=2)
    for _round in range(2):
        drawn = draw_bracket(first_stage(event), organizer)
        finish_paper_round(start_drafted_round(drawn, organizer), organizer)
    message = [row.text for row in history(event).rows]
    assert [text for text in message if "seeded" in text] == [
        "Final: players were seeded by their results, and seats follow the seeds.",
        "Semi-final: players were seeded by lot, and seats follow the seeds.",
    ]


def test_bracket_page_draws_the_next_round(
    client: Client, event: Event, second_stage: Stage, organizer: User
) -> None:
    shown = client.get(page("bracket", event)).content.decode()
    assert "Draw seats for the semi-final" in shown
    draw_bracket(second_stage, organizer)
    assert "Draw the seats" not in client.get(page("bracket", event)).content.decode()
