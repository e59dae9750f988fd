"""Tests of changes to a player's name, through the eligibility list or by an organizer."""

import pytest

from tests.factories import make_registrations, make_student, make_user
from tests.tournament.helpers import first_stage, get_refusal_code, make_organized_event
from tests.typed import sure
from tournament.common.refusals import RefusedError
from tournament.corrections.lists import undo_import
from tournament.models import AuditEntry, EligibleStudent, Event, Registration, User
from tournament.people.names import rename_player
from tournament.registration.eligibility.students import save_student
from tournament.registration.eligibility.uploads import apply_import, upload_list
from tournament.registration.services import approve, register, withdraw
from tournament.rounds.services import close_round, start_round
from tournament.seating.services import publish_round, seat_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def asha(event: Event) -> Registration:
    user = make_user()
    make_student(event, "CHE-001", name="Asha S", email=user.email)
    return register(event, user, roll_number="CHE-001")


def reload_names(registration: Registration) -> tuple[str, str, str]:
    registration.refresh_from_db()
    return registration.name, registration.roll_number, registration.roll_key


def get_list_entry(registration: Registration) -> EligibleStudent:
    return sure(Registration.objects.get(pk=registration.pk).student)


def list_rename_texts() -> list[str]:
    entries = AuditEntry.objects.filter(action="rename").order_by("pk")
    return list(entries.values_list("text", flat=True))


def correct_list_entry(registration: Registration, organizer: User, **fields: str) -> None:
    line = get_list_entry(registration)
    for field, value in fields.items():
        setattr(line, field, value)
    save_student(line, organizer)


def test_corrected_list_entry_updates_the_registration(asha: Registration, organizer: User) -> None:
    correct_list_entry(asha, organizer, name="Asha Sen", roll_number="Che-010")
    assert reload_names(asha) == ("Asha Sen", "Che-010", "CHE-010")
    assert list_rename_texts() == [
        "Asha S (CHE-001) is now called Asha Sen (Che-010), as on the eligibility list."
    ]


def test_correction_of_another_field_does_not_rename_the_registration(
    asha: Registration, organizer: User
) -> None:
    correct_list_entry(asha, organizer, year="3")
    assert (reload_names(asha), list_rename_texts()) == (("Asha S", "CHE-001", "CHE-001"), [])


def test_import_updates_registrations_and_undoing_it_reverts_them(
    event: Event, asha: Registration, organizer: User
) -> None:
    text = "Roll No.,Name\nche-001,Asha Sen\n"
    applied = apply_import(upload_list(event, organizer, "l.csv", text.encode()), organizer)
    assert reload_names(asha) == ("Asha Sen", "che-001", "CHE-001")
    undo_import(applied, organizer)
    assert reload_names(asha) == ("Asha S", "CHE-001", "CHE-001")
    assert list_rename_texts() == [
        "Asha S (CHE-001) is now called Asha Sen (che-001), as on the eligibility list.",
        "Asha Sen (che-001) is now called Asha S (CHE-001), as on the eligibility list.",
    ]


def test_unapproved_registration_keeps_the_name_that_the_person_entered(
    event: Event, organizer: User
) -> None:
    make_student(event, "CHE-001", name="Asha S")
    claim = register(event, make_user("Nick"), roll_number="CHE-001")
    correct_list_entry(claim, organizer, name="Asha Sen", roll_number="CHE-010")
    assert reload_names(claim) == ("Nick", "CHE-010", "CHE-010")
    assert list_rename_texts() == [
        "Nick (CHE-001) is now called Nick (CHE-010), as on the eligibility list."
    ]
    approve(claim, organizer)
    assert reload_names(claim)[0] == "Asha Sen"


def test_correction_to_a_roll_number_in_use_is_refused(
    event: Event, asha: Registration, organizer: User
) -> None:
    Registration.objects.create(
        event=event, user=make_user(), name="Dev", roll_number="X 9", roll_key="X9",
        state="approved", queue_number=9, registered_at=asha.registered_at,
    )  # fmt: skip
    with pytest.raises(RefusedError) as refused:
        correct_list_entry(asha, organizer, roll_number="x9")
    assert (refused.value.code, refused.value.sentence) == (
        "roll",
        "Dev is already taking part with roll number X 9. Reject or withdraw that "
        "registration first.",
    )
    assert reload_names(asha) == ("Asha S", "CHE-001", "CHE-001")
    assert get_list_entry(asha).roll_number == "CHE-001"


