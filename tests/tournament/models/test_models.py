from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from tests.factories import make_event, make_registrations, make_student, make_user
from tests.tournament.helpers import first_stage, make_organized_event
from tests.typed import sure
from tournament.models import Event, Qualifier, Registration, Round, Stage, Table, TableSeat
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.mark.parametrize(
    ("opens", "closes", "state"),
    [
        (None, None, "open"),
        (-1, 1, "open"),
        (1, 2, "early"),
        (-2, -1, "closed"),
        (None, -1, "closed"),
        (-1, None, "open"),
    ],
)
def test_registration_is_open_during_its_window(
    opens: int | None, closes: int | None, state: str
) -> None:
    def add_hours_to_now(hours: int | None) -> datetime | None:
        return None if hours is None else timezone.now() + timedelta(hours=hours)

    event = make_event(
        registration_opens=add_hours_to_now(opens), registration_closes=add_hours_to_now(closes)
    )
    assert event.registration_state == state


@pytest.mark.parametrize("state", ["draft", "finished"])
def test_registration_requires_a_published_unfinished_event(state: str) -> None:
    assert make_event(state=state).registration_state == "closed"


def test_event_has_its_own_lots_key_and_topic() -> None:
    one, other = make_event(), make_event()
    assert len({one.lots_key, other.lots_key, ""}) == 3
    assert one.topic == f"event:{one.pk}"


def is_refused_by_database(model: Any, **fields: Any) -> bool:
    """Return whether the database refuses a row with these fields."""
    try:
        with transaction.atomic():
            model.objects.create(**fields)
    except IntegrityError:
        return True
    return False


def test_database_refuses_a_second_registration_of_the_same_person() -> None:
    event = make_event()
    (mine,) = make_registrations(event, 1)
    student = make_student(event, "X1")
    mine.student = student
    mine.save()
    base = {
        "event": event,
        "user": make_user(),
        "name": "Ben",
        "state": "approved",
        "queue_number": 9,
        "registered_at": timezone.now(),
        "roll_key": "R9",
    }
    for clash in (
        {"user": mine.user},
        {"roll_key": mine.roll_key},
        {"queue_number": mine.queue_number},
        {"student": student},
    ):
        assert is_refused_by_database(Registration, **(base | clash)), clash
    assert not is_refused_by_database(Registration, **base)
    again = {"roll_key": mine.roll_key, "student": student}
    for number, state in ((20, "refused"), (21, "withdrawn")):
        ended = {"user": make_user(), "queue_number": number, "state": state}
        assert not is_refused_by_database(Registration, **(base | again | ended)), state
    for number, state in ((22, "pending"), (23, "waitlist")):
        second = {"user": make_user(), "queue_number": number, "state": state}
        assert is_refused_by_database(Registration, **(base | again | second)), state
    blank = base | {"roll_key": "", "queue_number": 10, "user": make_user()}
    assert not is_refused_by_database(Registration, **blank)
    another = blank | {"queue_number": 11, "user": make_user()}
    assert not is_refused_by_database(Registration, **another)


def test_database_refuses_a_second_list_entry_with_the_same_roll_number_or_address() -> None:
    event = make_event()
    make_student(event, "X1", email="a@college.example")
    with pytest.raises(IntegrityError), transaction.atomic():
        make_student(event, "x1")
    with pytest.raises(IntegrityError), transaction.atomic():
        make_student(event, "X2", email="a@college.example")
    make_student(event, "X3")
    make_student(event, "X4")
    make_student(make_event(), "X1", email="a@college.example")


def test_database_refuses_duplicate_numbers_seats_and_qualifiers() -> None:
    event, organizer = make_organized_event(4)
    played = seat_round(first_stage(event), organizer)
    table = played.tables.get()
    seat = table.seats.all()[0]
    stage = first_stage(event)
    assert is_refused_by_database(Stage, event=event, number=1, title="Again")
    assert is_refused_by_database(Round, stage=stage, number=1)
    assert is_refused_by_database(Table, round=played, number=1)
    assert is_refused_by_database(TableSeat, table=table, number=0, bot="plain")
    clash = {"table": table, "number": 9, "registration": seat.registration}
    assert is_refused_by_database(TableSeat, **clash)
    Qualifier.objects.create(stage=stage, registration=sure(seat.registration), seed=1)
    clash = {"stage": stage, "registration": seat.registration, "seed": 2}
    assert is_refused_by_database(Qualifier, **clash)


def test_seat_belongs_to_either_a_player_or_a_bot() -> None:
    event, organizer = make_organized_event(4)
    table = seat_round(first_stage(event), organizer).tables.get()
    registration = make_registrations(event, 1)[0]
    nobody = {"table": table, "number": 9}
    assert is_refused_by_database(TableSeat, **nobody)
    assert is_refused_by_database(TableSeat, **nobody, registration=registration, bot="plain")
    assert not is_refused_by_database(TableSeat, **nobody, bot="plain")


def test_database_requires_registration_to_open_before_it_closes() -> None:
    now = timezone.now()
    window = {"registration_opens": now, "registration_closes": now - timedelta(hours=1)}
    assert is_refused_by_database(Event, title="Cup", slug="cup", **window)


def test_models_have_readable_string_representations() -> None:
    event, organizer = make_organized_event(3, fill_with_bots=True, title="Cup")
    played = seat_round(first_stage(event), organizer)
    table = played.tables.get()
    assert (str(event), str(first_stage(event)), str(played), str(table)) == (
        "Cup",
        "First round (everyone plays)",
        "Round 1",
        "Round 1, table 1",
    )
    assert str(table.seats.get(registration=None)) == "Bot 4"


@pytest.mark.parametrize("between", ["\r\n", "\n", "\r", "\t", "\x0b", "\0", "\u2028"])
def test_title_with_a_line_break_is_refused(between: str) -> None:
    event = make_event()
    event.title = f"Chem{between}Fest"
    stage = Stage(event=event, number=3, title=f"First{between}round")
    for row in (event, stage):
        with pytest.raises(ValidationError) as refusal:
            row.clean_fields()
        assert refusal.value.message_dict["title"][-1] == "Enter a single line."


def test_title_may_be_in_any_script() -> None:
    make_event(title="Schach & Karten – 第3回 🎴").clean_fields()


def test_event_with_an_unknown_time_zone_uses_the_zone_of_the_site(
    event: Event, caplog: pytest.LogCaptureFixture
) -> None:
    Event.objects.update(time_zone="Asia/Nowhere")
    event = Event.objects.get()
    for _ in range(2):
        assert event.zone == ZoneInfo(settings.TIME_ZONE)
    assert caplog.messages == [
        "Unknown time zone 'Asia/Nowhere': its events show times in the site's zone."
    ]


def test_deprecated_time_zone_name_is_accepted(event: Event) -> None:
    event.time_zone = "Asia/Calcutta"
    assert event.zone == ZoneInfo("Asia/Kolkata")
