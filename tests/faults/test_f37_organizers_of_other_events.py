"""F37: organizers cannot act in other events, and forms ignore additional fields."""

from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse

from tests.factories import give_role, make_organizer, make_student, make_user
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.tournament.organizing import page
from tests.tournament.web.admin.events.test_events import read_form
from tournament.models import Event, Proposal, Round, Table, User
from tournament.registration.eligibility.uploads import upload_list
from tournament.seating.services import seat_round
from tournament.web.admin.base.pages import EventPage
from tournament.web.admin.events.events import PAGES

pytestmark = [pytest.mark.django_db, pytest.mark.patient]


def list_actions(view: type[EventPage]) -> list[str]:
    """Return the actions that a POST to the page may request."""
    made = view()
    made.setup = lambda *_args, **_kwargs: None  # type: ignore[method-assign]
    made.request = RequestFactory().get("/")
    return list(made.actions())


PAGE_ACTIONS = [(name, action) for name, _below, view in PAGES for action in list_actions(view)]


@pytest.fixture(scope="module")
def event_pk(shared_rows: None) -> int:
    """Create an event with a round in play and an uploaded list, and provide the event's key."""
    event, organizer = make_organized_event(8, title="Chem Fest")
    start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    make_student(event, "R00001")
    upload_list(event, organizer, "list.csv", b"Roll,Name\nR2,Ben\n")
    return event.pk


@pytest.fixture
def event(event_pk: int, strangers: object) -> Event:
    """Provide the event, which has one organizer and one commentator."""
    return Event.objects.get(pk=event_pk)


@pytest.fixture(scope="module")
def strangers(event_pk: int) -> list[tuple[str, Client, int]]:
    """Provide users without permission: a description, a client and the expected status of each."""
    event = Event.objects.get(pk=event_pk)
    elsewhere = make_organizer(make_organized_event(0)[0])
    commentator = make_user(is_staff=True)
    give_role(event, commentator, "commentator")
    return [
        ("an organizer of another event", sign_in(elsewhere), 404),
        ("a commentator", sign_in(commentator), 403),
        ("a player", sign_in(event.registrations.all()[1].user), 302),
        ("nobody", Client(), 302),
    ]


def sign_in(user: User) -> Client:
    browser = Client()
    browser.force_login(user)
    return browser


def map_row_keys(event: Event) -> dict[str, int]:
    """Return the keys of some of the event's rows by form field."""
    played = Round.objects.get(stage__event=event)
    table = Table.objects.filter(round=played)[0]
    player = event.registrations.all()[0]
    proposal, _made = Proposal.objects.get_or_create(
        event=event,
        kind="second-person",
        facts={"version": 1, "from": "far", "to": "off"},
        reason="So.",
        asked_by=event.organizers.all()[0],
    )
    stage, upload = first_stage(event).pk, event.imports.get().pk
    rows = {"round": played.pk, "table": table.pk, "registration": player.pk, "stage": stage}
    people = {"player": player.pk, "user": player.user_id}
    return rows | people | {"proposal": proposal.pk, "upload": upload, "import": upload}


def get_address(name: str, event: Event, of: dict[str, int]) -> str:
    rest: dict[str, Any] = {"list-download": "list", "export": "registrations.csv"}
    rest |= {key: of[key] for key in ("import", "round", "table", "player")}
    return reverse(f"admin:event-{name}", args=[event.pk, *([rest[name]] if name in rest else [])])


def read_event_data(event: Event) -> list[object]:
    """Return the data that an action could change."""
    seats = list(Table.objects.filter(round__stage__event=event).values_list("pk", "paper"))
    rows = event.registrations.values_list("pk", "state")
    stages = event.stages.values_list("pk", "state", "rounds__state")
    event.refresh_from_db()
    counts = (event.audit.count(), event.history.count(), event.imports.count())
    people = list(event.organizers.values_list("pk")), list(event.commentary.values_list("pk"))
    waits = list(event.proposals.values_list("state"))
    return [seats, list(rows), list(stages), counts, people, waits, event.state, event.title]


