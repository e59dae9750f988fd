from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.factories import give_role, make_registrations, make_student, make_user
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.tournament.organizing import page, press_button
from tests.typed import Response
from tournament.models import AuditEntry, Event, Registration, Round
from tournament.people.names import rename_player
from tournament.registration.services import approve, approve_all, register, withdraw
from tournament.seating.services import seat_round
from tournament.web.admin.registration.registrations import RegistrationAdmin

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

LIST = "admin:tournament_registration_changelist"


@pytest.fixture
def event() -> Event:
    event, _ = make_organized_event(0, requires_approval=True, capacity=3)
    make_registrations(event, 5)
    return event


def run_action(client: Client, rows: list[Registration], action: str, **fields: str) -> Response:
    data = {"action": action, "_selected_action": [str(row.pk) for row in rows]} | fields
    return client.post(reverse(LIST), data, follow=True)


def list_states(event: Event) -> list[str]:
    return list(event.registrations.values_list("state", flat=True))


def test_several_registrations_are_approved_together(client: Client, event: Event) -> None:
    shown = run_action(client, list(event.registrations.all()[:3]), "approve").content.decode()
    assert "3 approved." in shown
    assert list_states(event) == ["approved"] * 3 + ["waitlist"] * 2


def test_approval_beyond_capacity_approves_no_registration(client: Client, event: Event) -> None:
    shown = run_action(client, list(event.registrations.all()), "approve").content.decode()
    assert "All 3 spots are taken" in shown
    assert list_states(event) == ["pending"] * 3 + ["waitlist"] * 2


def test_refusal_requires_a_reason(client: Client, event: Event) -> None:
    rows = list(event.registrations.all()[:1])
    shown = run_action(client, rows, "refuse").content.decode()
    assert "Reason (the player will read it)" in shown
    assert list_states(event)[0] == "pending"
    shown = run_action(client, rows, "refuse", confirmed="yes", reason=" ").content.decode()
    assert "Give a reason. The player will read it." in shown
    run_action(client, rows, "refuse", confirmed="yes", reason="You organize this event.")
    assert list_states(event) == ["refused", "pending", "pending", "pending", "waitlist"]


def test_approval_out_of_order_needs_a_reason(client: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(state="running", capacity=4)
    fourth, fifth = event.registrations.filter(state="waitlist")
    shown = run_action(client, [fifth], "approve").text
    assert f"These players have been waiting longer than {fifth.name}: {fourth.name}." in shown
    assert "Reason (kept in the activity log)" in shown
    assert f'<a href="/admin/tournament/event/{event.pk}/control/">Control room</a>' in shown
    assert list_states(event)[4] == "waitlist"
    assert (
        "1 approved."
        in run_action(client, [fifth], "approve", confirmed="yes", reason="Is here.").text
    )
    assert list_states(event) == ["pending"] * 3 + ["waitlist", "approved"]
    assert AuditEntry.objects.get(action="approve").reason == "Is here."


def test_desk_marks_undecided_registrations_during_play(client: Client, event: Event) -> None:
    drafted = start_round_with_waitlist(event)
    Event.objects.filter(pk=event.pk).update(capacity=9)
    shown = client.get(page("desk", event)).text
    assert drafted.state == "running"
    assert "decision needed</span>" in shown
    assert (
        "Now that play has begun, no one moves up automatically. Approve the players "
        "you still want to let in."
    ) in shown


def test_desk_approves_the_longest_waiting_players_with_one_click(
    client: Client, event: Event
) -> None:
    start_round_with_waitlist(event)
    Event.objects.filter(pk=event.pk).update(capacity=4)
    shown = client.get(page("desk", event)).text
    assert "1 spot is free." in shown
    assert "Approve the next player on the waitlist" in shown
    assert "1 approved." in press_button(client, page("desk", event), "approve-waiting", seen=1)
    assert list_states(event) == ["approved"] * 4 + ["waitlist"]
    shown = client.get(page("desk", event)).text
    assert "All spots are taken, so the waitlist stays as it is." in shown
    assert "decision needed</span>" not in shown


def test_repeated_approval_click_approves_no_more_players(client: Client, event: Event) -> None:
    start_round_with_waitlist(event)
    Event.objects.filter(pk=event.pk).update(capacity=4)
    press_button(client, page("desk", event), "approve-waiting", seen=1)
    said = press_button(client, page("desk", event), "approve-waiting", seen=1)
    assert "The waitlist has changed in the meantime" in said


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"checked_in_at": timezone.now()}, "checked in"),
        ({"absent_at": timezone.now()}, "absent"),
        ({}, "has a spot"),
    ],
)
def test_list_shows_checked_in_players(
    client: Client, event: Event, fields: dict[str, object], word: str
) -> None:
    one = event.registrations.all()[0]
    Registration.objects.filter(pk=one.pk).update(state="approved", **fields)
    shown = client.get(reverse(LIST), {"event__id__exact": event.pk}).text
    assert f'<span class="badge {"bad" if word == "absent" else "good"}">{word}</span>' in shown


