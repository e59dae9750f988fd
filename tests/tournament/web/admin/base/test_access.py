"""Tests of access to the desk's pages. The same rules apply to every page."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import give_role, make_organizer, make_student, make_user
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tournament.models import Event, Round, Table, User
from tournament.registration.eligibility.uploads import upload_list
from tournament.seating.services import seat_round
from tournament.web.admin.events.events import PAGES

pytestmark = [pytest.mark.django_db, pytest.mark.patient]

PAGE_NAMES = [name for name, _, _ in PAGES]
READ_ONLY = ("list-download", "export")


@pytest.fixture
def event() -> Event:
    """Provide an event in mid-round, with an eligibility list and an upload to preview."""
    event, organizer = make_organized_event(8, title="Chem Fest")
    start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    make_student(event, "R00001")
    upload_list(event, organizer, "list.csv", b"Roll,Name\nR2,Ben\n")
    return event


def get_page_address(name: str, event: Event) -> str:
    played = Round.objects.filter(stage__event=event).values_list("pk", flat=True).first()
    rest = {
        "list-download": "list",
        "export": "results.csv",
        "import": event.imports.values_list("pk", flat=True).first(),
        **dict.fromkeys(("round", "supposed"), played),
        "table": Table.objects.filter(round__stage__event=event)
        .values_list("pk", flat=True)
        .first(),
        "player": event.registrations.values_list("pk", flat=True).first(),
    }
    more = [rest[name]] if name in rest else []
    return reverse(f"admin:event-{name}", args=[event.pk, *more])


def make_client(user: User | None, *, enforce_csrf_checks: bool = False) -> Client:
    client = Client(enforce_csrf_checks=enforce_csrf_checks)
    if user:
        client.force_login(user)
    return client


def fetch_statuses(client: Client, event: Event) -> dict[str, int]:
    """Return the status of each page of the event's desk."""
    return {name: client.get(get_page_address(name, event)).status_code for name in PAGE_NAMES}


def post_to_each_page(client: Client, event: Event, action: str) -> dict[str, int]:
    """Post a form with this action to each page and return the statuses."""
    return {
        name: client.post(get_page_address(name, event), {"action": action}).status_code
        for name in PAGE_NAMES
    }


def map_each_page_to(status: int) -> dict[str, int]:
    return dict.fromkeys(PAGE_NAMES, status)


def test_organizers_can_open_every_page(event: Event, organizer: User) -> None:
    client = make_client(organizer)
    shown = {name: client.get(get_page_address(name, event)) for name in PAGE_NAMES}
    assert {name: response.status_code for name, response in shown.items()} == map_each_page_to(200)
    assert [name for name, response in shown.items() if not response.content] == []


def test_superusers_can_open_every_page(event: Event) -> None:
    superuser = make_user(is_staff=True, is_superuser=True)
    assert fetch_statuses(make_client(superuser), event) == map_each_page_to(200)


def test_organizers_of_another_event_get_not_found(event: Event) -> None:
    client = make_client(make_organizer(make_organized_event(0)[0]))
    assert fetch_statuses(client, event) == map_each_page_to(404)
    assert post_to_each_page(client, event, "publish") == map_each_page_to(404)


@pytest.mark.parametrize("registered", [False, True])
def test_other_users_are_redirected_to_sign_in(registered: bool, event: Event) -> None:
    client = make_client(event.registrations.all()[0].user if registered else None)
    assert fetch_statuses(client, event) == map_each_page_to(302)
    sent = {name: client.get(get_page_address(name, event))["Location"] for name in PAGE_NAMES}
    assert [name for name, page in sent.items() if "login" not in page] == []


def test_form_without_a_csrf_token_is_refused(event: Event, organizer: User) -> None:
    client = make_client(organizer, enforce_csrf_checks=True)
    assert post_to_each_page(client, event, "x") == map_each_page_to(403)


def test_unknown_action_is_refused(event: Event, organizer: User) -> None:
    assert post_to_each_page(make_client(organizer), event, "__init__") == map_each_page_to(405)


