"""Tests of the access that each role has to pages, actions, lists and downloads.

Access is checked in the user's own event and in another one.
"""

import re
from functools import cache
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.urls import resolve, reverse

from tests.factories import give_role, make_student, make_user
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.tournament.web.admin.base.test_access import get_page_address
from tournament.models import Event, User
from tournament.pure.rights_table import ROLES, TABLE
from tournament.registration.eligibility.uploads import upload_list
from tournament.seating.services import seat_round
from tournament.web.admin.events.events import PAGES

pytestmark = [pytest.mark.django_db, pytest.mark.patient]

VIEWS = {name: view for name, _below, view in PAGES}
# The rights to view, change, add and delete rows of each model at the desk. "" means that no role
# has the right.
MODELS = {
    "event": ("see_settings", "run", "", ""),
    "registration": ("see_people", "registrations", "", ""),
    "eligiblestudent": ("see_people", "list", "list", "list"),
}
# Other models in the admin, to which only superusers have access.
CLOSED_TO_ROLES = [
    *(f"games_{model}" for model in ("match", "hand", "loggedaction")),
    *("tournament_user", "account_emailaddress"),
]


def make_event_in_mid_round() -> Event:
    """Create an event in mid-round, with an eligibility list and an upload to preview."""
    event, organizer = make_organized_event(8, title="Chem Fest")
    start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    make_student(event, "R00001", email="asha.sen@college.example")
    upload_list(event, organizer, "list.csv", b"Roll,Name\nR2,Ben\n")
    return event


@pytest.fixture
def event() -> Event:
    return make_event_in_mid_round()


def make_client_with_role(role: str, event: Event) -> Client:
    """Return the browser of a user who has only this role, and only in this event."""
    user, browser = make_user(is_staff=True), Client()
    give_role(event, user, role)
    browser.force_login(user)
    return browser


def has_right(role: str, right: str) -> bool:
    return role in TABLE.get(right, ())


def list_actions(name: str) -> list[str]:
    """Return the actions that a POST to the page may request."""
    made: Any = VIEWS[name]()
    made.request = RequestFactory().get("/")
    return sorted({*made.actions(), *made.action_rights})


# Copying creates an event, so it also requires the site's permission.
ACTIONS = [
    (name, action)
    for name in VIEWS
    for action in list_actions(name)
    if (name, action) != ("copy",) * 2
]


def get_row_key(model: str, event: Event) -> int:
    """Return the id of a row of `model` in the event."""
    rows: dict[str, Any] = {
        "event": Event.objects.filter(pk=event.pk),
        "registration": event.registrations,
    }
    rows["eligiblestudent"] = event.students
    return int(rows[model].values_list("pk", flat=True)[0])


class RolePages:
    """All pages as shown to a user with only one role."""

    def __init__(self, role: str) -> None:
        event = make_event_in_mid_round()
        self.browser = make_client_with_role(role, event)
        people = [each.user.email for each in event.registrations.all()]
        self.theirs = {*people, *event.students.values_list("email", flat=True)}
        answers = {name: self.browser.get(get_page_address(name, event)) for name in VIEWS}
        self.shown = {name: answer.status_code for name, answer in answers.items()}
        self.texts = {name: answer.text for name, answer in answers.items()}
        self.addresses = {name: get_page_address(name, event) for name in VIEWS}
        row = get_rows_address("registration", "change", get_row_key("registration", event))
        self.rows = [
            self.browser.get(row).text,
            self.browser.get(get_rows_address("registration")).text,
        ]


@cache
def get_role_pages(role: str) -> RolePages:
    """Return the pages as shown to a role. They are cached, because three tests use them."""
    return RolePages(role)


@pytest.mark.parametrize("role", ROLES)
def test_each_role_opens_only_its_pages(role: str) -> None:
    assert get_role_pages(role).shown == {
        name: 200 if can_open(role, name) else 403 for name in VIEWS
    }


def can_open(role: str, name: str) -> bool:
    """Return whether the role may open the page.

    The download of the list also needs the right to export, because it contains personal data.
    """
    personal = name == "list-download"
    return has_right(role, VIEWS[name].view_right) and (has_right(role, "export") or not personal)


