"""Tests of actions that are refused because another organizer acted first.

The refusal describes the current state, and says who changed it and when.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from tests.factories import give_role, make_organizer
from tests.guards import open_unguarded_cursor
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal,
    make_organized_event,
    play_first_round,
    start_drafted_round,
)
from tournament.advancing.services import (
    announce_winner,
    draw_bracket,
    preview_cut,
    qualify,
    reopen_event,
    undo_qualify,
)
from tournament.corrections.rounds import reopen_round, undo_round_start
from tournament.desk.confirmation import confirm
from tournament.models import AuditEntry, Event, Round, Stage, User
from tournament.oversight.conflicts import describe_round_change
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round, start_round
from tournament.seating.queries import compute_version
from tournament.seating.services import publish_round, seat_round, unpublish_round
from tournament.stages.cut import CutRule

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

REASON = "A mistake."
BY_ODILE = "by Odile at 00:26."
AFTER_MIDNIGHT = datetime(2026, 11, 28, 0, 26, tzinfo=UTC)


@pytest.fixture
def odile(monkeypatch: pytest.MonkeyPatch) -> User:
    """Provide the organizer who acts first, at 00:26."""
    monkeypatch.setattr(timezone, "now", lambda: AFTER_MIDNIGHT)
    return make_organizer(name="Odile")


@pytest.fixture
def event(odile: User) -> Event:
    event, _other = make_organized_event(8, time_zone="UTC", second_person=Event.SecondPerson.OFF)
    give_role(event, odile)
    return event


@pytest.fixture
def drawn_round(event: Event, odile: User) -> Round:
    played = seat_round(first_stage(event), odile)
    played.tables.update(paper=True)
    return played


def press_again(press: Callable[[], object]) -> tuple[str, str]:
    """Press a button that has been pressed before, and return the refusal's code and sentence."""
    refused = get_refusal(press)
    return refused.code, refused.sentence


def load_outdated_round(round_: Round) -> Round:
    """Return a copy of the round, as an outdated page would use it."""
    return Round.objects.get(pk=round_.pk)


def test_refusal_of_a_second_publication_names_the_first_organizer(
    drawn_round: Round, odile: User
) -> None:
    page = load_outdated_round(drawn_round)
    publish_round(drawn_round, odile)
    expected = ("state", f"Round 1 was published {BY_ODILE}")
    assert press_again(lambda: publish_round(page, odile)) == expected


def test_refusal_of_a_second_start_names_the_first_organizer(
    drawn_round: Round, odile: User
) -> None:
    page = load_outdated_round(publish_round(drawn_round, odile))
    start_round(drawn_round, odile)
    expected = ("state", f"Round 1 was started {BY_ODILE}")
    assert press_again(lambda: start_round(page, odile)) == expected


def test_round_with_withdrawn_seats_cannot_be_started(drawn_round: Round, odile: User) -> None:
    page = load_outdated_round(publish_round(drawn_round, odile))
    unpublish_round(drawn_round, odile, REASON)
    sentence = f"The seats for Round 1 were withdrawn {BY_ODILE}"
    assert press_again(lambda: start_round(page, odile)) == ("state", sentence)
    assert press_again(lambda: unpublish_round(page, odile, REASON)) == ("state", sentence)
    seat_round(drawn_round.stage, odile, REASON)
    sentence = f"The seats for Round 1 were drawn {BY_ODILE}"
    assert press_again(lambda: start_round(page, odile)) == ("state", sentence)


def test_undoing_a_start_twice_is_refused(drawn_round: Round, odile: User) -> None:
    page = load_outdated_round(start_drafted_round(drawn_round, odile))
    undo_round_start(drawn_round, odile, REASON)
    sentence = f"The start of Round 1 was undone {BY_ODILE}"
    assert press_again(lambda: undo_round_start(page, odile, REASON)) == ("state", sentence)
    assert press_again(lambda: close_round(page, odile)) == ("state", sentence)


def test_closing_a_round_twice_is_refused(drawn_round: Round, odile: User) -> None:
    page = load_outdated_round(start_drafted_round(drawn_round, odile))
    close_round(drawn_round, odile, REASON)
    sentence = f"Round 1 was closed {BY_ODILE}"
    assert press_again(lambda: close_round(page, odile)) == ("state", sentence)


def test_reopening_a_round_twice_is_refused(drawn_round: Round, odile: User) -> None:
    page = load_outdated_round(finish_paper_round(start_drafted_round(drawn_round, odile), odile))
    reopen_round(drawn_round, odile, REASON)
    sentence = f"Round 1 was reopened {BY_ODILE}"
    assert press_again(lambda: reopen_round(page, odile, REASON)) == ("state", sentence)
    assert press_again(lambda: start_round(page, odile)) == ("state", sentence)


