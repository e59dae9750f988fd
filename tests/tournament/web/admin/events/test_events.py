from typing import Any

import pytest
from django import forms
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import give_role, make_organizer, make_registrations, make_user
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tournament.models import Event, User
from tournament.pure.lists import parse_conditions
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db


def read_form(client: Client, address: str) -> dict[str, Any]:
    """Return the fields of a page's form as a browser would submit them."""
    form = client.get(address).context["adminform"].form
    formsets = client.get(address).context["inline_admin_formsets"]
    data = read_form_fields(form)
    for each in formsets:
        data |= read_form_fields(each.formset.management_form)
        for inline in each.formset.initial_forms:
            data |= read_form_fields(inline)
    return data


def read_form_fields(form: Any) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for bound in form:
        for widget in bound.subwidgets[0].data.get("subwidgets", [bound.subwidgets[0].data]):
            value = widget.get("value")
            name = widget.get("name", bound.html_name)
            data[name] = value[0] if isinstance(value, list) and len(value) == 1 else value
        if bound.field.show_hidden_initial:
            hidden = bound.field.hidden_widget()
            context = hidden.get_context(bound.html_initial_name, bound.initial, {})["widget"]
            for widget in context.get("subwidgets", [context]):
                data[widget["name"]] = widget["value"] or ""
        if isinstance(bound.field, forms.ChoiceField):
            data[bound.html_name] = (
                bound.value()
            )  # subwidgets of this field are its choices, not its value
        if isinstance(bound.value(), bool):
            data[bound.html_name] = "on" if bound.value() else None
    return {name: value for name, value in data.items() if value is not None}


@pytest.fixture
def organizer() -> User:
    user = make_organizer()
    user.user_permissions.add(Permission.objects.get(codename="add_event"))
    return user


def create_event(client: Client, **fields: str) -> Event:
    """Create an event with the default format on the pages for a new event."""
    address = reverse("admin:tournament_event_add")
    client.post(f"{address}?step=format", {"title": "Chem Fest", "way": "turnout"} | fields)
    client.post(f"{address}?step=people", {"eligibility_required": "on"} | fields)
    client.post(f"{address}?step=when", fields)
    client.post(f"{address}?step=sum")
    return Event.objects.get()


def get_settings_address(event: Event) -> str:
    return reverse("admin:tournament_event_change", args=[event.pk])


def test_conditions_are_entered_as_text(client: Client) -> None:
    event = create_event(client)
    change_event(event, client, conditions="department = Chemical Engineering and programme = UG")
    event.refresh_from_db()
    assert event.conditions == [
        {"field": "department", "value": "Chemical Engineering"},
        {"field": "programme", "value": "UG"},
    ]
    shown = client.get(get_settings_address(event)).content.decode()
    assert "department = Chemical Engineering and programme = UG" in shown


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"conditions": "chemists only"}, "“chemists only” is not a condition"),
        ({"table_size": "1"}, "Ensure this value is greater than or equal to 2."),
        (
            {
                "registration_opens_0": "2026-12-02",
                "registration_opens_1": "10:00",
                "registration_closes_0": "2026-12-01",
                "registration_closes_1": "10:00",
            },
            "Registration must open before it closes.",
        ),
        ({"stages-0-rounds_planned": "0"}, "Ensure this value is greater than or equal to 1."),
        ({"stages-0-thresholds": "many"}, "“many” is not a threshold"),
    ],
)
def test_invalid_settings_are_explained(
    client: Client, fields: dict[str, str], expected: str
) -> None:
    assert expected in change_event(create_event(client), client, **fields).content.decode()


def change_event(event: Event, client: Client, **fields: Any) -> Any:
    address = reverse("admin:tournament_event_change", args=[event.pk])
    return client.post(address, read_form(client, address) | fields)


def test_settings_and_stages_are_edited_on_one_page(client: Client, organizer: User) -> None:
    event = create_event(client)
    response = change_event(
        event,
        client,
        capacity="20",
        tie_breakers_0="lots",
        tie_breakers_1="wins",
        **{f"tie_breakers_{n}": "" for n in range(2, 7)},
        **{"stages-0-rounds_planned": "2", "stages-2-0-advance": "1"},
    )
    assert response["Location"] == reverse("admin:event-desk", args=[event.pk])
    event.refresh_from_db()
    assert (event.capacity, event.tie_breakers) == (20, ["lots", "wins"])
    assert first_stage(event).rounds_planned == 2
    assert event.stages.get(number=2).advance == 1
    assert list(event.organizers.all()) == [organizer]