@pytest.mark.parametrize("role", ROLES)
def test_each_role_is_refused_other_actions(event: Event, role: str) -> None:
    browser = make_client_with_role(role, event)
    answers = {
        (name, action): browser.post(get_page_address(name, event), {"action": action}).status_code
        == 403
        for name, action in ACTIONS
    }
    assert answers == {
        (name, action): not can_perform(role, name, action) for name, action in ACTIONS
    }


def can_perform(role: str, name: str, action: str) -> bool:
    return can_open(role, name) and has_right(role, VIEWS[name].action_rights.get(action, "run"))


def test_roles_in_another_event_grant_no_access(event: Event) -> None:
    user, browser = make_user(is_staff=True), Client()
    other = make_organized_event(0)[0]
    for role in ROLES:
        give_role(other, user, role)
    browser.force_login(user)
    shown = {name: browser.get(get_page_address(name, event)).status_code for name in VIEWS}
    assert shown == dict.fromkeys(VIEWS, 404)
    answers = {
        (name, action): browser.post(get_page_address(name, event), {"action": action}).status_code
        for name, action in ACTIONS
    }
    assert answers == dict.fromkeys(ACTIONS, 404)


@pytest.mark.parametrize("role", ROLES)
def test_no_forbidden_button_is_shown(role: str) -> None:
    walked, refused = get_role_pages(role), []
    for name, text in walked.texts.items():
        for target, action in list_buttons(text):
            page = str(resolve(target or walked.addresses[name]).url_name).removeprefix("event-")
            if page in VIEWS and not can_perform(role, page, action):
                refused.append((name, page, action))
    assert refused == []


def list_buttons(page: str) -> list[tuple[str, str]]:
    """Return the address and the action of each button in a page's forms.

    The address is "" if the form posts to the page itself.
    """
    found = []
    for form in re.findall(r'<form [^>]*method="post".*?</form>', page, re.DOTALL):
        target = re.search(r'<form [^>]*action="([^"?]*)', form)
        for action in re.findall(r'name="action" value="([\w-]+)"', form):
            found.append((target.group(1) if target else "", action))
    return found


@pytest.mark.parametrize("role", ROLES)
def test_role_without_access_to_people_sees_no_email_addresses(role: str) -> None:
    walked = get_role_pages(role)
    read = "".join([*walked.texts.values(), *walked.rows])
    assert any(email in read for email in walked.theirs) == has_right(role, "see_people")


def get_rows_address(model: str, page: str = "changelist", *args: int) -> str:
    return reverse(f"admin:tournament_{model}_{page}", args=args)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("role", ROLES)
def test_each_role_sees_and_changes_only_its_rows(event: Event, role: str, model: str) -> None:
    browser, row = make_client_with_role(role, event), get_row_key(model, event)
    sees, changes, adds, deletes = (has_right(role, right) for right in MODELS[model])
    ways = {
        "changelist": (browser.get(get_rows_address(model)), sees),
        "change": (browser.get(get_rows_address(model, "change", row)), sees),
        "history": (browser.get(get_rows_address(model, "history", row)), sees),
        "save": (browser.post(get_rows_address(model, "change", row), {"title": ""}), changes),
        "add": (browser.get(get_rows_address(model, "add")), adds),
        "delete": (browser.get(get_rows_address(model, "delete", row)), deletes),
    }
    # For a row hidden from the role, Django's history page responds as for a missing row.
    done = {way: answer.status_code != 403 for way, (answer, _yes) in ways.items()}
    done["history"] = ways["history"][0].status_code == 200
    assert done == {way: yes for way, (_answer, yes) in ways.items()}


@pytest.mark.parametrize("role", ROLES)
def test_event_list_requires_a_role_in_that_event(event: Event, role: str) -> None:
    browser = make_client_with_role(role, event)
    mine = {"event__id__exact": event.pk}
    shown = {
        model: browser.get(get_rows_address(model), mine).status_code
        for model in ("registration", "eligiblestudent")
    }
    assert shown == {model: 200 if has_right(role, MODELS[model][0]) else 403 for model in shown}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("role", ROLES)
