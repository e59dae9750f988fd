"""Tests of the sentence about a player's next step, between rounds and after the last one."""

import pytest

from tests.factories import make_players
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_finished_final,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tests.typed import sure
from tournament.advancing.next_rounds import draw_round
from tournament.advancing.services import announce_winner, draw_bracket
from tournament.hall.queries import player_page
from tournament.models import Event, Registration, Stage, TableSeat, User
from tournament.results.services import enter_result
from tournament.rounds.services import close_round
from tournament.seating.changes import change_seats
from tournament.seating.services import publish_round
from tournament.standings.freezing import freeze

pytestmark = pytest.mark.django_db

WINNER_NOT_ANNOUNCED = "The organizers will announce the winner here."
HAS_SPOT = "You have a spot. Your table will appear here once the round is published."
ELIMINATED = "You’re not in the next round. You can still watch the other players."
ROUND_OVER = "The round is over. If you advance, your next table will appear here."


def get_next_step(registration: Registration) -> str:
    event = Event.objects.get(pk=registration.event_id)
    return sure(player_page(event, sure(registration.user))).next_step


def count_players_by_sentence(event: Event) -> dict[str, int]:
    """Count the players by the sentence about their next step."""
    said = [get_next_step(each) for each in event.registrations.filter(state="approved")]
    return {text: said.count(text) for text in said}


def make_event_with_bracket() -> tuple[Event, User, Stage]:
    """Create an event in which four of eight players advance to a bracket with tables of two.

    The first round has been played. Returns the event, the organizer and the bracket's stage.
    """
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    Event.objects.filter(pk=event.pk).update(table_size=2)
    Stage.objects.filter(pk=stage.pk).update(format=Stage.Format.BRACKET, advance=1)
    return event, organizer, Stage.objects.get(pk=stage.pk)


def test_all_players_keep_their_spot_between_rounds_of_a_stage() -> None:
    event, organizer = make_organized_event(4)
    event.stages.filter(number=1).update(rounds_planned=2)
    play_first_round(event, organizer)
    assert count_players_by_sentence(event) == {HAS_SPOT: 4}


def test_eliminated_players_are_informed_only_after_the_cut() -> None:
    event, organizer = make_organized_event(8)
    event.stages.filter(number=1).update(rounds_planned=1)
    play_first_round(event, organizer)
    assert count_players_by_sentence(event) == {ROUND_OVER: 8}
    event, organizer, stage = make_event_with_bracket()
    text = (
        f"You’ve advanced! Next up: {stage}. Your table will appear here once the seats have "
        "been drawn."
    )
    assert count_players_by_sentence(event) == {text: 4, ELIMINATED: 4}


def test_bracket_elimination_is_shown_after_the_next_round_is_published() -> None:
    event, organizer, stage = make_event_with_bracket()
    finish_paper_round(start_drafted_round(draw_bracket(stage, organizer), organizer), organizer)
    assert count_players_by_sentence(event) == {ROUND_OVER: 4, ELIMINATED: 4}
    drawn = draw_round(Stage.objects.get(pk=stage.pk), organizer)
    assert count_players_by_sentence(event) == {ROUND_OVER: 4, ELIMINATED: 4}
    publish_round(drawn, organizer)
    assert count_players_by_sentence(event)[ELIMINATED] == 6


def test_frozen_leaderboard_hides_who_advanced() -> None:
    event, organizer = make_organized_event(8)
    event.stages.filter(number=1).update(rounds_planned=1)
    freeze(event, organizer)
    make_second_stage(Event.objects.get(pk=event.pk), organizer, 4)
    assert count_players_by_sentence(event) == {HAS_SPOT: 8}


def test_player_with_a_bye_sees_it() -> None:
    event, organizer = make_organized_event(8)
    played = draw_bracket(make_second_stage(event, organizer, 6), organizer)
    seated = sure(TableSeat.objects.filter(table__round=played).first())
    change_seats(played, organizer, sure(seated.registration), "bye", "They have lunch.")
    publish_round(played, organizer)
    assert get_next_step(sure(seated.registration)) == (
        f"{played}: you have a bye. Your next table will appear here."
    )


def test_finalists_wait_only_for_the_announcement() -> None:
    event, organizer = make_organized_event(4)
    event.stages.filter(number=1).update(format=Stage.Format.BRACKET, advance=1)
    played = start_drafted_round(draw_bracket(first_stage(event), organizer), organizer)
    [table] = played.tables.all()
    enter_result(table, organizer, [400, 300, 200, 100], "Counted.", override=True)
    assert count_players_by_sentence(event) == {f"The final is over. {WINNER_NOT_ANNOUNCED}": 4}
    close_round(played, organizer)
    assert count_players_by_sentence(event) == {
        f"All rounds have been played. {WINNER_NOT_ANNOUNCED}": 4
    }
    announce_winner(event, organizer)
    assert count_players_by_sentence(event) == {"The event is over.": 4}


@pytest.mark.parametrize("state", [Registration.State.WAITLIST, Registration.State.PENDING])
def test_finished_event_has_no_next_step_for_waitlisted_players(state: str) -> None:
    event = make_finished_final([400, 300])
    [late] = make_players(event, 1)
    Registration.objects.filter(pk=late.pk).update(state=state)
    assert get_next_step(late) == "The event is over."