def test_outdated_form_does_not_reopen_registration_during_play(client: Client) -> None:
    event = create_event(client)
    address = reverse("admin:tournament_event_change", args=[event.pk])
    opened = read_form(client, address)
    closed = timezone.now().replace(microsecond=0)
    Event.objects.update(registration_closes=closed)
    client.post(address, opened | {"capacity": "20"})
    event.refresh_from_db()
    assert (event.capacity, event.registration_closes) == (20, closed)
    assert list_log_texts(event) == ["Changed: spots."]


def list_log_texts(event: Event) -> list[str]:
    """Return the log's sentences about changed settings, in order."""
    return list(event.audit.filter(action="change").order_by("pk").values_list("text", flat=True))


@pytest.mark.parametrize("conditions", ["", "department = Chemical Engineering"])
def test_log_lists_only_the_changed_settings(client: Client, conditions: str) -> None:
    event = create_event(client)
    event.conditions = parse_conditions(conditions)
    event.save()
    change_event(event, client, capacity="20")
    change_event(event, client)
    change_event(event, client, conditions="programme = UG")
    change_event(event, client, **{"stages-0-rounds_planned": "2"})
    assert list_log_texts(event) == [
        "Changed: spots.",
        "Changed: conditions.",
        "Changed in First round (everyone plays): rounds.",
    ]


def test_tie_break_cannot_be_chosen_twice(client: Client) -> None:
    response = change_event(
        create_event(client), client, tie_breakers_0="wins", tie_breakers_1="wins"
    )
    assert "Use each tie-break only once." in response.content.decode()


def test_capacity_below_the_taken_spots_is_explained(client: Client) -> None:
    event, organizer = make_organized_event(0)
    make_registrations(event, 3)
    client.force_login(organizer)
    response = change_event(event, client, capacity="2")
    assert (
        "3 players already have a spot or are waiting for approval, so 2 spots are too few."
    ) in response.content.decode()


def test_submitted_state_and_options_are_ignored(client: Client) -> None:
    event = create_event(client)
    change_event(event, client, state="finished", options='{"target": 1}', lots_key="mine")
    event.refresh_from_db()
    assert (event.state, event.options, event.lots_key == "mine") == ("draft", {}, False)


def get_rules_address(event: Event) -> str:
    return reverse("admin:event-rules", args=[event.pk])


def read_option_fields(client: Client, address: str) -> dict[str, Any]:
    form = client.get(address).context["form"]
    return {name: form.initial[name] for name in form.fields}


def test_rules_form_is_built_from_the_option_descriptions(client: Client) -> None:
    event, organizer = make_organized_event(0)
    client.force_login(organizer)
    shown = client.get(get_rules_address(event)).content.decode()
    assert "You may choose not to play a card that fits, but then you must draw." in shown
    assert "No effect with the other options you chose" in shown


def test_rule_options_are_saved(client: Client) -> None:
    event, organizer = make_organized_event(0)
    client.force_login(organizer)
    data = read_option_fields(client, get_rules_address(event)) | {
        "target": "250",
        "stacking": "any-draw",
    }
    data |= {"action": "save", "ruleset": "uno-400", "challenge": "False"}
    assert client.post(get_rules_address(event), data).status_code == 302
    event.refresh_from_db()
    assert event.options == {"target": 250, "stacking": "any-draw", "challenge": False}


