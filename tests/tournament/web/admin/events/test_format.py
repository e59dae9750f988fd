"""Tests of the page that changes an event's format and stages."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from tests.factories import make_organizer
from tests.tournament.events.closing.test_locking import make_finished_event
from tests.tournament.helpers import (
    first_stage,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
    play_first_round,
)
from tests.tournament.organizing import page, press_button
from tests.tournament.web.admin.events.test_events import read_form
from tournament.events.format_changes import add_stage, remove_stage, set_format
from tournament.events.services import create_event, publish_event
from tournament.models import Event, Stage, User
from tournament.oversight.history_texts import history
from tournament.seating.lots import list_lots
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> User:
    return make_organizer()


@pytest.fixture
def event(organizer: User) -> Event:
    return create_event(Event(title="Cup", slug="cup"), organizer)


def test_draft_event_can_switch_to_the_stages_of_another_format(
    client: Client, event: Event
) -> None:
    assert "Choose another format" in client.get(page("format", event)).content.decode()
    message = press_button(client, page("format", event), "set", format="three-stages")
    assert "Format changed. The rules stay as they are." in message
    assert [(stage.label, stage.format) for stage in event.stages.order_by("number")] == [
        ("Rounds", "rounds"),
        ("Further rounds", "rounds"),
        ("Finals", "bracket"),
    ]
    assert event.audit.order_by("-pk")[0].text.startswith("Set the format: 2 rounds for everyone")


def test_published_event_keeps_its_stages(client: Client, event: Event, organizer: User) -> None:
    publish_event(event, organizer)
    assert (
        "The event is published, so you can no longer choose another format."
        in client.get(page("format", event)).content.decode()
    )
    message = press_button(client, page("format", event), "set", format="rounds")
    assert "The event is published, so you can no longer choose another format." in message
    assert event.stages.count() == 2


def test_unknown_format_is_refused(organizer: User) -> None:
    event, owner = make_organized_event(0)
    assert get_refusal_code(set_format, event, owner, "chess") == "format"


# Individual stages


def make_single_stage_event(players: int = 0) -> tuple[Event, User]:
    """Create a published event whose only stage consists of rounds."""
    event, organizer = make_organized_event(players)
    event.stages.filter(number=2).delete()
    return event, organizer


def get_last_stage(event: Event) -> Stage:
    return event.stages.order_by("-number")[0]


def test_repeated_or_outdated_removal_removes_no_further_stage(
    client: Client, organizer: User
) -> None:
    event = create_event(Event(title="Cup", slug="cup-4"), organizer)
    press_button(client, page("format", event), "set", format="three-stages")
    last = get_last_stage(event)
    assert f'name="last" value="{last.pk}"' in client.get(page("format", event)).text
    assert "removed." in press_button(client, page("format", event), "remove", last=last.pk)
    changed = "The stages have changed since you opened this page. Review the stages again."
    assert changed in press_button(client, page("format", event), "remove", last=last.pk)
    assert changed in press_button(client, page("format", event), "remove")
    assert changed in press_button(
        client, page("format", event), "add", stage="bracket", last=last.pk
    )
    assert event.stages.count() == 2


def test_outdated_settings_with_a_removed_stage_save_nothing(
    client: Client, event: Event, organizer: User
) -> None:
    settings = reverse("admin:tournament_event_change", args=[event.pk])
    opened = read_form(client, settings)
    remove_stage(event, organizer)
    add_stage(event, organizer, "rounds", "Again", 4)
    message = client.post(settings, opened | {"title": "Cups", "stages-2-0-title": "Old"}).text
    assert "The stages have changed since you opened this page. Review the stages again." in message
    event.refresh_from_db()
    assert event.title == "Cup"
    assert [each.label for each in event.stages.order_by("number")] == [
        "First round (everyone plays)",
        "Again",
    ]


def test_viewer_of_a_draft_sees_no_controls(client: Client, event: Event) -> None:
    viewer = make_organizer(email="viewer@example.edu")
    event.roles.create(user=viewer, role="viewer")
    client.force_login(viewer)
    shown = client.get(page("format", event)).text
    assert "Second round (knockout)" in shown
    assert "The event is published" not in shown
    assert "Add a stage" not in shown


def test_final_tables_can_be_added_to_and_removed_from_a_draft(
    client: Client, organizer: User
) -> None:
    event = create_event(Event(title="Cup", slug="cup-2"), organizer)
    press_button(client, page("format", event), "set", format="rounds")
    shown = client.get(page("format", event)).text
    assert "The new stage comes after Rounds" in shown
    message = press_button(
        client, page("format", event), "add", stage="bracket", last=get_last_stage(event).pk
    )
    assert "Finals added. Set who advances to it in the settings." in message
    assert "Finals goes on until one player is left, so no stage can follow it." in message
    assert [each.format for each in event.stages.order_by("number")] == ["rounds", "bracket"]
    assert "Finals removed." in press_button(
        client, page("format", event), "remove", last=get_last_stage(event).pk
    )
    assert event.stages.count() == 1
    assert not event.history.exists()


def test_added_rounds_have_the_requested_title_and_number(client: Client, organizer: User) -> None:
    event = create_event(Event(title="Cup", slug="cup-3"), organizer)
    press_button(client, page("format", event), "set", format="rounds")
    asked = {"stage": "rounds", "title": " The  better\x00 half ", "rounds": 2}
    press_button(client, page("format", event), "add", last=get_last_stage(event).pk, **asked)
    stage = event.stages.get(number=2)
    assert (stage.title, stage.rounds_planned, stage.by_points) == ("The better half", 2, True)
    assert event.audit.order_by("-pk")[0].text == (
        "Added the stage The better half: 2 rounds for everyone."
    )


def test_stage_added_after_publishing_is_logged_with_a_reason() -> None:
    event, organizer = make_single_stage_event()
    assert get_refusal_code(add_stage, event, organizer, "bracket") == "no-reason"
    stage = add_stage(event, organizer, "bracket", reason="More have come.")
    row = history(event).rows[0]
    assert (row.text, row.reason) == (
        "A stage was added at the end: Finals.",
        "More have come.",
    )
    assert [each.kept for each in list_lots(event)] == [True] * 3
    Stage.objects.filter(pk=stage.pk).update(lots_key="another")
    assert [each.kept for each in list_lots(event)] == [True, True, False]
    assert get_refusal_code(remove_stage, event, organizer) == "no-reason"
    remove_stage(event, organizer, "Too late for it.")
    assert history(event).rows[0].text == "The last stage was removed: Finals."
    with translation.override("bn"):
        assert "ফাইনাল পর্ব" in history(event).rows[0].text
    again = add_stage(event, organizer, "bracket", reason="Time after all.")
    assert again.lots_key != "another"
    assert [each.kept for each in list_lots(event)] == [True] * 3


def test_final_can_be_added_and_played_after_the_first_stage() -> None:
    event, organizer = make_single_stage_event(8)
    play_first_round(event, organizer)
    add_stage(event, organizer, "bracket", reason="There is time for a final.")
    second = make_second_stage(event, organizer, 4)
    assert (second.number, second.qualifiers.count()) == (2, 4)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"key": "chess"}, "format"),
        ({"key": "rounds", "title": "first ROUND (everyone plays)"}, "title"),
        ({"key": "rounds", "title": "x" * 61}, "title"),
        ({"key": "rounds", "rounds": 0}, "rounds"),
        ({"key": "rounds", "rounds": 21}, "rounds"),
    ],
)
def test_invalid_stage_is_refused(changes: dict[str, object], code: str) -> None:
    event, organizer = make_single_stage_event()
    assert get_refusal_code(add_stage, event, organizer, reason="Because.", **changes) == code


def test_no_stage_can_follow_a_bracket_a_closed_stage_or_the_winner() -> None:
    event, organizer = make_organized_event(0)
    assert get_refusal_code(add_stage, event, organizer, "rounds", reason="More.") == "bracket"
    event.stages.filter(number=2).update(format="rounds", state=Stage.State.CLOSED)
    assert get_refusal_code(add_stage, event, organizer, "rounds", reason="More.") == "closed"
    event, organizer = make_finished_event()
    assert get_refusal_code(add_stage, event, organizer, "rounds", reason="More.") == "finished"
    assert get_refusal_code(remove_stage, event, organizer, "Less.") == "finished"


def test_sole_or_started_stage_cannot_be_removed() -> None:
    event, organizer = make_single_stage_event(8)
    assert get_refusal_code(remove_stage, event, organizer, "Less.") == "only"
    event, organizer = make_organized_event(8)
    make_second_stage(event, organizer, 4)
    assert get_refusal_code(remove_stage, event, organizer, "Less.") == "begun"


def test_empty_stage_after_a_closed_stage_cannot_be_removed() -> None:
    event, organizer = make_organized_event(8)
    event.stages.filter(number=1).update(state=Stage.State.CLOSED)
    assert get_refusal_code(remove_stage, event, organizer, "Less.") == "closed"


def test_page_explains_why_a_stage_cannot_be_removed(client: Client, organizer: User) -> None:
    event, owner = make_organized_event(8)
    event.roles.create(user=organizer, role="owner")
    add = client.get(page("format", event)).text
    assert "Remove Second round (knockout)" in add
    event.stages.filter(number=2).update(format="rounds")
    seat_round(first_stage(event), owner)
    make_second_stage(event, owner, 4)
    assert "Second round (knockout) has already begun" in client.get(page("format", event)).text
