"""Tests of replacing an absent player with a reserve on the round's page."""

import pytest
from django.test import Client

from tests.factories import make_registrations
from tests.tournament.organizing import page, press_button
from tournament.models import Event, Registration, Round, User
from tournament.seating.queries import list_seated
from tournament.seating.services import publish_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def published_round(drafted_round: Round, organizer: User) -> Round:
    return publish_round(drafted_round, organizer)


def test_absent_player_is_replaced_with_one_click(
    client: Client, event: Event, published_round: Round
) -> None:
    [late] = make_registrations(event, 1)
    absent = Registration.objects.get(pk=list_seated(published_round)[0][0])
    address = page("round", event, published_round.pk)
    asked = f"?reserve={absent.pk}#table-1"
    assert asked in client.get(address).content.decode()
    shown = client.get(address, {"reserve": absent.pk}).content.decode()
    assert f"{late.name} is checked in without a seat and will play instead." in shown
    done = press_button(client, address, "reserve", player=absent.pk, reason="No-show.")
    assert f"{late.name} replaces {absent.name}." in done
    assert list_seated(published_round)[0][0] == late.pk


def test_round_page_says_if_there_is_no_reserve(
    client: Client, event: Event, published_round: Round
) -> None:
    asked = {"reserve": list_seated(published_round)[0][0]}
    shown = client.get(page("round", event, published_round.pk), asked).content.decode()
    assert "There is no reserve for " in shown


def test_draft_round_offers_no_reserve(client: Client, event: Event, drafted_round: Round) -> None:
    assert "?reserve=" not in client.get(page("round", event, drafted_round.pk)).content.decode()


@pytest.mark.parametrize("reserve", ["x", "99999"])
def test_unknown_reserve_in_the_url_is_ignored(
    client: Client, event: Event, published_round: Round, reserve: str
) -> None:
    shown = client.get(page("round", event, published_round.pk), {"reserve": reserve})
    assert (shown.status_code, shown.context["reserve"]) == (200, {})