@pytest.mark.parametrize(
    "name", ["round", "supposed", "table", "import", "export", "list-download"]
)
def test_objects_of_another_event_are_not_found(name: str, event: Event, organizer: User) -> None:
    elsewhere = make_organized_event(0)[0]
    give_role(elsewhere, organizer)
    wrong = get_page_address(name, event).replace(f"/event/{event.pk}/", f"/event/{elsewhere.pk}/")
    # A missing upload redirects to the list.
    expected = {"import": 302}.get(name, 200 if name in READ_ONLY else 404)
    assert make_client(organizer).get(wrong).status_code == expected


@pytest.mark.parametrize("model", ["event", "registration", "eligiblestudent"])
def test_lists_show_only_rows_of_own_events(model: str, event: Event) -> None:
    other = make_organizer(make_organized_event(1)[0])
    address = reverse(f"admin:tournament_{model}_changelist")
    shown = make_client(other).get(address).content.decode()
    for mine in (event.title, event.registrations.all()[0].name, "R00001"):
        assert mine not in shown


@pytest.mark.parametrize("model", ["event", "registration", "eligiblestudent"])
def test_rows_of_another_event_cannot_be_changed(model: str, event: Event) -> None:
    other = make_organizer(make_organized_event(0)[0])
    rows = {
        "event": event.pk,
        "registration": event.registrations.all()[0].pk,
        "eligiblestudent": event.students.all()[0].pk,
    }
    address = reverse(f"admin:tournament_{model}_change", args=[rows[model]])
    client = make_client(other)
    # Django redirects to the admin's index both for missing rows and for rows without access.
    assert client.get(address).headers["Location"] == reverse("admin:index")
    assert client.post(address, {"title": "Mine", "name": "Mine"}).status_code == 302
    event.refresh_from_db()
    assert event.title != "Mine"


@pytest.mark.parametrize("model", ["event", "registration"])
def test_event_history_cannot_be_deleted(model: str, event: Event) -> None:
    superuser = make_user(is_staff=True, is_superuser=True)
    rows = {
        "event": event.pk,
        "registration": event.registrations.all()[0].pk,
    }
    address = reverse(f"admin:tournament_{model}_delete", args=[rows[model]])
    assert make_client(superuser).post(address, {"post": "yes"}).status_code == 403


def test_only_superusers_can_manage_accounts(event: Event, organizer: User) -> None:
    listing = reverse("admin:tournament_user_changelist")
    assert make_client(organizer).get(listing).status_code == 403
    change = reverse("admin:tournament_user_change", args=[organizer.pk])
    make_client(organizer).post(change, {"is_superuser": "on"})
    organizer.refresh_from_db()
    assert not organizer.is_superuser
    superuser = make_user(is_staff=True, is_superuser=True)
    assert make_client(superuser).get(listing).status_code == 200
    assert make_client(superuser).get(change).status_code == 200


def test_front_page_shows_own_events_with_their_next_step(event: Event) -> None:
    organizer = event.organizers.get()
    elsewhere, _ = make_organized_event(0)
    shown = make_client(organizer).get(reverse("admin:index")).content.decode()
    assert event.title in shown
    assert "Next: First round (everyone plays)." in shown
    assert elsewhere.title not in shown


def test_no_page_has_inline_styles_or_scripts(event: Event, organizer: User) -> None:
    client = make_client(organizer)
    for name in [name for name in PAGE_NAMES if name not in READ_ONLY]:
        shown = client.get(get_page_address(name, event)).content.decode()
        assert "style=" not in shown
        assert "<script>" not in shown
        assert "onclick" not in shown


def test_every_menu_entry_opens_in_an_event_without_a_cut(event: Event) -> None:
    event.stages.exclude(number=1).delete()
    client = make_client(make_organizer(event))
    desk = client.get(get_page_address("desk", event))
    entries = [tab for group in desk.context["groups"] for tab in group.tabs]
    assert [tab.key for tab in entries if client.get(tab.address).status_code != 200] == []
    assert "qualify" not in [tab.key for tab in entries]


def test_desk_names_the_signed_in_user(event: Event) -> None:
    organizer = make_organizer(event, name="Odile Rao")
    page = make_client(organizer).get(get_page_address("desk", event))
    assert "<summary><bdi>Odile Rao</bdi></summary>" in page.content.decode()
