"""Tests of exporting and importing a whole event."""

from copy import deepcopy
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from tests.factories import make_organizer, make_user
from tests.tournament.exports.transfer.test_contents import delete_event
from tests.tournament.helpers import (
    first_stage,
    make_organized_event,
    play_first_round,
    start_drafted_round,
)
from tests.tournament.organizing import page, press_button
from tournament.models import Event, User
from tournament.oversight.history_texts import history
from tournament.seating.services import seat_round
from tournament.web.admin.people.staff import WAITS

pytestmark = pytest.mark.django_db
IMPORT_PAGE = reverse("admin:event-bring")


def sign_in_organizer(event: Event) -> Client:
    return sign_in(event.organizers.order_by("pk")[0])


def sign_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture(scope="module")
def shared_event(shared_rows: None) -> Event:
    event, organizer = make_organized_event(4)
    play_first_round(event, organizer)
    return event


@pytest.fixture
def event(shared_event: Event) -> Event:
    return deepcopy(shared_event)


@pytest.fixture
def superuser() -> User:
    return make_user(is_staff=True, is_superuser=True)


def upload_event_file(client: Client, content: bytes) -> str:
    file = SimpleUploadedFile("event.zip", content)
    return str(client.post(IMPORT_PAGE, {"file": file}, follow=True).text)


def test_event_is_exported_and_imported_on_another_site(event: Event, superuser: User) -> None:
    client, file = sign_in_organizer(event), page("whole", event)
    assert "This file contains personal data" in client.get(file).text
    assert "for the next 24 hours" in press_button(client, file, "ask", reason="To the hall.")
    shown = press_button(client, page("carrying", event), "take")
    assert "The event is now read-only here." in shown
    content = client.get(file).content
    assert "on another server" in client.get(page("desk", event)).text
    assert "on another server" in client.get(reverse("event", args=[event.slug])).text
    delete_event(event)
    assert "has been imported, including everything done on the other server." in upload_event_file(
        sign_in(superuser), content
    )
    assert history(Event.objects.get(identity=event.identity)).broken is None


def test_second_organizer_confirms_the_event_export(event: Event) -> None:
    make_organizer(event)
    client = sign_in_organizer(event)
    assert "A second organizer has to confirm this." in client.get(page("carrying", event)).text
    assert str(WAITS) in press_button(client, page("whole", event), "ask", reason="To the hall.")
    assert "Export the whole event" in client.get(page("waiting", event)).text
    assert "Request the event file first." in press_button(client, page("carrying", event), "take")


def test_copy_can_be_exported_while_the_event_continues(event: Event) -> None:
    client, file = sign_in_organizer(event), page("whole", event)
    _before, copy = client.get(page("carrying", event)).text.split("Keep a copy")
    assert file in copy
    press_button(client, file, "ask", reason="Archive.")
    answer = client.get(file)
    assert answer["Content-Disposition"] == f'attachment; filename="{event.slug}-copy-0.zip"'
    assert "Download a copy" in client.get(page("carrying", event)).text


def test_tables_blocking_the_transfer_are_listed() -> None:
    event, organizer = make_organized_event(4)
    start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    client = sign_in_organizer(event)
    press_button(client, page("whole", event), "ask", reason="To the hall.")
    said = "Matches are still being played: Round 1, table 1"
    assert said in client.get(page("carrying", event)).text
    assert said in client.get(page("whole", event), follow=True).text


def test_event_can_continue_here_without_the_other_server(event: Event) -> None:
    client, address = sign_in_organizer(event), page("carrying", event)
    press_button(client, page("whole", event), "ask", reason="To the hall.")
    press_button(client, address, "take")
    assert "Continue here without the other server" in client.get(address).text
    assert "give a reason" in press_button(client, address, "go-on").lower()
    assert "The event continues here." in press_button(
        client, address, "go-on", reason="It was stolen."
    )


def test_file_without_an_event_is_refused(superuser: User) -> None:
    assert "The file is damaged" in upload_event_file(sign_in(superuser), b"hello")


def test_import_without_a_file_is_refused(superuser: User) -> None:
    assert "Choose a file first." in sign_in(superuser).post(IMPORT_PAGE, follow=True).text


def test_only_users_who_can_add_events_can_import_one(event: Event) -> None:
    assert sign_in(event.registrations.all()[0].user).get(IMPORT_PAGE).status_code == 302
    assert sign_in(make_user(is_staff=True)).get(IMPORT_PAGE).status_code == 403


def test_event_list_links_to_the_import(superuser: User) -> None:
    assert IMPORT_PAGE in sign_in(superuser).get(reverse("admin:tournament_event_changelist")).text


def test_commands_export_and_import_like_the_pages(
    event: Event, superuser: User, tmp_path: Path
) -> None:
    file = tmp_path / "event.zip"
    by = event.organizers.get().email
    call_command("export_event", event.slug, file, move=True, by=by, reason="To the hall.")
    # The export can be repeated in case the first file is lost.
    call_command("export_event", event.slug, file, move=True)
    delete_event(event)
    call_command("import_event", file, by=superuser.email)
    assert Event.objects.get(identity=event.identity).journey == 1


@pytest.mark.parametrize(
    ("command", "rest", "expected"),
    [
        ("export_event", ["no-such", "x.zip"], "There is no event no-such."),
        ("import_event", ["no-such.zip", "--by", "nobody@x.example"], "No account has"),
    ],
)
def test_commands_report_missing_input(command: str, rest: list[str], expected: str) -> None:
    with pytest.raises(CommandError, match=expected):
        call_command(command, *rest)


def test_commands_refuse_the_same_requests_as_the_pages(
    event: Event, superuser: User, tmp_path: Path
) -> None:
    file = tmp_path / "event.zip"
    with pytest.raises(CommandError, match="--by names who"):
        call_command("export_event", event.slug, file, move=True)
    call_command("export_event", event.slug, file)
    with pytest.raises(CommandError, match="this file is only a copy of it"):
        call_command("import_event", file, by=superuser.email)
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_event", tmp_path / "none.zip", by=superuser.email)