def test_new_rule_set_starts_with_its_own_defaults(client: Client) -> None:
    event, organizer = make_organized_event(0, options={"target": 250})
    client.force_login(organizer)
    data = read_option_fields(client, f"{get_rules_address(event)}?ruleset=ocho")
    client.post(get_rules_address(event), data | {"action": "save", "ruleset": "ocho"})
    event.refresh_from_db()
    assert (event.ruleset, event.options) == ("ocho", {})


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        (
            {"partners": "True", "scoring": "elimination"},
            "Partners can’t be eliminated one by one: choose another way of scoring.",
        ),
        (
            {"blanks": "2", "blank_rule": "replace"},
            "Enter the card that the blanks replace, such as Y7.",
        ),
        ({"target": "-1"}, "Ensure this value is greater than or equal to 0."),
        (
            {"target": "0", "scoring": "elimination"},
            "Scoring by elimination requires a target above 0.",
        ),
        ({"draw": "seven"}, "Select a valid choice. seven is not one of the available choices."),
    ],
)
def test_invalid_options_are_explained(
    client: Client, fields: dict[str, str], sentence: str
) -> None:
    event, organizer = make_organized_event(0)
    client.force_login(organizer)
    data = (
        read_option_fields(client, get_rules_address(event))
        | {"action": "save", "ruleset": "uno-400"}
        | fields
    )
    response = client.post(get_rules_address(event), data)
    assert (response.status_code, sentence in response.content.decode()) == (422, True)
    event.refresh_from_db()
    assert event.options == {}


def test_rules_of_a_started_event_cannot_be_changed(client: Client) -> None:
    event, organizer = make_organized_event(4)
    start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    client.force_login(organizer)
    page = client.get(get_rules_address(event)).content.decode()
    assert "so the rules can no longer change." in page
    assert "Save rules" not in page
    data = read_option_fields(client, get_rules_address(event)) | {
        "ruleset": "uno-400",
        "target": "100",
    }
    data |= {"action": "save"}
    shown = client.post(get_rules_address(event), data, follow=True).content.decode()
    assert "The first round has started, so the rules can no longer change." in shown
    event.refresh_from_db()
    assert event.options == {}


def test_desk_can_publish_the_event(client: Client) -> None:
    event = create_event(client)
    desk = reverse("admin:event-desk", args=[event.pk])
    assert "Publish event" in client.get(desk).content.decode()
    client.post(desk, {"action": "publish"})
    event.refresh_from_db()
    assert event.state == "open"
    again = client.post(desk, {"action": "publish"}, follow=True).content.decode()
    assert "The event is already published." in again


def test_winner_cannot_be_announced_before_the_rounds_are_played(client: Client) -> None:
    event, organizer = make_organized_event(4)
    client.force_login(organizer)
    desk = reverse("admin:event-desk", args=[event.pk])
    shown = client.post(desk, {"action": "announce"}, follow=True).content.decode()
    assert "The winner has not been decided yet. Play all rounds first." in shown


def test_superusers_can_add_organizers(client: Client) -> None:
    client.force_login(make_user(is_staff=True, is_superuser=True))
    person = make_user()
    address = reverse("admin:tournament_user_change", args=[person.pk])
    data = {
        "username": person.username,
        "email": person.email,
        "display_name": person.display_name,
        "is_active": "on",
        "is_staff": "on",
        "date_joined_0": "2026-01-01",
        "date_joined_1": "10:00",
    }
    assert client.post(address, data).status_code == 302
    person.refresh_from_db()
    assert person.is_staff


def test_event_form_has_viewer_and_replay_settings_but_no_people(
    client: Client, organizer: User
) -> None:
    event, _ = make_organized_event(4)
    give_role(event, organizer)
    address = reverse("admin:tournament_event_change", args=[event.pk])
    fields = {"viewers": "delayed", "viewer_delay_seconds": "90", "replays": "never"}
    people = {"commentators": [str(organizer.pk)], "organizers": [], "second_person": "off"}
    assert client.post(address, read_form(client, address) | fields | people).status_code == 302
    event.refresh_from_db()
    assert (event.viewers, event.viewer_delay_seconds, event.replays) == ("delayed", 90, "never")
    assert (event.commentary.count(), event.organizers.count()) == (0, 2)
    assert event.second_person == "far"
    page = client.get(address).content.decode()
    assert "Tables already in play stay as they are" in page


@pytest.mark.parametrize("address", ["/admin/", "/admin/tournament/"])
def test_admin_index_lists_own_events(
    client: Client, organizer: User, event: Event, address: str
) -> None:
    give_role(event, organizer)
    shown = client.get(address).content.decode()
    assert reverse("admin:event-desk", args=[event.pk]) in shown
    assert "You aren’t organizing any events yet." not in shown
