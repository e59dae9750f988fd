"""Tests of previewing a list: students who fail a condition, and players missing from it."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_student, make_user
from tournament.models import EligibilityImport, Event, User
from tournament.pure.lists import Verdict
from tournament.registration.eligibility.list_preview import (
    PreviewFacts,
    explain_ineligibility,
    find_preview_facts,
)
from tournament.registration.eligibility.uploads import get_report, upload_list
from tournament.registration.services import register, withdraw

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.event(eligibility_required=True)]

CHEMISTRY_ONLY = [{"field": "department", "value": "Chemical Engineering"}]
LIST_FILE = """Roll No.,Name,Email,Department
CHE-1,Asha Sen,asha@college.example,chemical engineering
PHY-2,Tara Nair,tara@college.example,Physics
NIL-3,Uma Das,uma@college.example,
CHE-1,Asha Sen,asha@college.example,Chemical Engineering
"""


def upload_text(event: Event, organizer: User, text: str = LIST_FILE) -> EligibilityImport:
    return upload_list(event, organizer, "list.csv", text.encode())


def list_verdicts(upload: EligibilityImport) -> list[Verdict]:
    return [Verdict.from_json(row) for row in get_report(upload).rows]


def test_each_row_names_the_condition_its_student_fails(event: Event, organizer: User) -> None:
    found = sorted(list_verdicts(upload_text(event, organizer)), key=lambda each: each.row)
    asha, tara, uma, twice = found
    event.conditions = CHEMISTRY_ONLY
    assert explain_ineligibility(asha, event) == ""
    assert explain_ineligibility(tara, event) == (
        "Cannot register: the department must be Chemical Engineering, not “Physics”."
    )
    assert explain_ineligibility(uma, event) == (
        "Cannot register: the department must be Chemical Engineering, not “”."
    )
    assert explain_ineligibility(tara, event, ["PHY-2"]) == ""
    assert explain_ineligibility(twice, event) == ""
    event.conditions = []
    assert explain_ineligibility(tara, event) == ""


def test_excluded_students_are_counted_over_the_whole_file(event: Event, organizer: User) -> None:
    event.conditions = CHEMISTRY_ONLY
    assert find_preview_facts(event, list_verdicts(upload_text(event, organizer))) == PreviewFacts(
        2, [], [], []
    )
    event.conditions = []
    assert find_preview_facts(event, list_verdicts(upload_text(event, organizer))) == PreviewFacts(
        0, [], [], []
    )


def test_registered_players_missing_from_the_file_are_listed(event: Event, organizer: User) -> None:
    for roll, name in (("CHE-1", "Asha Sen"), ("CHE-8", "Jai Roy"), ("CHE-9", "Ira Bose")):
        make_student(event, roll, name=name, email=f"{roll.lower()}@college.example")
    make_student(event, "CHE-7", name="Hari Nag", email="che-7@college.example")
    for roll in ("CHE-1", "CHE-9", "CHE-8"):
        register(event, make_user(email=f"{roll.lower()}@college.example"), roll_number=roll)
    gone = event.registrations.get(name="Jai Roy")
    withdraw(gone, gone.user)
    found = find_preview_facts(event, list_verdicts(upload_text(event, organizer)))
    assert (found.missing, found.removable) == (["Ira Bose"], ["CHE-7 Hari Nag"])


def test_page_shows_excluded_students_and_missing_players(event: Event, organizer: User) -> None:
    Event.objects.filter(pk=event.pk).update(conditions=CHEMISTRY_ONLY)
    listed = {"email": "ira@college.example", "department": "Chemical Engineering"}
    make_student(event, "CHE-9", name="Ira Bose", **listed)
    register(event, make_user(email="ira@college.example"), roll_number="CHE-9")
    client = Client()
    client.force_login(organizer)
    upload = upload_text(event, organizer)
    shown = client.get(reverse("admin:event-import", args=[event.pk, upload.pk])).text
    assert "2 students in this file can’t register because of the event’s conditions" in shown
    assert "not “Physics”." in shown
    assert (
        "Reject the registration of <bdi>Ira Bose</bdi>, who is taking part but isn’t in this file."
        in shown
    )


def test_address_in_another_domain_excludes_a_student(event: Event, organizer: User) -> None:
    found = list_verdicts(upload_text(event, organizer))
    event.email_domains = ["college.example.edu", "uni.edu"]
    message = "Cannot register: the email address must end in @college.example.edu or @uni.edu."
    assert explain_ineligibility(found[0], event) == message
    event.email_domains = ["college.example"]
    assert explain_ineligibility(found[0], event) == ""


def test_players_made_ineligible_by_their_new_entry_are_listed(
    event: Event, organizer: User
) -> None:
    event.conditions = CHEMISTRY_ONLY
    line = {"email": "tara@college.example", "department": "Chemical Engineering"}
    make_student(event, "PHY-2", name="Tara Nair", **line)
    register(event, make_user(email="tara@college.example"), roll_number="PHY-2")
    assert find_preview_facts(
        event, list_verdicts(upload_text(event, organizer))
    ).newly_ineligible == ["Tara Nair"]
    event.students.update(exception="Club member.")
    assert (
        find_preview_facts(event, list_verdicts(upload_text(event, organizer))).newly_ineligible
        == []
    )
