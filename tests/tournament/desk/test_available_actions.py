"""Actions that a table's and a round's pages offer an organizer, from draft to last result."""

from datetime import timedelta

import pytest
from django.utils import timezone

from games import services as games
from tests.factories import make_organizer
from tests.tournament.helpers import first_stage, organized, qualified, started
from tests.typed import sure
from tournament.advancing.services import draw_bracket
from tournament.desk.available_actions import TableOffers, round_offers, table_offers
from tournament.models import Event, Round, User
from tournament.results.queries import result_of, waiting_result
from tournament.results.services import enter_result
from tournament.rounds.services import abandon_table, pause
from tournament.seating.services import publish_round, seat_round

pytestmark = pytest.mark.django_db


def drafted(**fields: object) -> tuple[Round, Event, User]:
    event, organizer = organized(4, **fields)
    return seat_round(first_stage(event), organizer), event, organizer


def offered(played: Round) -> TableOffers:
    table = played.tables.get()
    return table_offers(result_of(table), waiting_result(table.results.all()))


def names(offers: TableOffers) -> set[str]:
    """Return the names of the offered actions."""
    return {name for name, yes in vars(offers).items() if yes is True}


def test_before_the_start_time_can_be_given_and_the_cards_chosen() -> None:
    played, _event, _organizer = drafted()
    assert names(offered(played)) == {"reason_needed", "time", "medium"}


def test_a_match_that_is_on_is_left_to_its_players() -> None:
    played, _event, organizer = drafted()
    started(played, organizer, paper=False)
    on = {"live", "reason_needed", "time", "abandon", "medium"}
    assert names(offered(played)) == on
    pause(played, organizer)
    assert (offered(played).state, names(offered(played))) == ("paused", on)


def test_an_abandoned_match_leaves_points_to_be_entered_with_a_reason() -> None:
    played, _event, organizer = drafted()
    started(played, organizer, paper=False)
    abandon_table(played.tables.get(), organizer, "The hall closes.")
    assert names(offered(played)) == {"enter", "reason_needed", "medium"}


def test_a_finished_match_can_be_corrected_with_a_reason() -> None:
    played, _event, organizer = drafted(hand_limit=1)
    started(played, organizer, paper=False)
    games.play_out(sure(played.tables.get().match))
    assert names(offered(played)) == {"enter", "reason_needed"}


def test_points_from_paper_need_no_reason_but_perhaps_a_second_organizer() -> None:
    played, event, organizer = drafted(second_person="all")
    make_organizer(event)
    started(played, organizer)
    assert names(offered(played)) == {"enter", "medium"}
    enter_result(played.tables.get(), organizer, [400, 300, 200, 100])
    assert names(offered(played)) == {"enter"}


def test_seats_change_until_the_start_and_once_published_with_a_reason() -> None:
    played, _event, organizer = drafted()
    found = []
    for step in (lambda: None, lambda: publish_round(played, organizer)):
        step()
        may = round_offers(Round.objects.get(pk=played.pk))
        found.append((may.changeable, may.with_reason))
    assert found == [(True, False), (True, True)]


def test_the_start_closes_a_registration_that_is_open_until_play_goes_on() -> None:
    played, event, _organizer = drafted()
    event.registration_closes = timezone.now() + timedelta(hours=1)
    event.save()
    assert round_offers(Round.objects.get(pk=played.pk)).starting == "closes"
    Event.objects.filter(pk=event.pk).update(state="running")
    assert round_offers(Round.objects.get(pk=played.pk)).starting == "stays"
    Event.objects.filter(pk=event.pk).update(registration_closes=timezone.now())
    assert round_offers(Round.objects.get(pk=played.pk)).starting == ""


def test_a_bracket_lets_nobody_in() -> None:
    event, organizer = organized(8)
    final = draw_bracket(qualified(event, organizer, 4), organizer)
    Event.objects.filter(pk=event.pk).update(registration_closes=None)
    assert round_offers(Round.objects.get(pk=final.pk)).starting == "closes"