def test_drawing_seats_twice_is_refused(event: Event, odile: User) -> None:
    stage = first_stage(event)
    seen = compute_version(stage, 1)
    played = seat_round(stage, odile, seen=seen)
    sentence = f"The seats for Round 1 were drawn {BY_ODILE} Look at it first."
    assert press_again(lambda: seat_round(stage, odile, seen=seen)) == ("changed", sentence)
    publish_round(played, odile)
    sentence = f"Round 1 was published {BY_ODILE} Withdraw the seats before you draw again."
    assert press_again(lambda: seat_round(stage, odile, REASON, seen=seen)) == (
        "published",
        sentence,
    )
    start_round(played, odile)
    sentence = f"Round 1 was started {BY_ODILE} Close it first."
    assert press_again(lambda: seat_round(stage, odile, REASON, seen=seen)) == (
        "open-round",
        sentence,
    )


def prepare_cut(event: Event, odile: User) -> tuple[Stage, Callable[[], object]]:
    """Return a stage whose rounds are played, and a function that confirms who advances."""
    stage = play_first_round(event, odile)
    rule = CutRule(Stage.Rule.NUMBER, 4, Stage.Ties.LOTS, 1)
    through = preview_cut(stage_results(stage), rule).through
    return stage, lambda: qualify(Stage.objects.get(pk=stage.pk), odile, rule, through)


def test_confirming_qualifiers_twice_is_refused(event: Event, odile: User) -> None:
    stage, press = prepare_cut(event, odile)
    press()
    sentence = f"The players advancing from {stage} were confirmed {BY_ODILE}"
    assert press_again(press) == ("state", sentence)
    closed = Stage.objects.get(pk=stage.pk)
    assert press_again(lambda: seat_round(closed, odile, REASON)) == ("not-open", sentence)
    undo_qualify(closed, odile, REASON)
    sentence = f"{stage} was reopened {BY_ODILE}"
    assert press_again(lambda: undo_qualify(closed, odile, REASON)) == ("state", sentence)


def test_drawing_a_bracket_twice_is_refused(event: Event, odile: User) -> None:
    _stage, press = prepare_cut(event, odile)
    press()
    following = event.stages.get(number=2)
    seen = compute_version(following, 1)
    played = draw_bracket(following, odile, seen=seen)
    sentence = f"The seats for {played} were drawn {BY_ODILE} Look at it first."
    assert press_again(lambda: draw_bracket(following, odile, seen=seen)) == (
        "changed",
        sentence,
    )
    publish_round(played, odile)
    sentence = f"{played} was published {BY_ODILE} Close it first."
    assert press_again(lambda: draw_bracket(following, odile, seen=seen)) == (
        "open-round",
        sentence,
    )


def test_announcing_the_winner_twice_is_refused(event: Event, odile: User) -> None:
    _stage, press = prepare_cut(event, odile)
    press()
    finish_paper_round(
        start_drafted_round(draw_bracket(event.stages.get(number=2), odile), odile), odile
    )
    announce_winner(event, odile)
    sentence = f"The winner of {event} was announced {BY_ODILE}"
    assert press_again(lambda: announce_winner(event, odile)) == ("state", sentence)
    reopen_event(event, odile, REASON)
    sentence = f"The announcement of the winner of {event} was undone {BY_ODILE}"
    assert press_again(lambda: reopen_event(event, odile, REASON)) == ("state", sentence)


def test_confirming_a_proposal_twice_is_refused(
    event: Event, drawn_round: Round, odile: User
) -> None:
    Event.objects.filter(pk=event.pk).update(second_person=Event.SecondPerson.FAR)
    page = finish_paper_round(start_drafted_round(drawn_round, odile), odile)
    proposal = reopen_round(page, odile, REASON)
    assert proposal is not None
    second = make_organizer(event, name="Pia")
    confirm(proposal, second)
    sentence = "This request has already been answered: confirmed by Pia at 00:26."
    assert press_again(lambda: confirm(proposal, second)) == ("state", sentence)


def test_description_includes_the_date_of_a_change_on_an_earlier_day(
    drawn_round: Round, odile: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish_round(drawn_round, odile)
    monkeypatch.setattr(timezone, "now", lambda: AFTER_MIDNIGHT + timedelta(days=1))
    sentence = "Round 1 was published by Odile at 00:26, 28 November."
    assert describe_round_change(drawn_round) == sentence


def test_description_names_the_site_if_the_entry_has_no_actor_and_omits_a_missing_entry(
    drawn_round: Round, odile: User
) -> None:
    publish_round(drawn_round, odile)
    with open_unguarded_cursor():
        AuditEntry.objects.update(actor=None)
    assert describe_round_change(drawn_round) == "Round 1 was published by the site at 00:26."
    with open_unguarded_cursor():
        AuditEntry.objects.all().delete()
    assert describe_round_change(drawn_round) == "Round 1 is now published."