def test_correction_updates_all_registrations_of_the_student(event: Event, organizer: User) -> None:
    first, second = make_user(), make_user()
    make_student(event, "CHE-001", name="Asha S", email=first.email)
    left = register(event, first, roll_number="CHE-001")
    withdraw(left, first)
    event.students.update(email=second.email)
    again = register(event, second, roll_number="CHE-001")
    correct_list_entry(again, organizer, name="Asha Sen", roll_number="CHE-010")
    assert reload_names(left) == reload_names(again) == ("Asha Sen", "CHE-010", "CHE-010")


def test_edited_list_entry_is_cleaned_like_an_uploaded_one(event: Event, organizer: User) -> None:
    line = EligibleStudent(
        event=event, roll_number=" che \u200b 7", name="Asha\u202e  Sen", email=" A@B.in "
    )
    save_student(line, organizer)
    line.refresh_from_db()
    assert (line.roll_number, line.roll_key, line.name, line.email) == (
        "che 7", "CHE7", "Asha Sen", "a@b.in"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"name": "\u200b"}, "The name is missing."),
        ({"name": "…"}, "“…” is not a name: it has no letters."),
        ({"roll_number": "--"}, "“--” is not a roll number: it has no letters or digits."),
    ],
)
def test_list_entry_without_a_valid_name_or_roll_number_is_refused(
    event: Event, organizer: User, fields: dict[str, str], sentence: str
) -> None:
    line = EligibleStudent(event=event, **({"roll_number": "C1", "name": "Asha"} | fields))
    with pytest.raises(RefusedError) as refused:
        save_student(line, organizer)
    assert (refused.value.code, refused.value.sentence) == ("faulty", sentence)
    assert event.students.count() == 0


# -- own names -------------------------------------------------------------------------------


def test_renaming_by_an_organizer_is_logged() -> None:
    event, organizer = make_organized_event(0)
    rude = register(event, make_user(), name="Rude Word")
    rename_player(rude, organizer, "  Player\u200b 7 ")
    rude.refresh_from_db()
    assert (rude.name, list_rename_texts()) == ("Player 7", ["Rude Word is now called Player 7."])
    rename_player(rude, organizer, "Player 7")
    assert list_rename_texts() == ["Rude Word is now called Player 7."]


@pytest.mark.parametrize(
    ("name", "code"), [("", "no-name"), ("\u200b", "no-name"), ("Rоhan l", "name-taken")]
)
def test_empty_or_similar_name_is_refused(name: str, code: str) -> None:
    event, organizer = make_organized_event(0)
    register(event, make_user(), name="Rohan I")
    other = register(event, make_user(), name="Gita")
    assert get_refusal_code(rename_player, other, organizer, name) == code
    assert (other.name, list_rename_texts()) == ("Gita", [])


def test_listed_name_can_be_corrected_only_on_the_list(asha: Registration, organizer: User) -> None:
    assert get_refusal_code(rename_player, asha, organizer, "Ash") == "listed"


def test_new_name_appears_from_the_next_match_on() -> None:
    event, organizer = make_organized_event(2, fill_with_bots=False)
    first, second = event.registrations.all()
    played = publish_round(seat_round(first_stage(event), organizer), organizer)
    start_round(played, organizer)
    before = first.name
    rename_player(first, organizer, "Another")
    match = played.tables.get().match
    assert match is not None
    assert set(match.seats.values_list("name", flat=True)) == {before, second.name}
    close_round(played, organizer, "Names.")
    again = start_round(
        publish_round(seat_round(first_stage(event), organizer), organizer), organizer
    )
    match = again.tables.get().match
    assert match is not None
    assert set(match.seats.values_list("name", flat=True)) == {"Another", second.name}


def test_withdrawn_player_can_be_renamed() -> None:
    event, organizer = make_organized_event(0)
    [other] = make_registrations(event, 1)
    withdraw(other, organizer)
    other.refresh_from_db()
    rename_player(other, organizer, "Another")
    other.refresh_from_db()
    assert (other.name, other.state) == ("Another", "withdrawn")
