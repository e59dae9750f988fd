import csv
import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.factories import make_student, make_user
from tests.tournament.helpers import make_organized_event
from tournament.models import EligibleStudent, Event
from tournament.registration.services import register

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.sql,
    pytest.mark.event(players=0, eligibility_required=True),
]

VALID_LIST = "Roll No.,Name,Email\nCHE-1,Asha Sen,asha@college.example\nCHE-2,Ben Roy,\n"


def get_list_address(event: Event) -> str:
    return reverse("admin:event-list", args=[event.pk])


def upload_file(
    client: Client, event: Event, text: str = VALID_LIST, name: str = "list.csv"
) -> str:
    """Upload a file and return the page shown after the redirect."""
    file = SimpleUploadedFile(name, text.encode())
    response = client.post(get_list_address(event), {"action": "upload", "file": file}, follow=True)
    return response.content.decode()


def apply_import(client: Client, event: Event, **fields: str) -> str:
    pending = event.imports.get(state="previewed")
    address = reverse("admin:event-import", args=[event.pk, pending.pk])
    return client.post(address, {"action": "apply"} | fields, follow=True).content.decode()


def test_uploaded_file_is_previewed_before_it_is_stored(client: Client, event: Event) -> None:
    shown = upload_file(client, event)
    assert "Review the upload" in shown
    assert "Row 2: Asha Sen is new." in shown
    assert "Apply 2 rows" in shown
    assert event.students.count() == 0


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (
            "CHE-3,Chitra Das,\n",
            "2 students have no email address. Anyone who knows a roll number could "
"register with it, so these students’ registrations will need your approval.",
        ),
        ("", "1 student has no email address. Anyone who knows the roll number could "
"register with it, so the student’s registration will need your approval."),
    ],
)  # fmt: skip
def test_list_without_email_addresses_shows_its_consequences(
    client: Client, event: Event, rows: str, sentence: str
) -> None:
    assert sentence in upload_file(client, event, VALID_LIST + rows)


def test_list_with_all_addresses_shows_no_notice(client: Client, event: Event) -> None:
    assert "no e-mail address" not in upload_file(
        client, event, VALID_LIST.replace("CHE-2,Ben Roy,\n", "")
    )


def test_previewed_list_is_applied(client: Client, event: Event) -> None:
    upload_file(client, event)
    assert "List saved: 2 new, 0 changed." in apply_import(client, event)
    assert event.students.count() == 2


def test_faulty_rows_are_skipped_only_on_request(client: Client, event: Event) -> None:
    shown = upload_file(client, event, VALID_LIST + "CHE-3,,\n")
    assert "Leave out 1 invalid or duplicate row" in shown
    assert "Row 4: the name is missing." in shown
    assert "1 row is invalid or a duplicate." in apply_import(client, event)
    assert event.students.count() == 0
    upload_file(client, event, VALID_LIST + "CHE-3,,\n")
    apply_import(client, event, leave_out="yes")
    assert event.students.count() == 2


def test_faulty_row_names_the_student(client: Client, event: Event) -> None:
    shown = upload_file(client, event, VALID_LIST + "CHE-7,Gita Rao,gita@college.example,,,,more\n")
    assert "<strong><bdi>Gita Rao CHE-7</bdi></strong>" in shown
    assert "there are more cells than columns" in shown


def test_list_changed_since_the_preview_is_previewed_again(client: Client, event: Event) -> None:
    upload_file(client, event)
    make_student(event, "CHE-9")
    assert "The list has changed since this preview" in apply_import(client, event)
    assert event.students.count() == 1


def test_invalid_list_file_is_explained(client: Client, event: Event) -> None:
    assert "The first line must name the columns" in upload_file(client, event, "a,b\n1,2\n")
    assert (
        "Choose a CSV or XLSX file first."
        in client.post(get_list_address(event), {"action": "upload"}, follow=True).content.decode()
    )


def test_oversized_file_is_refused(client: Client, event: Event) -> None:
    shown = upload_file(client, event, "x" * 5_100_000)
    assert "The file is larger than 5 MB." in shown