def test_list_shows_players_in_a_match(client: Client, event: Event) -> None:
    start_round_with_waitlist(event)
    shown = client.get(reverse(LIST), {"event__id__exact": event.pk}).text
    assert shown.count('<span class="badge live">playing now</span>') == 3


def test_registration_shows_when_the_player_was_last_seen(client: Client, event: Event) -> None:
    one = event.registrations.all()[0]
    moment = datetime(2026, 11, 22, 9, 5, tzinfo=UTC)
    Registration.objects.filter(pk=one.pk).update(checked_in_at=moment, absent_at=moment)
    shown = client.get(f"/admin/tournament/registration/{one.pk}/change/").text
    assert "Present since" in shown
    assert "Absent since" in shown


def start_round_with_waitlist(event: Event) -> Round:
    """Start the first round with three players while two others are on the waitlist."""
    organizer = event.organizers.get()
    approve_all(event.registrations.filter(state="pending"), organizer)
    return start_drafted_round(seat_round(first_stage(event), organizer), organizer)


def test_reason_form_for_several_events_has_no_event_menu(client: Client, event: Event) -> None:
    elsewhere, _ = make_organized_event(1)
    give_role(elsewhere, event.organizers.get())
    rows = [event.registrations.all()[0], elsewhere.registrations.get()]
    shown = run_action(client, rows, "withdraw").text
    assert rows[1].name in shown
    assert "Control room" not in shown


def test_withdrawal_promotes_the_next_on_the_waitlist(client: Client, event: Event) -> None:
    rows = list(event.registrations.all()[:1])
    run_action(client, rows, "withdraw", confirmed="yes")
    assert list_states(event) == ["withdrawn", "pending", "pending", "pending", "waitlist"]


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (slice(0, 2), "1 approved. 1 already has a spot."),
        (slice(0, 1), "1 already has a spot."),
        (slice(1, 3), "2 approved."),
    ],
)
def test_player_with_a_spot_is_reported_on_approval(
    client: Client, event: Event, chosen: slice, expected: str
) -> None:
    rows = list(event.registrations.order_by("pk"))
    approve(rows[0], event.organizers.get())
    shown = run_action(client, rows[chosen], "approve").content.decode()
    assert f">{expected}<" in shown
    assert "No registrations were changed" not in shown


@pytest.mark.parametrize("action", ["refuse", "withdraw"])
def test_no_registration_changes_if_one_is_refused(
    client: Client, event: Event, action: str
) -> None:
    rows = list(event.registrations.all()[:3])
    withdraw(rows[1], rows[1].user)
    before = list_states(event)
    shown = run_action(client, rows, action, confirmed="yes", reason="Too late.").content.decode()
    assert f"No registrations were changed. {rows[1].name}: already withdrawn." in shown
    assert list_states(event) == before


def test_rows_of_other_events_are_not_changed(client: Client) -> None:
    elsewhere, _ = make_organized_event(0, requires_approval=True)
    make_registrations(elsewhere, 1)
    run_action(client, list(elsewhere.registrations.all()), "approve")
    assert list_states(elsewhere) == ["pending"]