@pytest.mark.parametrize(("name", "action"), PAGE_ACTIONS)
def test_unauthorized_users_cannot_perform_any_page_action(
    event: Event, strangers: list[tuple[str, Client, int]], name: str, action: str
) -> None:
    of = map_row_keys(event)
    sent = {key: str(value) for key, value in of.items()} | {"action": action, "reason": "Mine."}
    before = read_event_data(event)
    for who, browser, answer in strangers:
        found = browser.post(get_address(name, event, of), sent)
        assert (who, found.status_code) == (who, answer)
        assert read_event_data(event) == before


def test_rows_of_another_event_are_not_found_from_own_pages(event: Event) -> None:
    mine, organizer = make_organized_event(0)
    browser, of = sign_in(organizer), map_row_keys(event)
    before = read_event_data(event)
    sent = {key: str(value) for key, value in of.items()} | {"reason": "Mine."}
    for name, action in (
        ("control", "close"),
        ("control", "pause"),
        ("control", "abandon"),
        ("list", "undo"),
        ("rounds", "draw"),
        ("bracket", "withdraw"),
        ("waiting", "confirm"),
        ("waiting", "refuse"),
        ("waiting", "withdraw"),
    ):
        found = browser.post(page(name, mine), sent | {"action": action})
        assert (name, action, found.status_code) == (name, action, 404)
    assert read_event_data(event) == before


def test_settings_of_another_event_are_hidden_from_the_admin(event: Event) -> None:
    elsewhere = sign_in(make_organizer(make_organized_event(0)[0]))
    before = read_event_data(event)
    found = elsewhere.post(
        reverse("admin:tournament_event_change", args=[event.pk]), {"title": "Mine"}
    )
    assert (found.status_code, found["Location"]) == (302, reverse("admin:index"))
    assert read_event_data(event) == before


def test_draft_event_is_visible_only_to_its_organizers(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(state="draft")
    own, elsewhere = event.organizers.get(), make_organizer(make_organized_event(0)[0])
    at = reverse("event", args=[event.slug])
    assert [sign_in(each).get(at).status_code for each in (own, elsewhere)] == [200, 404]


def list_people(event: Event) -> list[set[int]]:
    """Return the keys of the event's organizers, and those of its commentators."""
    groups = (event.organizers, event.commentary)
    return [set(each.values_list("pk", flat=True)) for each in groups]


def test_settings_form_ignores_extra_fields(event: Event) -> None:
    organizer = event.organizers.get()
    browser = sign_in(organizer)
    make_organizer(event)
    settings = reverse("admin:tournament_event_change", args=[event.pk])
    more = {
        "state": "finished",
        "second_person": "off",
        "organizers": [str(organizer.pk)],
        "commentators": [str(organizer.pk)],
        "lots_key": "mine",
        "is_superuser": "on",
        "id": "999",
    }
    event.refresh_from_db()
    before = (event.state, event.second_person, event.lots_key)
    people = list_people(event)
    browser.post(settings, read_form(browser, settings) | {"title": "Chemistry"} | more)
    event.refresh_from_db()
    assert event.title == "Chemistry"
    assert (event.state, event.second_person, event.lots_key) == before
    assert [len(each) for each in people] == [2, 1]
    assert list_people(event) == people
    organizer.refresh_from_db()
    assert not organizer.is_superuser


@pytest.mark.parametrize("field", ["is_superuser", "is_staff"])
def test_profile_form_grants_no_privileges(event: Event, field: str) -> None:
    player = event.registrations.all()[0].user
    browser = sign_in(player)
    browser.post(reverse("profile"), {"display_name": "Asha", field: "on"})
    assert not getattr(User.objects.get(pk=player.pk), field)
