"""Tests of reserves who replace missing players: their order, the effect and the refusals."""

from dataclasses import replace

import pytest
from django.utils import timezone

from tests.factories import make_event, make_organizer, make_players, make_registrations
from tests.tournament.helpers import get_refusal_code, make_organized_event, make_second_stage
from tests.tournament.staging import make_stage, organizer_of
from tournament.advancing.services import draw_bracket
from tournament.attendance.substitution import describe_reserve_effect, substitute_reserve
from tournament.models import AuditEntry, DeskMessage, Event, Registration, Round
from tournament.seating.queries import list_seated
from tournament.seating.services import publish_round, seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

State = Registration.State
REASON = "No-show."


def make_published_round(players: int, **fields: object) -> Round:
    event = make_event(**{"table_size": 4, **fields})
    make_players(event, players)
    organizer = make_organizer(event)
    return publish_round(seat_round(make_stage(event), organizer), organizer)


def get_first_player(round_: Round) -> Registration:
    return Registration.objects.get(pk=list_seated(round_)[0][0])


def substitute_player(round_: Round, absent: Registration, **more: str) -> Registration | None:
    actor = organizer_of(round_.stage.event)
    return substitute_reserve(round_, absent, actor, REASON, **more)


def give_bye(round_: Round, registration: Registration) -> None:
    """Give the player a bye, as a draw does for players left without a table."""
    round_.tables.get().seats.filter(registration=registration).delete()
    round_.seating = replace(round_.seating, byes=(registration.pk,))
    round_.save()


def test_reserve_takes_the_seat_and_the_absentee_keeps_the_spot() -> None:
    played = make_published_round(4)
    [late] = make_players(played.stage.event, 1)
    absent = get_first_player(played)
    assert describe_reserve_effect(played, absent) == [
        f"{late.name} is checked in without a seat and will play instead.",
        f"{absent.name} will be marked as a no-show but will keep the spot in the event, "
        "and can play again after returning.",
        "The table will get a message. Seats in this round are not sent by email.",
    ]
    assert substitute_player(played, absent) == late
    assert list_seated(played)[0][0] == late.pk
    absent.refresh_from_db()
    assert (absent.state, absent.absent_at is not None) == (State.APPROVED, True)


def test_substitution_is_logged_and_announced_at_the_table() -> None:
    played = make_published_round(4)
    [late] = make_players(played.stage.event, 1)
    absent = get_first_player(played)
    substitute_player(played, absent)
    message = DeskMessage.objects.get()
    assert str(message) == f"{late.name} replaces {absent.name} at your table."
    assert message.table == played.tables.get()
    changed = AuditEntry.objects.get(action="change-seats")
    expected = f"Round 1: {late.name} took {absent.name}’s seat."
    assert (changed.text, changed.reason) == (expected, REASON)


def test_player_with_a_bye_is_preferred_to_a_late_arrival() -> None:
    played = make_published_round(5)
    out = Registration.objects.get(pk=list_seated(played)[0][-1])
    give_bye(played, out)
    make_players(played.stage.event, 1)
    assert substitute_player(played, get_first_player(played)) == out
    played.refresh_from_db()
    assert played.seating.byes == ()


def make_waiting_players(event: Event, count: int) -> list[Registration]:
    """Fill the event, and register `count` players for the waitlist."""
    event.capacity = event.registrations.filter(state=State.APPROVED).count()
    event.save()
    return make_registrations(event, count)


@pytest.mark.parametrize("state", [Event.State.OPEN, Event.State.RUNNING])
def test_waitlisted_player_is_chosen_last_and_gets_the_spot_in_a_full_event(state: str) -> None:
    played = make_published_round(4)
    event = played.stage.event
    first, _second = make_waiting_players(event, 2)
    Event.objects.update(state=state)
    played, absent = Round.objects.get(), get_first_player(played)
    assert describe_reserve_effect(played, absent)[:2] == [
        f"{first.name} is first on the waitlist and will get a spot and play instead.",
        f"{absent.name} will leave the event, which frees up a spot.",
    ]
    assert substitute_player(played, absent) == first
    states = {r.pk: r.state for r in event.registrations.all()}
    assert (states[absent.pk], states[first.pk]) == (State.WITHDRAWN, State.APPROVED)
    assert list_seated(played)[0][0] == first.pk


