"""Students in the test of a whole event: their eligibility list and their registrations."""

from django.test import Client

from tests.factories import make_user
from tests.typed import Response
from tournament.models import Event

FIRST_NAMES = "Asha Ben Chitra Dev Esha Farid Gita Hari Ira Jai Kiran Lila Mohan Nita Omar Pia"
NEXT_NAMES = "Qadir Rosa Sana Umar Vani Wasim Xavi Yash Zubin Arun Bela Charu Divya Eklavya Fiza"
LAST_NAMES = (
    "Gopal Hema Imran Juhi Kabir Lata Manoj Neha Ojas Parul Rohan Simran Tarun Usha Vikram Winnie"
)
NAMES = [*FIRST_NAMES.split(), *NEXT_NAMES.split(), *LAST_NAMES.split()]
HEADING = "NAME,Roll No,E-Mail,Programme,Department,Year"
STRANGER, BROKEN = (len(NAMES) + 1, "Tara"), (len(NAMES) + 3, "Veer")


def make_email(name: str) -> str:
    return f"{name.lower()}@college.example"


def make_roll_number(number: int) -> str:
    return f"CHE-{number:03}"


def make_row(number: int, name: str, department: str = "Chemical Engineering") -> str:
    return f"{name},{make_roll_number(number)},{make_email(name)},UG,{department},2"


def make_students_csv() -> bytes:
    """Return the eligibility list as CSV.

    It contains 47 eligible students, one from another department, a duplicate and an invalid
    address.
    """
    rows = [make_row(number, name) for number, name in enumerate(NAMES, 1)]
    rows.append(make_row(*STRANGER, "Physics"))
    rows.append("Uma,che-001,uma@college.example,UG,Chemical Engineering,3")
    rows.append(f"Veer,{make_roll_number(BROKEN[0])},veer at college,UG,Chemical Engineering,1")
    return "\n".join([HEADING, *rows]).encode("utf-8-sig")


def send_registration(event: Event, number: int, name: str) -> Response:
    client = Client()
    client.force_login(make_user(name, email=make_email(name)))
    return client.post(f"/e/{event.slug}/register/", {"roll_number": make_roll_number(number)})


def get_refusal_of_ineligible_student(event: Event, number: int, name: str) -> str:
    """Register a student who is not eligible, and return the form's message."""
    answer = send_registration(event, number, name)
    assert answer.status_code == 400
    (sentence,) = [
        str(each) for errors in answer.context["form"].errors.values() for each in errors
    ]
    return sentence