def test_applied_preview_redirects_to_the_list(client: Client, event: Event) -> None:
    upload_file(client, event, VALID_LIST)
    preview = reverse("admin:event-import", args=[event.pk, event.imports.get().pk])
    apply_import(client, event)
    answer = client.get(preview, follow=True)
    assert answer.request["PATH_INFO"] == get_list_address(event)
    assert "has already been applied or undone. There is nothing left to decide." in answer.text
    client.post(preview, {"action": "apply"})
    assert event.audit.filter(action="import").count() == 1


def test_import_can_be_undone(client: Client, event: Event) -> None:
    upload_file(client, event)
    apply_import(client, event)
    data = {"action": "undo", "upload": str(event.imports.get().pk)}
    shown = client.post(get_list_address(event), data, follow=True).content.decode()
    assert "Undone. The list is back to how it was before list.csv was applied." in shown
    assert event.students.count() == 0


def test_names_on_the_list_are_escaped(client: Client, event: Event) -> None:
    shown = upload_file(client, event, "Roll,Name\nX1,<script>alert(1)</script>\n")
    assert "<script>alert" not in shown
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown


def test_list_can_be_searched_and_is_paginated(client: Client, event: Event) -> None:
    for number in range(120):
        make_student(event, f"CHE-{number:03}", name=f"Student {number}")
    shown = client.get(get_list_address(event)).content.decode()
    assert "120 students" in shown
    assert "Page 1 of 2" in shown
    found = client.get(get_list_address(event), {"q": "CHE-117"}).content.decode()
    assert "1 student matches “CHE-117”" in found
    assert "Student 117" in found


def test_downloaded_list_can_be_uploaded_again(client: Client, event: Event) -> None:
    upload_file(client, event)
    apply_import(client, event)
    address = reverse("admin:event-list-download", args=[event.pk, "list"])
    client.post(address, {"action": "ask", "reason": "To correct it."})
    text = client.get(address).content.decode()
    assert list(csv.reader(io.StringIO(text.lstrip("\ufeff"))))[1][:3] == [
        "CHE-1",
        "Asha Sen",
        "asha@college.example",
    ]
    assert "This file wouldn’t change the list." in upload_file(client, event, text)


def test_example_list_can_be_uploaded(client: Client, event: Event) -> None:
    address = reverse("admin:event-list-download", args=[event.pk, "example"])
    upload_file(client, event, client.get(address).content.decode())
    apply_import(client, event)
    assert event.students.count() == 2


def make_student_form(event: Event, **fields: str) -> dict[str, str]:
    return {"event": str(event.pk), "roll_number": "CHE-5", "name": "Esha"} | fields


def test_single_student_can_be_added_manually(client: Client, event: Event) -> None:
    address = reverse("admin:tournament_eligiblestudent_add")
    assert client.post(address, make_student_form(event)).status_code == 302
    assert EligibleStudent.objects.get().roll_key == "CHE-5"


def test_listed_student_is_not_added_twice(client: Client, event: Event) -> None:
    make_student(event, "CHE-5", name="Esha")
    address = reverse("admin:tournament_eligiblestudent_add")
    response = client.post(address, make_student_form(event, roll_number="che-5"))
    assert "Esha already has the roll number CHE-5." in response.content.decode()


def test_students_can_be_added_only_to_own_events(client: Client) -> None:
    elsewhere, _ = make_organized_event(0)
    address = reverse("admin:tournament_eligiblestudent_add")
    response = client.post(address, make_student_form(elsewhere))
    assert "That choice is not one of the available choices." in response.content.decode()


def test_list_entry_can_be_corrected_and_removed(client: Client, event: Event) -> None:
    student = make_student(event, "CHE-5")
    change = reverse("admin:tournament_eligiblestudent_change", args=[student.pk])
    client.post(change, make_student_form(event, email="esha@college.example"))
    student.refresh_from_db()
    assert student.email == "esha@college.example"
    client.post(
        reverse("admin:tournament_eligiblestudent_delete", args=[student.pk]), {"post": "yes"}
    )
    assert event.students.count() == 0
    assert event.audit.filter(action="student").count() == 2


def test_correcting_an_entry_shows_the_effect_on_the_registration(
    client: Client, event: Event
) -> None:
    user = make_user()
    student = make_student(event, "CHE-5", name="Esa", email=user.email)
    registration = register(event, user, roll_number="CHE-5")
    change = reverse("admin:tournament_eligiblestudent_change", args=[student.pk])
    assert (
        "If the student has registered, the registration changes too"
        in client.get(change).content.decode()
    )
    client.post(change, make_student_form(event, name="Esha\u200b", email=user.email))
    registration.refresh_from_db()
    assert registration.name == "Esha"


