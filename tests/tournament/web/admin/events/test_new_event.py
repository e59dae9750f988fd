"""Tests of the page that creates an event in a few steps."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.factories import give_role, make_event, make_organizer
from tests.tournament.organizing import page
from tests.typed import Response
from tournament.models import Event, User

pytestmark = pytest.mark.django_db

FORMAT_FIELDS = {"title": "Chem Fest", "way": "rounds"}


@pytest.fixture
def organizer() -> User:
    user = make_organizer()
    user.user_permissions.add(Permission.objects.get(codename="add_event"))
    return user


def get_step_address(name: str) -> str:
    return f"{reverse('admin:tournament_event_add')}?step={name}"


def submit_step(client: Client, name: str, **fields: Any) -> Response:
    return client.post(get_step_address(name), fields)


def create_event_on_pages(client: Client, **when: str) -> Event:
    submit_step(client, "format", **FORMAT_FIELDS)
    submit_step(client, "people", capacity="120")
    submit_step(client, "when", **when)
    submit_step(client, "sum")
    return Event.objects.get()


def test_each_step_leads_to_the_next_and_finally_to_the_desk(
    client: Client, organizer: User
) -> None:
    assert submit_step(client, "format", **FORMAT_FIELDS)["Location"] == get_step_address("people")
    assert submit_step(client, "people", capacity="120")["Location"] == get_step_address("when")
    assert submit_step(client, "when", place="Hall A")["Location"] == get_step_address("sum")
    shown = client.get(get_step_address("sum")).content.decode()
    assert (
        "Chem Fest: UNO to 500, tables of 4. The first player to reach 500 points wins the match. "
        "3 rounds for everyone. The player with the most points over all rounds wins the event. "
        "Open to everyone with a confirmed email address, up to 120 players. Time to be "
        "announced, Hall A."
    ) in shown
    response = submit_step(client, "sum")
    event = Event.objects.get()
    assert response["Location"] == reverse("admin:event-desk", args=[event.pk])
    assert (event.slug, event.state, event.capacity) == ("chem-fest", "draft", 120)
    assert list(event.organizers.all()) == [organizer]
    assert [stage.rounds_planned for stage in event.stages.all()] == [3]
    assert 'value="Chem Fest"' not in client.get(get_step_address("format")).content.decode()


def test_every_format_is_listed_with_its_description(client: Client) -> None:
    shown = client.get(get_step_address("format")).content.decode()
    assert len(re.findall(r'name="way"', shown)) == 9
    assert "For 4 to 16 players: everyone partners everyone else once" in shown


def test_format_sets_the_rules_tables_and_hands(client: Client) -> None:
    submit_step(client, "format", title="Pairs", way="partners")
    submit_step(client, "people")
    submit_step(client, "when")
    submit_step(client, "sum")
    event = Event.objects.get()
    assert (event.ruleset, event.options["partners"]) == ("uno-500", True)
    assert (event.table_size, event.hand_limit) == (4, 4)
    assert event.stages.get().rotation


def test_rule_set_can_differ_from_the_format_default(client: Client) -> None:
    submit_step(client, "format", title="Pairs", way="challenge", ruleset="uno-400")
    submit_step(client, "people")
    submit_step(client, "when")
    submit_step(client, "sum")
    assert (Event.objects.get().ruleset, Event.objects.get().options) == (
        "uno-400",
        {"scoring": "elimination"},
    )


def test_missing_answer_is_requested_at_its_step(client: Client) -> None:
    shown = submit_step(client, "format", way="rounds").content.decode()
    assert "This field is required." in shown
    assert client.get(get_step_address("sum"))["Location"] == get_step_address("format")
    assert submit_step(client, "sum")["Location"] == get_step_address("sum")
    assert not Event.objects.exists()


def test_going_back_keeps_earlier_answers(client: Client) -> None:
    submit_step(client, "format", **FORMAT_FIELDS)
    shown = client.get(get_step_address("format")).content.decode()
    assert 'value="Chem Fest"' in shown
    assert re.search(r'value="rounds"[^>]*checked', shown)


def test_times_use_the_event_zone(client: Client) -> None:
    event = create_event_on_pages(
        client, starts_at_0="2026-12-01", starts_at_1="15:00", time_zone="Asia/Kolkata"
    )
    assert event.starts_at is not None
    assert event.starts_at.isoformat() == "2026-12-01T09:30:00+00:00"
    assert str(event.zone) == "Asia/Kolkata"


def test_events_with_the_same_title_get_different_urls(client: Client) -> None:
    make_event(slug="chem-fest")
    make_event(slug="chem-fest-2")
    submit_step(client, "format", **FORMAT_FIELDS)
    submit_step(client, "people")
    submit_step(client, "when")
    submit_step(client, "sum")
    assert Event.objects.order_by("pk").last() == Event.objects.get(slug="chem-fest-3")


def test_capacity_too_large_for_the_rules_is_reported_at_the_end(client: Client) -> None:
    submit_step(client, "format", title="Pairs", way="one-table", ruleset="ocho-cards")
    submit_step(client, "people")
    submit_step(client, "when")
    shown = client.post(get_step_address("sum"), follow=True).content.decode()
    assert Event.objects.exists() or "These rules are for 2 to " in shown


def test_only_users_with_permission_can_create_events(client: Client) -> None:
    client.force_login(make_organizer(make_event()))
    assert client.get(get_step_address("format")).status_code == 403


STUDENT_LIST = b"Roll No.,Name,Email\nCHE-1,Tara Nair,tara@college.example\n"


def test_list_uploaded_in_the_last_step_is_previewed(client: Client) -> None:
    submit_step(client, "format", **FORMAT_FIELDS)
    submit_step(client, "people", eligibility_required="on")
    submit_step(client, "when")
    assert 'name="list"' in client.get(get_step_address("sum")).content.decode()
    file = SimpleUploadedFile("list.csv", STUDENT_LIST)
    response = client.post(get_step_address("sum"), {"list": file}, follow=True)
    assert "Tara Nair" in response.content.decode()
    event = Event.objects.get()
    assert response.redirect_chain == [(page("import", event, event.imports.get().pk), 302)]
    assert not event.students.exists()


def test_unreadable_list_does_not_prevent_event_creation(client: Client) -> None:
    submit_step(client, "format", **FORMAT_FIELDS)
    submit_step(client, "people", eligibility_required="on")
    submit_step(client, "when")
    file = SimpleUploadedFile("list.pdf", b"%PDF-1.7")
    response = client.post(get_step_address("sum"), {"list": file}, follow=True)
    event = Event.objects.get()
    assert response.redirect_chain == [(page("list", event), 302)]
    assert "Chem Fest has been created." in response.content.decode()
    assert not event.imports.exists()


def test_no_list_can_be_uploaded_for_an_event_without_a_list(client: Client) -> None:
    submit_step(client, "format", **FORMAT_FIELDS)
    submit_step(client, "people")
    submit_step(client, "when")
    assert 'name="list"' not in client.get(get_step_address("sum")).content.decode()


def test_eligibility_is_set_in_the_people_step(client: Client) -> None:
    message = submit_step(client, "people", conditions="department").content.decode()
    assert "errorlist" in message
    submit_step(client, "format", **FORMAT_FIELDS)
    submit_step(client, "people", conditions="programme = UG", email_domains="uni.edu")
    submit_step(client, "when")
    submit_step(client, "sum")
    event = Event.objects.get()
    assert event.conditions == [{"field": "programme", "value": "UG"}]
    assert event.email_domains == ["uni.edu"]


def test_first_step_and_event_list_link_to_the_page_that_copies_an_event(
    client: Client, organizer: User
) -> None:
    mine, other = make_event(title="Old Cup"), make_event(title="Other Cup")
    give_role(mine, organizer)
    give_role(other, organizer, "viewer")
    for shown in (get_step_address("format"), reverse("admin:tournament_event_changelist")):
        content = client.get(shown).content.decode()
        assert page("copy", mine) in content
        assert page("copy", other) not in content


def test_settings_page_has_a_section_index(client: Client, organizer: User) -> None:
    event = make_event()
    give_role(event, organizer)
    shown = client.get(reverse("admin:tournament_event_change", args=[event.pk])).content.decode()
    parts = re.findall(r'<a href="\?(?:part=([\w-]+))?"', shown)
    assert parts == [
        "event",
        "questions",
        "registration",
        "tables",
        "viewers",
        "standings",
        "outcomes",
        "organizers",
        "stages",
        "",
    ]
