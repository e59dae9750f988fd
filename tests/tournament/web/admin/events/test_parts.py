"""Tests of settings that are shown and saved in parts."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournament.helpers import make_organized_event
from tests.tournament.web.admin.events.test_events import read_form
from tournament.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(client: Client) -> Event:
    event, organizer = make_organized_event(0)
    client.force_login(organizer)
    return event


def get_part_address(event: Event, name: str) -> str:
    return reverse("admin:tournament_event_change", args=[event.pk]) + f"?part={name}"


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("event", ["title", "slug", "place", "starts_at", "time_zone", "description"]),
        ("questions", ["contact_name", "contact_email", "contact_phone", "contact_room"]),
        ("viewers", ["viewers", "viewer_delay_seconds", "replays"]),
        ("standings", ["tie_breakers"]),
        ("outcomes", ["missed_rounds", "forfeits", "substitutes", "disqualified"]),
        ("organizers", ["second_factor"]),
        ("stages", []),
    ],
)
def test_section_has_only_its_own_fields(
    client: Client, event: Event, name: str, fields: list[str]
) -> None:
    page = client.get(get_part_address(event, name))
    assert sorted(page.context["adminform"].form.fields) == sorted([*fields, "shown"])
    assert bool(page.context["inline_admin_formsets"]) == (name == "stages")


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("event", "place", "Hall B"),
        ("questions", "contact_room", "R 12"),
        ("tables", "turn_seconds", 40),
        ("registration", "capacity", 90),
    ],
)
def test_section_is_saved_separately_and_stays_open(
    client: Client, event: Event, name: str, field: str, value: object
) -> None:
    before = Event.objects.values().get(pk=event.pk)
    data = read_form(client, get_part_address(event, name)) | {field: value}
    answer = client.post(
        get_part_address(event, name), {k: v for k, v in data.items() if v is not None}
    )
    assert answer["Location"] == get_part_address(event, name)
    assert Event.objects.values().get(pk=event.pk) == before | {field: value}


def test_stages_are_saved_separately(client: Client, event: Event) -> None:
    address = get_part_address(event, "stages")
    client.post(address, read_form(client, address) | {"stages-0-title": "Preliminaries"})
    assert event.stages.get(number=1).title == "Preliminaries"


def test_untitled_stage_shows_and_keeps_its_default_name(client: Client, event: Event) -> None:
    address = get_part_address(event, "stages")
    name = "First round (everyone plays)"
    assert f'placeholder="{name}"' in client.get(address).text
    for title, label in (("Preliminaries", "Preliminaries"), ("", name)):
        client.post(address, read_form(client, address) | {"stages-0-title": title})
        assert event.stages.get(number=1).label == label


def test_stage_without_a_default_name_needs_a_title(client: Client, event: Event) -> None:
    event.stages.filter(number=1).update(title="Morning", name="")
    address = get_part_address(event, "stages")
    message = client.post(address, read_form(client, address) | {"stages-0-title": ""}).text
    assert "This field is required." in message
    assert event.stages.get(number=1).label == "Morning"


def test_concurrent_edits_to_two_sections_do_not_conflict(client: Client, event: Event) -> None:
    place = read_form(client, get_part_address(event, "event")) | {"place": "Hall B"}
    other = read_form(client, get_part_address(event, "questions")) | {"contact_room": "R 12"}
    for name, data in (("questions", other), ("event", place)):
        client.post(get_part_address(event, name), {k: v for k, v in data.items() if v is not None})
    event.refresh_from_db()
    assert (event.place, event.contact_room) == ("Hall B", "R 12")


def test_settings_explain_missed_rounds_if_fewest_points_win(client: Client, event: Event) -> None:
    sentence = "If the fewest points win, “not played” also counts as a loss."
    assert sentence in client.get(get_part_address(event, "outcomes")).text
