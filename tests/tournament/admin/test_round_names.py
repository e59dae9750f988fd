"""Sentences and buttons call a round as its page does."""

import pytest
from django.test import Client

from tests.tournament.desk import page
from tests.tournament.helpers import finished, organized, qualified, started
from tournament.models import Event, Stage, User
from tournament.services.advancing import draw_bracket

pytestmark = pytest.mark.django_db

FINAL = "Draw the seats of the final"


@pytest.fixture
def event() -> Event:
    return organized(16, title="Chem Fest")[0]


@pytest.fixture
def second(event: Event, organizer: User) -> Stage:
    return qualified(event, organizer, 8)


def rounds(client: Client, event: Event) -> str:
    return client.get(page("rounds", event)).content.decode()


def test_the_button_of_the_last_round_of_a_bracket_draws_the_final(
    client: Client, event: Event, second: Stage, organizer: User
) -> None:
    before = rounds(client, event)
    assert "Draw the seats of round 1" in before
    assert FINAL not in before
    finished(started(draw_bracket(second, organizer), organizer), organizer)
    assert FINAL in rounds(client, event)


def test_where_the_way_to_the_final_is_not_known_the_button_has_the_number(
    client: Client, event: Event, second: Stage
) -> None:
    Stage.objects.filter(pk=second.pk).update(advance=9)
    assert "Draw the seats of round 1" in rounds(client, event)


def test_who_meets_again_is_told_by_stage_and_round(
    client: Client, event: Event, second: Stage, organizer: User
) -> None:
    finished(started(draw_bracket(second, organizer), organizer), organizer)
    final = draw_bracket(second, organizer)
    shown = client.get(page("round", event, final.pk)).content.decode()
    assert "met in Second round: Round 1." in shown
    assert "met in round" not in shown
