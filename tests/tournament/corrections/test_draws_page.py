"""Tests of the organizer's pages for a draw that no longer matches the results."""

from copy import deepcopy

import pytest
from django.test import Client

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.organizing import page, press_button
from tournament.advancing.services import draw_bracket
from tournament.models import Event, Round, Stage, User
from tournament.results.services import enter_result
from tournament.rounds.services import start_round
from tournament.seating.services import publish_round

pytestmark = pytest.mark.django_db

BANNER = "Final: results changed after the draw, so the seats no longer match them."
REASON = "Everyone has agreed to it."


@pytest.fixture(scope="module")
def shared_final(shared_rows: None) -> Round:
    """Draw a final from the entered results of a semi-final."""
    event, organizer = make_organized_event(8, title="Chem Fest")
    event.stages.filter(number=1).update(format=Stage.Format.BRACKET, advance=2)
    stage = first_stage(event)
    semi = start_drafted_round(draw_bracket(stage, organizer), organizer)
    finish_paper_round(semi, organizer)
    return draw_bracket(stage, organizer)


@pytest.fixture
def final(shared_final: Round) -> Round:
    return deepcopy(shared_final)


@pytest.fixture
def event(final: Round) -> Event:
    return final.stage.event


def correct_first_round(final: Round, organizer: User) -> None:
    table = final.stage.rounds.get(number=1).tables.get(number=1)
    enter_result(table, organizer, [0, 100, 300, 400], "The sheet was upside down.", override=True)


def test_every_page_about_the_final_warns_about_an_outdated_draw(
    client: Client, event: Event, final: Round, organizer: User
) -> None:
    addresses = [page(name, event) for name in ("desk", "bracket", "control")]
    addresses.append(page("round", event, final.pk))
    assert [BANNER in client.get(each).text for each in addresses] == [False] * 4
    correct_first_round(final, organizer)
    assert [BANNER in client.get(each).text for each in addresses] == [True] * 4


def test_outdated_draft_offers_redrawing_or_a_reason_instead_of_publishing(
    client: Client, event: Event, final: Round, organizer: User
) -> None:
    correct_first_round(final, organizer)
    address = page("round", event, final.pk)
    shown = client.get(address).text
    assert "Draw the seats again, change them by hand, or leave them as they are." in shown
    assert ('value="publish"' in shown, 'value="leave"' in shown) == (False, True)
    assert "Decide about that first" in press_button(client, address, "publish")
    seen = get_hidden_value(shown, "seen")
    after = press_button(client, address, "draw", seen=seen)
    assert (BANNER in after, 'value="publish"' in after) == (False, True)


def test_outdated_published_round_starts_after_a_reason_is_given(
    client: Client, event: Event, final: Round, organizer: User
) -> None:
    publish_round(final, organizer)
    correct_first_round(final, organizer)
    address = page("round", event, final.pk)
    shown = client.get(address).text
    assert 'value="start"' not in shown
    mismatch = get_hidden_value(shown, "mismatch")
    assert "Say why the seats are being left" in press_button(
        client, address, "leave", mismatch=mismatch
    )
    after = press_button(client, address, "leave", mismatch=mismatch, reason=REASON)
    assert "The seats of Final stay as they are." in after
    assert (BANNER in after, 'value="start"' in after) == (False, True)


def test_outdated_running_final_cannot_close_before_the_decision(
    client: Client, event: Event, final: Round, organizer: User
) -> None:
    final.tables.update(paper=True)
    start_round(publish_round(final, organizer), organizer)
    correct_first_round(final, organizer)
    shown = client.get(page("round", event, final.pk)).text
    assert "The round has started, so its seats stay the same." in shown
    refused = press_button(client, page("control", event), "close", round=final.pk, reason=REASON)
    assert "Decide about that first" in refused


def get_hidden_value(token: str, name: str) -> str:
    """Return the value of the first hidden field with this name."""
    return token.split(f'name="{name}" value="')[1].split('"')[0]
