"""Tests of the desk page and of its button for the next step."""

import pytest
from django.test import Client

from tests.factories import make_organizer
from tests.tournament.helpers import make_organized_event
from tests.tournament.organizing import page, press_button
from tournament.models import Event, Registration

pytestmark = [pytest.mark.django_db, pytest.mark.event(players=4, title="Chem Fest")]

REGISTRATIONS = "/admin/tournament/registration/?event__id__exact={event}"


def list_buttons(client: Client, event: Event) -> dict[str, str]:
    """Return the addresses of the buttons in the step “Registrations”, by label.

    The large button comes first.
    """
    rows = client.get(page("desk", event)).context["steps"]
    [row] = [row for row in rows if row["step"].key == "registrations"]
    label, address = row.get("go", (row["label"], row["link"]))
    return {label: address} | dict(row.get("more", []))


def test_primary_button_draws_the_first_round_once_a_table_is_full(
    client: Client, event: Event
) -> None:
    shown = client.get(page("desk", event)).text
    assert '<button class="button large" name="action" value="draw">' in shown
    [stage] = event.stages.filter(number=1)
    row = client.get(page("desk", event)).context["steps"][2]
    message = press_button(client, page("desk", event), "draw", **row["fields"])
    assert 'class="message error"' not in message
    assert stage.rounds.get().state == "draft"


def test_one_click_approves_all_pending_registrations(client: Client, event: Event) -> None:
    event.registrations.update(state=Registration.State.PENDING)
    assert "Approve all 4" in client.get(page("desk", event)).text
    assert "4 approved." in press_button(client, page("desk", event), "approve-pending", seen=4)
    assert event.registrations.filter(state=Registration.State.APPROVED).count() == 4


def test_outdated_bulk_approval_is_refused(client: Client, event: Event) -> None:
    event.registrations.update(state=Registration.State.PENDING)
    message = press_button(client, page("desk", event), "approve-pending", seen=3)
    assert "The registrations have changed in the meantime." in message
    assert not event.registrations.filter(state=Registration.State.APPROVED).exists()


def test_pending_registrations_come_before_the_draw(client: Client, event: Event) -> None:
    first = event.registrations.earliest("pk")
    Registration.objects.filter(pk=first.pk).update(state=Registration.State.PENDING)
    Event.objects.update(fill_with_bots=True)
    assert list(list_buttons(client, event)) == ["View registrations", "Go to the rounds"]


def test_desk_offers_no_draw_without_enough_players(client: Client, event: Event) -> None:
    event.registrations.update(state=Registration.State.REFUSED)
    assert list(list_buttons(client, event)) == ["View registrations"]


def test_desk_hides_an_empty_second_person_queue() -> None:
    event, organizer = make_organized_event(4)
    make_organizer(event)
    browser = Client()
    browser.force_login(organizer)
    assert "second person</a>" not in browser.get(page("desk", event)).text
