"""Students of the whole-event test: their list and the forms they send."""

from django.test import Client

from tests.factories import make_user
from tests.typed import Response
from tournament.models import Event

FIRST = "Asha Ben Chitra Dev Esha Farid Gita Hari Ira Jai Kiran Lila Mohan Nita Omar Pia"
NEXT = "Qadir Rosa Sana Umar Vani Wasim Xavi Yash Zubin Arun Bela Charu Divya Eklavya Fiza"
LAST = (
    "Gopal Hema Imran Juhi Kabir Lata Manoj Neha Ojas Parul Rohan Simran Tarun Usha Vikram Winnie"
)
NAMES = [*FIRST.split(), *NEXT.split(), *LAST.split()]
HEADING = "NAME,Roll No,E-Mail,Programme,Department,Year"
STRANGER, BROKEN = (len(NAMES) + 1, "Tara"), (len(NAMES) + 3, "Veer")


def email(name: str) -> str:
    return f"{name.lower()}@college.example"


def roll(number: int) -> str:
    return f"CHE-{number:03}"


def row(number: int, name: str, department: str = "Chemical Engineering") -> str:
    return f"{name},{roll(number)},{email(name)},UG,{department},2"


def students_csv() -> bytes:
    """Return the uploaded list as CSV.

    It has 47 eligible students, one from another department, a duplicate and a broken address.
    """
    rows = [row(number, name) for number, name in enumerate(NAMES, 1)]
    rows.append(row(*STRANGER, "Physics"))
    rows.append("Uma,che-001,uma@college.example,UG,Chemical Engineering,3")
    rows.append(f"Veer,{roll(BROKEN[0])},veer at college,UG,Chemical Engineering,1")
    return "\n".join([HEADING, *rows]).encode("utf-8-sig")


def sent_registration(event: Event, number: int, name: str) -> Response:
    client = Client()
    client.force_login(make_user(name, email=email(name)))
    return client.post(f"/e/{event.slug}/register/", {"roll_number": roll(number)})


def refusal_of(event: Event, number: int, name: str) -> str:
    """Return the form's message to a student who is not eligible."""
    answer = sent_registration(event, number, name)
    assert answer.status_code == 400
    (sentence,) = [
        str(each) for errors in answer.context["form"].errors.values() for each in errors
    ]
    return sentence
