"""Tests of reserves who replace absent players: their order, the effect and the refusals."""

from dataclasses import replace

import pytest
from django.utils import timezone

from tests.factories import make_event, make_organizer, make_players, make_registrations
from tests.tournament.helpers import code_of, make_organized_event, make_second_stage
from tests.tournament.staging import make_stage, organizer_of
from tournament.advancing.services import draw_bracket
from tournament.attendance.substitution import describe_reserve_effect, substitute_reserve
from tournament.models import AuditEntry, DeskMessage, Event, Registration, Round
from tournament.seating.queries import list_seated
from tournament.seating.services import publish_round, seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

State = Registration.State
WHY = "No-show."


def make_published_round(players: int, **fields: object) -> Round:
    event = make_event(**{"table_size": 4, **fields})
    make_players(event, players)
    organizer = make_organizer(event)
    return publish_round(seat_round(make_stage(event), organizer), organizer)


def first_of(round_: Round) -> Registration:
    return Registration.objects.get(pk=list_seated(round_)[0][0])


def substitute(round_: Round, absent: Registration, **more: str) -> Registration | None:
    actor = organizer_of(round_.stage.event)
    return substitute_reserve(round_, absent, actor, WHY, **more)


def give_bye(round_: Round, registration: Registration) -> None:
    """Give the player a bye, as a draw does for players left without a table."""
    round_.tables.get().seats.filter(registration=registration).delete()
    round_.seating = replace(round_.seating, byes=(registration.pk,))
    round_.save()


def test_substitute_takes_the_seat_and_the_absentee_keeps_the_place() -> None:
    played = make_published_round(4)
    [late] = make_players(played.stage.event, 1)
    absent = first_of(played)
    assert describe_reserve_effect(played, absent) == [
        f"{late.name} is checked in without a seat and will play instead.",
        f"{absent.name} will be marked as a no-show but will keep the spot in the event, "
        "and can play again after returning.",
        "The table will get a message. Seats in this round are not sent by email.",
    ]
    assert substitute(played, absent) == late
    assert list_seated(played)[0][0] == late.pk
    absent.refresh_from_db()
    assert (absent.state, absent.absent_at is not None) == (State.APPROVED, True)


def test_substitution_is_logged_and_announced_at_the_table() -> None:
    played = make_published_round(4)
    [late] = make_players(played.stage.event, 1)
    absent = first_of(played)
    substitute(played, absent)
    message = DeskMessage.objects.get()
    assert str(message) == f"{late.name} replaces {absent.name} at your table."
    assert message.table == played.tables.get()
    changed = AuditEntry.objects.get(action="change-seats")
    told = f"Round 1: {late.name} took {absent.name}’s seat."
    assert (changed.text, changed.reason) == (told, WHY)


def test_bye_player_is_preferred_over_a_late_arrival() -> None:
    played = make_published_round(5)
    out = Registration.objects.get(pk=list_seated(played)[0][-1])
    give_bye(played, out)
    make_players(played.stage.event, 1)
    assert substitute(played, first_of(played)) == out
    played.refresh_from_db()
    assert played.seating.byes == ()


def make_waiting_players(event: Event, count: int) -> list[Registration]:
    """Fill the event and register `count` more players."""
    event.capacity = event.registrations.filter(state=State.APPROVED).count()
    event.save()
    return make_registrations(event, count)


@pytest.mark.parametrize("state", [Event.State.OPEN, Event.State.RUNNING])
def test_waitlisted_player_is_last_and_takes_the_place_in_a_full_event(state: str) -> None:
    played = make_published_round(4)
    event = played.stage.event
    first, _second = make_waiting_players(event, 2)
    Event.objects.update(state=state)
    played, absent = Round.objects.get(), first_of(played)
    assert describe_reserve_effect(played, absent)[:2] == [
        f"{first.name} is first on the waitlist and will get a spot and play instead.",
        f"{absent.name} will leave the event, which frees up a spot.",
    ]
    assert substitute(played, absent) == first
    states = {r.pk: r.state for r in event.registrations.all()}
    assert (states[absent.pk], states[first.pk]) == (State.WITHDRAWN, State.APPROVED)
    assert list_seated(played)[0][0] == first.pk


def test_waitlisted_substitute_must_be_checked_in_if_required() -> None:
    played = make_published_round(4)
    event = played.stage.event
    _first, second = make_waiting_players(event, 2)
    Registration.objects.filter(pk=second.pk).update(checked_in_at=timezone.now())
    Event.objects.update(check_in=True, state=Event.State.RUNNING)
    assert substitute(Round.objects.get(), first_of(played)) == second


def test_next_in_line_substitutes_after_a_cut() -> None:
    event, organizer = make_organized_event(8)
    second = make_second_stage(event, organizer, 4)
    played = publish_round(draw_bracket(second, organizer), organizer)
    absent = first_of(played)
    came = substitute(played, absent)
    assert came is not None
    absent.refresh_from_db()
    assert (absent.state, list_seated(played)[0][0]) == (State.WITHDRAWN, came.pk)


def test_substitution_waits_for_the_second_organizer() -> None:
    event, organizer = make_organized_event(8, second_person=Event.SecondPerson.ALL)
    second = make_second_stage(event, organizer, 4)
    played = publish_round(draw_bracket(second, organizer), organizer)
    make_organizer(event)
    absent = first_of(played)
    assert substitute_reserve(played, absent, organizer, WHY) is None
    assert (list_seated(played)[0][0], DeskMessage.objects.count()) == (absent.pk, 0)
    assert event.proposals.get().asked_by == organizer


def test_substitution_preview_changes_nothing() -> None:
    event, organizer = make_organized_event(8)
    second = make_second_stage(event, organizer, 4)
    played = publish_round(draw_bracket(second, organizer), organizer)
    absent = first_of(played)
    [told, _message] = describe_reserve_effect(played, absent)
    assert told.startswith(f"{absent.name} will leave the event, and ")
    assert second.qualifiers.filter(active=True).count() == 4
    assert list_seated(played)[0][0] == absent.pk


@pytest.fixture
def alone() -> Round:
    return make_published_round(4)


def test_substitution_needs_a_reserve(alone: Round) -> None:
    assert code_of(describe_reserve_effect, alone, first_of(alone)) == "nobody"
    assert code_of(substitute, alone, first_of(alone)) == "nobody"


def test_substitution_needs_a_reason(alone: Round) -> None:
    actor = organizer_of(alone.stage.event)
    assert code_of(substitute_reserve, alone, first_of(alone), actor, " ") == "no-reason"


def test_outdated_page_cannot_substitute(alone: Round) -> None:
    assert code_of(substitute, alone, first_of(alone), seen="old") == "changed"


def test_present_player_keeps_the_seat(alone: Round) -> None:
    first = first_of(alone)
    first.checked_in_at = timezone.now()
    first.save()
    assert code_of(substitute, alone, first) == "here"


def test_unseated_player_needs_no_substitute(alone: Round) -> None:
    [late] = make_players(alone.stage.event, 1)
    assert code_of(substitute, alone, late) == "here"


def test_draft_round_is_edited_instead_of_substituting(alone: Round) -> None:
    Round.objects.update(state=Round.State.DRAFT)
    assert code_of(substitute, alone, first_of(alone)) == "state"