def test_waitlisted_substitute_must_be_checked_in_if_required() -> None:
    played = make_published_round(4)
    event = played.stage.event
    _first, second = make_waiting_players(event, 2)
    Registration.objects.filter(pk=second.pk).update(checked_in_at=timezone.now())
    Event.objects.update(check_in=True, state=Event.State.RUNNING)
    assert substitute_player(Round.objects.get(), get_first_player(played)) == second


def test_next_in_line_substitutes_after_a_cut() -> None:
    event, organizer = make_organized_event(8)
    second = make_second_stage(event, organizer, 4)
    played = publish_round(draw_bracket(second, organizer), organizer)
    absent = get_first_player(played)
    came = substitute_player(played, absent)
    assert came is not None
    absent.refresh_from_db()
    assert (absent.state, list_seated(played)[0][0]) == (State.WITHDRAWN, came.pk)


def test_substitution_waits_for_the_second_organizer() -> None:
    event, organizer = make_organized_event(8, second_person=Event.SecondPerson.ALL)
    second = make_second_stage(event, organizer, 4)
    played = publish_round(draw_bracket(second, organizer), organizer)
    make_organizer(event)
    absent = get_first_player(played)
    assert substitute_reserve(played, absent, organizer, REASON) is None
    assert (list_seated(played)[0][0], DeskMessage.objects.count()) == (absent.pk, 0)
    assert event.proposals.get().asked_by == organizer


def test_substitution_preview_changes_nothing() -> None:
    event, organizer = make_organized_event(8)
    second = make_second_stage(event, organizer, 4)
    played = publish_round(draw_bracket(second, organizer), organizer)
    absent = get_first_player(played)
    [text, _message] = describe_reserve_effect(played, absent)
    assert text.startswith(f"{absent.name} will leave the event, and ")
    assert second.qualifiers.filter(active=True).count() == 4
    assert list_seated(played)[0][0] == absent.pk


@pytest.fixture
def full_round() -> Round:
    return make_published_round(4)


def test_substitution_needs_a_reserve(full_round: Round) -> None:
    assert (
        get_refusal_code(describe_reserve_effect, full_round, get_first_player(full_round))
        == "nobody"
    )
    assert get_refusal_code(substitute_player, full_round, get_first_player(full_round)) == "nobody"


def test_substitution_needs_a_reason(full_round: Round) -> None:
    actor = organizer_of(full_round.stage.event)
    assert (
        get_refusal_code(
            substitute_reserve,
            full_round,
            get_first_player(full_round),
            actor,
            " ",
        )
        == "no-reason"
    )


def test_outdated_page_cannot_substitute(full_round: Round) -> None:
    assert (
        get_refusal_code(
            substitute_player,
            full_round,
            get_first_player(full_round),
            seen="old",
        )
        == "changed"
    )


def test_present_player_keeps_the_seat(full_round: Round) -> None:
    first = get_first_player(full_round)
    first.checked_in_at = timezone.now()
    first.save()
    assert get_refusal_code(substitute_player, full_round, first) == "here"


def test_unseated_player_needs_no_substitute(full_round: Round) -> None:
    [late] = make_players(full_round.stage.event, 1)
    assert get_refusal_code(substitute_player, full_round, late) == "here"


def test_substitution_is_refused_in_a_draft(full_round: Round) -> None:
    Round.objects.update(state=Round.State.DRAFT)
    assert get_refusal_code(substitute_player, full_round, get_first_player(full_round)) == "state"