def test_registrations_of_an_event_have_its_menu(client: Client, event: Event) -> None:
    shown = client.get(reverse(LIST), {"event__id__exact": event.pk}).content.decode()
    assert f'<a href="/admin/tournament/event/{event.pk}/control/">Control room</a>' in shown
    assert shown.count("waiting for approval</span>") == 3
    assert "By event" not in shown


def test_list_of_all_events_names_the_event_of_each_row(client: Client, event: Event) -> None:
    give_role(make_organized_event(0)[0], event.organizers.get())
    assert "By event" in client.get(reverse(LIST)).content.decode()


def test_list_query_count_is_independent_of_the_rows(client: Client, event: Event) -> None:
    def count_queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get(reverse(LIST), {"event__id__exact": event.pk})
        return len(captured)

    before = count_queries()
    make_registrations(event, 5)
    assert count_queries() == before <= 14


def test_names_are_escaped(client: Client, event: Event) -> None:
    register(event, make_user(), roll_number="X", name="<img src=x onerror=alert(1)>")
    shown = client.get(reverse(LIST)).content.decode()
    assert "<img src=x" not in shown


def register_as_listed_student(event: Event, email: str = "") -> Registration:
    Event.objects.filter(pk=event.pk).update(eligibility_required=True, capacity=9)
    make_student(event, "CHE-1", name="Asha Sen", email=email)
    return register(event, make_user("Nick"), roll_number="CHE-1")


def test_claim_shows_the_list_entry_it_refers_to(client: Client, event: Event) -> None:
    row = register_as_listed_student(event)
    assert "<bdi>CHE-1</bdi>, listed as <bdi>Asha Sen</bdi>" in client.get(
        reverse(LIST)).content.decode()  # fmt: skip
    address = reverse("admin:tournament_registration_change", args=[row.pk])
    assert (
        "Asha Sen (CHE-1)</a>, no email address: check that this is the same person."
        in client.get(address).content.decode()
    )


def test_registration_can_be_decided_on_its_own_page(client: Client, event: Event) -> None:
    row = event.registrations.all()[0]
    address = reverse("admin:tournament_registration_change", args=[row.pk])
    shown = client.get(address).content.decode()
    assert 'value="approve">Approve</button>' in shown
    assert row.user.email in shown


def test_u45_only_name_extra_time_and_seating_wishes_are_editable(
    client: Client, event: Event
) -> None:
    row, other = event.registrations.all()[:2]
    address = reverse("admin:tournament_registration_change", args=[row.pk])
    data = {"fixed_table": "2", "apart_from": [str(other.pk)], "state": "approved"}
    data |= {"name": row.name, "roll_number": "X"}
    client.post(address, data | {"extra_seconds": "601"})
    assert Registration.objects.get(pk=row.pk).fixed_table is None
    client.post(address, data | {"extra_seconds": "20"})
    row.refresh_from_db()
    assert (row.fixed_table, list(row.apart_from.all()), row.state) == (2, [other], "pending")
    assert row.roll_number != "X"
    assert row.extra_seconds == 20
    assert [entry.text for entry in AuditEntry.objects.filter(action="needs")] == [
        f"{row.name}: 20 extra seconds per turn, always at table 2, "
        f"never at the same table as {other.name}."
    ]


