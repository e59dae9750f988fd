"""Tests of the activity log page and its filters."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.factories import give_role
from tests.guards import open_unguarded_cursor
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.tournament.organizing import page
from tournament.common.moments import second_text
from tournament.models import AuditEntry, Event, LogAction, User
from tournament.oversight.audit import record
from tournament.registration.services import withdraw
from tournament.results.services import enter_result
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db


def list_log_sentences(client: Client, event: Event, **asked: str | int) -> list[str]:
    """Return the sentences shown in the log, the newest one first."""
    answer = client.get(page("log", event), asked)
    return [row["entry"].text for row in answer.context["rows"]]


def record_start_entry(event: Event, organizer: User | None, text: str, **facts: Any) -> AuditEntry:
    return record(event, organizer, LogAction.START, lambda: text, **facts)


def test_row_shows_actor_action_time_to_the_second_and_reason(
    client: Client, event: Event, organizer: User
) -> None:
    entry = record(
        event, organizer, LogAction.CLOSE_EARLY, lambda: "Closed Round 1.", "The hall closes."
    )
    shown = client.get(page("log", event)).text
    assert second_text(entry.at) in shown
    assert f"<bdi>{organizer}</bdi>" in shown
    assert '<span class="badge">round closed early</span>' in shown
    assert "Reason: <bdi>The hall closes.</bdi>" in shown


def test_points_are_shown_before_and_after(client: Client, event: Event, organizer: User) -> None:
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    table = played.tables.all()[0]
    enter_result(table, organizer, [0, 0, 0, 400], override=True, reason="By the sheet.")
    enter_result(table, organizer, [400, 0, 0, 0], override=True, reason="Rows were swapped.")
    shown = client.get(page("log", event)).text
    assert "<bdi>points</bdi>: <bdi>0, 0, 0, 400</bdi> → <bdi>400, 0, 0, 0</bdi>" in shown


def test_rows_of_other_events_are_excluded(client: Client, event: Event, organizer: User) -> None:
    other = make_organized_event(0)[0]
    give_role(other, organizer)
    record_start_entry(other, organizer, "Elsewhere.")
    assert "Elsewhere." not in list_log_sentences(client, event)
    assert list_log_sentences(client, other)[0] == "Elsewhere."


def test_filters_offer_only_values_in_this_log(
    client: Client, event: Event, organizer: User
) -> None:
    other, stranger = make_organized_event(0)
    record(other, stranger, LogAction.WINNER, lambda: "Told.")
    record(event, organizer, LogAction.START, lambda: "Told.")
    form = client.get(page("log", event)).context["form"]
    assert "start" in dict(form.fields["action"].choices)
    assert "winner" not in dict(form.fields["action"].choices)
    assert str(stranger.pk) not in dict(form.fields["person"].choices)


def test_log_filters_by_person_and_by_system_actions(
    client: Client, event: Event, organizer: User
) -> None:
    record_start_entry(event, organizer, "By hand.")
    record_start_entry(event, None, "By itself.")
    assert list_log_sentences(client, event, person="site") == ["By itself."]
    assert list_log_sentences(client, event, person=organizer.pk)[0] == "By hand."


def test_log_filters_by_action_and_by_text(client: Client, event: Event, organizer: User) -> None:
    record(event, organizer, LogAction.WINNER, lambda: "Asha has won.", "All counted.")
    record_start_entry(event, organizer, "Started Round 1.")
    assert list_log_sentences(client, event, action="winner") == ["Asha has won."]
    assert list_log_sentences(client, event, q="COUNTED") == ["Asha has won."]


def test_log_filters_by_round_and_table_in_any_entry_format(
    client: Client, event: Event, organizer: User
) -> None:
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    one, two = played.tables.order_by("number")
    enter_result(one, organizer, [0, 0, 0, 400], override=True, reason="By the sheet.")
    record_start_entry(event, organizer, "More time.", table=two.pk)
    message = list_log_sentences(client, event, part=f"round-{played.pk}")
    assert message[-1].startswith("Drew the seats")
    assert [text[:11] for text in message[:2]] == ["Entered the", "Started Rou"]
    assert len(list_log_sentences(client, event, part=f"table-{one.pk}")) == 1
    assert list_log_sentences(client, event, part=f"table-{two.pk}") == ["More time."]


def test_log_filters_by_player_including_entries_naming_several(
    client: Client, event: Event, organizer: User
) -> None:
    one, other = event.registrations.all()[:2]
    withdraw(one, organizer)
    record_start_entry(event, organizer, "Through.", through=[one.pk, 99])
    assert list_log_sentences(client, event, player=one.pk) == ["Through.", f"{one.name} withdrew."]
    assert list_log_sentences(client, event, player=other.pk) == []


def test_log_filters_by_date_range(client: Client, event: Event, organizer: User) -> None:
    entry = record_start_entry(event, organizer, "Long ago.")
    then = timezone.now() - timedelta(days=3)
    with open_unguarded_cursor():
        AuditEntry.objects.filter(pk=entry.pk).update(at=then)
    ends = timezone.localtime(then + timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%S")
    assert list_log_sentences(client, event, until=ends) == ["Long ago."]
    assert "Long ago." not in list_log_sentences(client, event, since=ends)


def test_unreadable_filters_are_ignored(client: Client, event: Event) -> None:
    everything = list_log_sentences(client, event)
    asked = {"since": "yesterday", "person": "nobody", "part": "hall-1", "player": "x"}
    assert list_log_sentences(client, event, **asked) == everything