def test_row_of_another_event_looks_nonexistent(event: Event, role: str, model: str) -> None:
    browser, row = (
        make_client_with_role(role, make_organized_event(1)[0]),
        get_row_key(model, event),
    )
    assert event.title not in browser.get(get_rows_address(model)).text
    for page in ("change", "history", "delete"):
        theirs = browser.get(get_rows_address(model, page, row))
        nobodys = browser.get(get_rows_address(model, page, 10**6))
        assert (page, theirs.status_code) == (page, nobodys.status_code)
        assert theirs.status_code in (302, 403)
    answer = browser.post(get_rows_address(model, "change", row), {"title": "Mine", "name": "Mine"})
    assert answer.status_code in (302, 403)


@pytest.mark.parametrize("role", ROLES)
def test_other_admin_models_are_inaccessible(event: Event, role: str) -> None:
    browser = make_client_with_role(role, event)
    shown = {
        (model, page): browser.get(reverse(f"admin:{model}_{page}", args=args)).status_code
        for model in CLOSED_TO_ROLES
        for page, args in (("changelist", []), ("change", [1]), ("delete", [1]))
    }
    assert shown == dict.fromkeys(shown, 403)


@pytest.mark.parametrize("role", ROLES)
def test_people_search_is_limited_to_own_event(event: Event, role: str) -> None:
    foreign = make_event_in_mid_round()
    browser = make_client_with_role(role, event)
    asked = {"app_label": "tournament", "model_name": "registration", "field_name": "apart_from"}
    answer = browser.get(reverse("admin:autocomplete"), asked | {"term": ""})
    if not has_right(role, "see_people"):
        assert answer.status_code == 403
        return
    found = {int(row["id"]) for row in answer.json()["results"]}
    assert found == set(event.registrations.values_list("pk", flat=True))
    assert not found & set(foreign.registrations.values_list("pk", flat=True))


def test_editor_of_one_event_cannot_change_rows_of_a_viewed_event() -> None:
    mine, other = make_organized_event(1)[0], make_organized_event(1)[0]
    user, browser = make_user(is_staff=True), Client()
    give_role(mine, user, "desk")
    give_role(other, user, "viewer")
    browser.force_login(user)
    rows = [event.registrations.get() for event in (mine, other)]
    sent = {"action": "withdraw", "confirmed": "yes", "reason": "Ill."}
    browser.post(
        get_rows_address("registration"), sent | {"_selected_action": [row.pk for row in rows]}
    )
    for row in rows:
        row.refresh_from_db()
    assert [row.state for row in rows] == ["withdrawn", "approved"]


def test_menu_has_exactly_the_pages_of_the_role(event: Event) -> None:
    def list_menu_keys(role: str) -> set[str]:
        shown = make_client_with_role(role, event).get(get_page_address("desk", event)).text
        menu = shown[shown.index('class="desk-menu"') : shown.index("</nav>")]
        return set(re.findall(r'<li><a href="[^"]*"[^>]*>([\w -]+?)\s*<', menu))

    people, staff, rules = (
        {"Eligibility list", "Registrations"},
        {"People", "Activity log"},
        {"Settings", "Rules"},
    )
    result = {role: list_menu_keys(role) & (people | staff | rules) for role in ROLES}
    assert result == {
        "owner": people | staff | rules,
        "desk": people | staff,
        "scorer": staff,
        "referee": staff,
        "commentator": set(),
        "viewer": people | staff | rules,
    }
    common = {"Rounds", "Control room", "Standings", "Who advances", "Bracket"}
    assert [role for role in ROLES if not common <= list_menu_keys(role)] == []


def test_menu_counts_pending_steps(event: Event) -> None:
    event.registrations.update(state="pending")
    shown = make_client_with_role("desk", event).get(get_page_address("desk", event)).text
    assert len(re.findall(r'Before <span class="badge you">8</span>', shown)) == 1
    assert len(re.findall(r'Registrations <span class="badge you">8</span>', shown)) == 1


def test_user_without_staff_access_loses_the_desk_role(event: Event) -> None:
    browser = make_client_with_role("owner", event)
    User.objects.filter(roles__event=event).update(is_staff=False)
    assert browser.get(get_page_address("desk", event)).status_code == 302