def test_decision_made_while_the_form_was_open_is_kept(
    client: Client, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = event.registrations.all()[0]
    address = reverse("admin:tournament_registration_change", args=[row.pk])
    get_object = RegistrationAdmin.get_object

    def withdraw_after_loading(*args: Any, **kwargs: Any) -> Any:
        found = get_object(*args, **kwargs)
        withdraw(Registration.objects.get(pk=row.pk), row.user)
        return found

    monkeypatch.setattr(RegistrationAdmin, "get_object", withdraw_after_loading)
    client.post(address, {"extra_seconds": "20", "name": row.name})
    row.refresh_from_db()
    assert (row.state, row.extra_seconds) == ("withdrawn", 20)


def test_concurrent_change_from_another_form_is_kept(client: Client, event: Event) -> None:
    row, other = event.registrations.all()[:2]
    address = reverse("admin:tournament_registration_change", args=[row.pk])
    shown = client.get(address).content.decode()
    assert '<input type="hidden" name="initial-extra_seconds" value="0"' in shown
    row.apart_from.add(other)
    fields = {"initial-name": row.name, "name": row.name}
    rename_player(row, event.organizers.get(), "Another")
    client.post(address, fields | {"initial-extra_seconds": "0", "extra_seconds": "20"})
    row.refresh_from_db()
    assert row.name == "Another"
    assert (row.extra_seconds, list(row.apart_from.all())) == (20, [other])


def test_players_of_another_event_cannot_be_kept_apart(client: Client, event: Event) -> None:
    stranger = make_registrations(make_organized_event(0)[0], 1)[0]
    row = event.registrations.all()[0]
    address = reverse("admin:tournament_registration_change", args=[row.pk])
    client.post(address, {"name": row.name, "apart_from": [str(stranger.pk)]})
    assert list(row.apart_from.all()) == []


def submit_registration_form(client: Client, row: Registration, *typed: str, **fields: Any) -> str:
    """Submit the form with these names typed in, and return the next page."""
    address = reverse("admin:tournament_registration_change", args=[row.pk])
    data = {"name": row.name, "extra_seconds": "0", "apart_from_add": typed} | fields
    return client.post(address, data, follow=True).content.decode()


def test_player_to_keep_apart_is_found_by_a_few_letters(client: Client, event: Event) -> None:
    row, by_name, by_roll, *_others = event.registrations.all()
    submit_registration_form(client, row, by_name.name.upper(), by_roll.roll_number, "")
    assert list(row.apart_from.order_by("pk")) == [by_name, by_roll]
    address = reverse("admin:tournament_registration_change", args=[row.pk])
    shown = client.get(address).content.decode()
    assert f'name="apart_from" value="{by_name.pk}" checked' in shown
    assert shown.count('type="checkbox" name="apart_from"') == 2
    assert f'<option value="{by_name.name} ({by_name.roll_number})">' in shown


def test_unticked_player_is_no_longer_kept_apart(client: Client, event: Event) -> None:
    row, other, third = event.registrations.all()[:3]
    row.apart_from.set([other, third])
    initial = {"initial-apart_from": [str(other.pk), str(third.pk)]}
    submit_registration_form(client, row, apart_from=[str(third.pk)], **initial)
    assert list(row.apart_from.all()) == [third]


@pytest.mark.parametrize("typed", ["Nobody here", "R0"])
def test_unmatched_or_ambiguous_letters_stay_in_the_field(
    client: Client, event: Event, typed: str
) -> None:
    row = event.registrations.all()[0]
    shown = submit_registration_form(client, row, typed)
    assert f"“{typed}” matches no one in this event, or more than one person" in shown
    assert f'value="{typed}"' in shown
    assert not row.apart_from.exists()


def change_name(client: Client, row: Registration, name: str) -> str:
    address = reverse("admin:tournament_registration_change", args=[row.pk])
    fields = {"initial-name": row.name, "name": name, "extra_seconds": "0"}
    return client.post(address, fields, follow=True).content.decode()


def test_self_entered_name_is_edited_on_the_registration_page(client: Client, event: Event) -> None:
    row, other = event.registrations.all()[:2]
    address = reverse("admin:tournament_registration_change", args=[row.pk])
    assert (
        "Matches that have already begun keep the old name" in client.get(address).content.decode()
    )
    expected = f"“{other.name}”"
    assert expected in change_name(client, row, other.name.upper())
    assert "Use letters and numbers" in change_name(client, row, "---")
    change_name(client, row, "Player 7")
    row.refresh_from_db()
    assert row.name == "Player 7"
    assert AuditEntry.objects.filter(action="rename").count() == 1


def test_listed_name_is_corrected_on_the_list(client: Client, event: Event) -> None:
    row = register_as_listed_student(event)
    change_name(client, row, "Rude")
    row.refresh_from_db()
    assert row.name == "Nick"
    address = reverse("admin:tournament_registration_change", args=[row.pk])
    shown = client.get(address).content.decode()
    line = reverse("admin:tournament_eligiblestudent_change", args=[row.student_id])
    assert f'<a href="{line}">Asha Sen (CHE-1)</a>' in shown