def test_unreadable_entry_is_refused_in_the_form(client: Client, event: Event) -> None:
    address = reverse("admin:tournament_eligiblestudent_add")
    response = client.post(address, make_student_form(event, name="…"))
    assert "“…” is not a name: it has no letters." in response.content.decode()
    assert event.students.count() == 0


def test_pasted_list_is_validated_like_a_file(client: Client, event: Event) -> None:
    lines = "Roll No.\tName\tEmail\nCHE-1\tAsha Sen\tasha@college.example"
    data = {"action": "paste", "lines": lines}
    shown = client.post(get_list_address(event), data, follow=True).content.decode()
    assert "Row 2: Asha Sen is new." in shown
    assert "List saved: 1 new, 0 changed." in apply_import(client, event)
    assert event.students.get().email == "asha@college.example"


def test_pasted_list_without_column_names_is_refused_with_an_explanation(
    client: Client, event: Event
) -> None:
    data = {"action": "paste", "lines": "CHE-1\tAsha Sen"}
    shown = client.post(get_list_address(event), data, follow=True).content.decode()
    assert "The first line must name the columns" in shown


def test_students_missing_from_a_new_version_are_listed_and_optionally_removed(
    client: Client, event: Event
) -> None:
    make_student(event, "CHE-8", name="Hari Nag")
    shown = upload_file(client, event)
    assert "Remove the student who is not in this file:" in shown
    assert "CHE-8 Hari Nag" in shown
    apply_import(client, event, remove="yes")
    assert list(event.students.values_list("roll_key", flat=True)) == ["CHE-1", "CHE-2"]
    listed = client.get(get_list_address(event)).content.decode()
    assert "Entries to be removed: 2. To be restored: 1. To be changed back: 0." in listed


def test_replaced_preview_redirects_to_the_list(client: Client, event: Event) -> None:
    upload_file(client, event)
    first = event.imports.get().pk
    upload_file(client, event)
    address = reverse("admin:event-import", args=[event.pk, first])
    answer = client.get(address, follow=True)
    assert answer.redirect_chain == [(get_list_address(event), 302)]
    assert "Another upload has replaced this one." in answer.content.decode()


def test_student_can_be_admitted_as_an_exception_and_removed_again(
    client: Client, event: Event
) -> None:
    fields = {"roll_number": "CHE-9", "name": "Uma Das", "reason": "Guest of the club."}
    said = client.post(
        get_list_address(event), {"action": "let-in"} | fields, follow=True
    ).content.decode()
    assert "CHE-9 Uma Das can now register." in said
    assert "Guest of the club." in said
    key = event.students.get().pk
    ended = client.post(
        get_list_address(event), {"action": "no-exception", "student": key}, follow=True
    )
    assert "CHE-9 Uma Das is no longer admitted as an exception." in ended.content.decode()


def test_list_page_shows_the_other_requirements(client: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(email_domains=["uni.edu"])
    assert (
        "an email address ending in @uni.edu"
        in client.get(get_list_address(event)).content.decode()
    )


def test_preview_shows_every_column_and_the_skipped_ones(client: Client, event: Event) -> None:
    shown = upload_file(
        client, event, "Roll No.,Name,Official Mail,Phone\nCHE-9,Gita,gita@college.example,98\n"
    )
    assert "<bdi>gita@college.example</bdi>" in shown
    assert '<small dir="auto">Official Mail</small>' in shown
    assert "<bdi>“Phone”</bdi>" in shown


def test_unknown_columns_are_mapped_on_the_page(client: Client, event: Event) -> None:
    shown = upload_file(client, event, "Kennung,Familie,Ruf\nCHE-9,Rao,Gita\n")
    assert "Choose what each column of the file contains." in shown
    address = reverse("admin:event-import", args=[event.pk, event.imports.get().pk])
    columns = {"column-0": "roll_number", "column-1": "last", "column-2": "first"}
    answer = client.post(address, {"action": "columns", **columns}, follow=True)
    assert "<bdi>Gita Rao</bdi>" in answer.content.decode()
