"""Tests of trial runs: they store nothing and notify no one."""

from typing import Any

import pytest
from django.core import mail

from tests.factories import make_organizer
from tests.tournament.helpers import get_refusal_code, make_finished_final, make_organized_event
from tests.tournament.ruling import get_event, get_player, make_round_with_reserve
from tests.tournament.staging import organizer_of
from tests.typed import sure
from tournament.corrections.dry_run import trial
from tournament.corrections.points import preview_result
from tournament.corrections.rulings import preview_new_ruling, preview_ruling_undo
from tournament.events.closing.locking import lock_results
from tournament.models import (
    AuditEntry,
    Event,
    HistoryEntry,
    Letter,
    Proposal,
    Result,
    Ruling,
    TableSeat,
)
from tournament.registration.services import withdraw
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule, undo_ruling

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

STORED_MODELS = (AuditEntry, HistoryEntry, Letter, Proposal, Result, Ruling)


def count_rows() -> list[int]:
    return [model._default_manager.count() for model in STORED_MODELS]


def test_ruling_preview_sends_no_notifications(django_capture_on_commit_callbacks: Any) -> None:
    played = make_round_with_reserve()
    event, before = get_event(played), count_rows()
    wanted = RulingRequest(Ruling.Kind.DISQUALIFY, get_player(played))
    with django_capture_on_commit_callbacks(execute=True) as found:
        assert preview_new_ruling(event, organizer_of(event), wanted, "Seen.").sentences
    assert (found, mail.outbox, count_rows()) == ([], [], before)
    assert get_player(played).state == "approved"


def test_preview_shows_the_effect_before_a_second_organizer_confirms() -> None:
    played = make_round_with_reserve(second_person=Event.SecondPerson.ALL)
    event, before = get_event(played), count_rows()
    organizer = organizer_of(event)
    make_organizer(event)
    table = played.tables.get()
    played.tables.update(paper=True, match=None)
    changes = preview_result(table, organizer, [0, 400, 0, 0], "Seen.", override=True)
    assert [after for _name, _before, after in changes.points] == [0, 400, 0, 0]
    assert count_rows() == before
    assert get_event(played).second_person == Event.SecondPerson.ALL


def test_refused_preview_leaves_no_changes() -> None:
    event, organizer = make_organized_event(2)
    mine, other = event.registrations.all()

    def withdraw_twice() -> None:
        with trial(event):
            withdraw(mine, organizer, "Ill.")
            withdraw(mine, organizer, "Ill.")

    assert get_refusal_code(withdraw_twice) == "state"
    mine.refresh_from_db()
    assert mine.state == other.state


def test_nested_preview_rolls_back_only_its_own_changes() -> None:
    event, organizer = make_organized_event(2)
    mine, other = event.registrations.all()
    with trial(event):
        withdraw(mine, organizer, "Ill.")
        with trial(event):
            withdraw(other, organizer, "Ill.")
        states = [each.state for each in event.registrations.order_by("pk")]
    assert states == ["withdrawn", "approved"]
    assert not event.registrations.filter(state="withdrawn").exists()


def test_preview_is_unavailable_for_locked_results() -> None:
    event, organizer = make_organized_event(4)
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    lock_results(event, organizer, sure=True)

    def fail_in_trial() -> None:
        with trial(event):
            raise AssertionError

    assert get_refusal_code(fail_in_trial) == "locked"


def test_ruling_preview_names_the_winner_who_would_change() -> None:
    event = make_finished_final([120, 410, 0, 35])
    second, first = (
        sure(seat.registration)
        for seat in TableSeat.objects.order_by("number").select_related("registration")[:2]
    )
    request = RulingRequest(Ruling.Kind.DISQUALIFY, first)
    changes = preview_new_ruling(event, organizer_of(event), request, "Seen.")
    assert changes.sentences[-1] == (
        f"{second.name} would win the event instead of {first.name}. "
        "The winner has been announced, so everyone would see the change immediately."
    )
    assert {(first.name, 1, None), (second.name, 2, 1)} <= set(changes.ranks)
    rule(event, organizer_of(event), request, "Seen.")
    ruling = Ruling.objects.get()
    back = preview_ruling_undo(
        ruling, lambda event: undo_ruling(ruling, organizer_of(event), "No.")
    )
    assert f"{first.name} would win the event instead of {second.name}." in back.sentences[-1]
