"""Tests that sentences with a count are also correct for a count of one."""

from dataclasses import replace
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from tests.factories import make_organizer
from tests.tournament.events.closing.test_locking import make_finished_event
from tests.tournament.helpers import make_organized_event, play_first_round
from tests.tournament.organizing import page, press_button
from tests.tournament.ruling import get_event, get_player, make_round_with_reserve, make_ruling
from tests.tournament.staging import organizer_of, play, running_round
from tournament.advancing.services import preview_cut
from tournament.corrections.rulings import preview_new_ruling
from tournament.desk.proposals import list_pending
from tournament.events.closing import certification
from tournament.events.closing.locking import lock_results
from tournament.models import Ruling
from tournament.oversight.history_texts import history
from tournament.privacy.services import purge_event
from tournament.results.stages import stage_results
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule
from tournament.stages.cut import CutRule, list_cut_warnings

pytestmark = pytest.mark.django_db

POINTS = Ruling.Kind.POINTS


def test_message_for_one_deducted_point_is_singular(
    django_capture_on_commit_callbacks: Any,
) -> None:
    played = make_round_with_reserve()
    play(played.tables.get(), 1)
    with django_capture_on_commit_callbacks(execute=True):
        make_ruling(played, POINTS, points=1)
    name, event = get_player(played).name, get_event(played)
    assert str(event.desk_messages.get()) == f"The referee deducted 1 point from {name}."
    assert f"1 point was deducted from {name}." in history(event).rows[0].text
    assert "The referee has deducted 1 point from your score" in " ".join(
        mail.outbox[-1].body.split()
    )


def test_effect_of_a_one_point_deduction_is_singular() -> None:
    played = running_round(4)
    event, who = get_event(played), get_player(played)
    message = preview_new_ruling(
        event, organizer_of(event), RulingRequest(POINTS, who, points=1), "Late."
    ).sentences
    assert f"1 point will be permanently deducted from {who.name} in the standings." in message


def test_message_for_one_point_awaiting_confirmation_is_singular() -> None:
    event, organizer = make_finished_event()
    second, who = make_organizer(event), event.registrations.all()[0]
    rule(event, organizer, RulingRequest(POINTS, who, points=1), "Late.")
    assert [each.text for each in list_pending(event, second)] == [
        f"Deduct 1 point from {who.name}."
    ]


def test_message_for_one_paused_or_resumed_table_is_singular() -> None:
    event, client = get_event(running_round(4)), Client()
    client.force_login(organizer_of(event))
    said = press_button(client, page("outages", event), "outage", reason="The network is down.")
    assert "1 table is paused until you resume it." in said
    assert "1 table resumed." in press_button(client, page("outages", event), "over")


def test_message_for_one_waiting_or_finished_table_is_singular() -> None:
    played = running_round(8)
    event, client = get_event(played), Client()
    client.force_login(organizer_of(event))
    play(played.tables.all()[0])
    assert "1 of 2 tables has finished." in client.get(page("control", event)).text
    assert "Round 1: 1 of 2 tables has finished." in client.get(page("rounds", event)).text


def test_message_for_one_checked_in_player_is_singular() -> None:
    event, organizer = make_organized_event(4, check_in=True)
    client = Client()
    client.force_login(organizer)
    who = event.registrations.all()[0]
    press_button(client, page("check-in", event), "check-in", who=[who.pk])
    assert "1 of 4 checked in" in client.get(page("check-in", event)).text


def test_message_for_one_participant_is_singular() -> None:
    event, organizer = make_organized_event(2)
    found = stage_results(play_first_round(event, organizer))
    cut = replace(preview_cut(found, CutRule("number", 1, "lots", 1)), took_part=1)
    assert (
        "The only player who took part would advance, so no one would be eliminated."
        in list_cut_warnings(found, cut)
    )


def test_message_for_one_valid_certificate_is_singular(monkeypatch: pytest.MonkeyPatch) -> None:
    event, organizer = make_finished_event()
    monkeypatch.setattr(certification, "issue_certificates", lambda event: 1)
    lock_results(event, organizer, sure=True)
    message = event.audit.get(action="lock").text
    assert message == "Locked the results; 1 certificate is valid."


def test_message_for_one_deleted_person_is_singular() -> None:
    event, organizer = make_finished_event()
    last = event.registrations.order_by("pk")[0]
    event.registrations.exclude(pk=last.pk).update(event=make_organized_event(0)[0])
    purge_event(event, organizer, "The term is over.")
    assert event.audit.get(action="purge").text == "Deleted the personal data of 1 person."
