"""A person with traces wherever the site keeps personal data."""

import zipfile
from dataclasses import replace
from io import BytesIO

from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.sessions.backends.db import SessionStore
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.json_values.state import LogNote
from games.models import Hand, Match, Reaction, RoundTrip, Seat
from games.services import start_practice
from tests.tournament.privacy.test_services import make_event_with_personal_data
from tournament.models import (
    Draw,
    Event,
    Forecast,
    Interruption,
    Invitation,
    LogAction,
    Proposal,
    RefereeCall,
    Registration,
    Report,
    Ruling,
    TableSeat,
    User,
)
from tournament.oversight.audit import record
from tournament.registration.eligibility.uploads import upload_list
from tournament.rounds.desk_messages import send_message

TRACED_WORDS = ["Seeded Person0", "CH-7700", "seeded0@college.example"]
TRACED_TEXT = "Seeded Person0 (ch-7700), seeded0@college.example"


def make_traced_event() -> tuple[Event, User, Registration]:
    """Create an event in which one person is recorded everywhere."""
    event, organizer = make_event_with_personal_data(paper=False)
    one = event.registrations.get(roll_number="CH-7700")
    _write_event_texts(event, organizer)
    _write_at_table(event, organizer, one)
    _write_account_texts(event, organizer, one.user)
    return event, organizer, one


def _write_event_texts(event: Event, organizer: User) -> None:
    now = timezone.now()
    Event.objects.filter(pk=event.pk).update(description=TRACED_TEXT, contact_name=TRACED_WORDS[0])
    stage = event.stages.all()[0]
    event.stages.update(title="For Seeded Person0")
    stage.rounds.update(close_reason=TRACED_TEXT)
    send_message(event, organizer, f"{TRACED_WORDS[0]}, come to the desk.", "all")
    record(event, organizer, LogAction.ABSENT, lambda: TRACED_TEXT, TRACED_TEXT, note=TRACED_TEXT)
    upload_list(event, organizer, "Seeded Person0.csv", make_packed_list())
    Proposal.objects.create(
        event=event, kind="purge", facts={"note": TRACED_TEXT}, reason=TRACED_TEXT,
        asked_by=organizer, state=Proposal.State.REFUSED, answer=TRACED_TEXT,
    )  # fmt: skip
    Draw.objects.create(stage=stage, round_number=9, number=1, input=TRACED_TEXT, digest="")
    Forecast.objects.create(
        event=event, kind=Forecast.Kind.PLAN, ticket="x", question={}, total=1, problem=TRACED_TEXT,
        asked_at=now,
    )  # fmt: skip


def make_packed_list() -> bytes:
    """Return a list as written by a spreadsheet program.

    The file is compressed, so that its bytes do not show any name.
    """
    from openpyxl import Workbook

    book, out = Workbook(), BytesIO()
    sheet = book.active
    assert sheet is not None
    sheet.append(["Roll", "Name", "Email"])
    sheet.append(["CH-7700", TRACED_WORDS[0], TRACED_WORDS[2]])
    book.save(out)
    assert zipfile.is_zipfile(BytesIO(out.getvalue()))
    return out.getvalue()


def _write_at_table(event: Event, organizer: User, one: Registration) -> None:
    now = timezone.now()
    chair = TableSeat.objects.get(registration=one)
    table = chair.table
    match = table.match
    assert match is not None
    note = LogNote(1, 1, "redone", {"number": 1, "reason": TRACED_TEXT})
    state = replace(match.state, notes=(note,))
    Match.objects.filter(pk=match.pk).update(title=TRACED_TEXT, state=state)
    Hand.objects.filter(match=match).update(void_reason=TRACED_TEXT)
    seat = Seat.objects.get(match=match, user=one.user)
    Reaction.objects.create(seat=seat, shown="well", at=now)
    RoundTrip.objects.create(seat=seat, at=now, echo=20, ping=19)
    RefereeCall.objects.create(table=table, seat=chair, called_at=now, ended_at=now)
    Interruption.objects.create(
        round=table.round, reason=TRACED_TEXT, began_by=organizer, began_at=now
    )
    report = Report.objects.create(
        table=table, points=[0, 0, 0, 0], by=one, at=now, state=Report.State.DROPPED
    )
    report.answers.create(registration=one, agrees=True, at=now)
    Ruling.objects.create(
        event=event, registration=one, table=table, kind=Ruling.Kind.CAUTION, reason=TRACED_TEXT,
        given_by=organizer, cancel_reason=TRACED_TEXT, before={"name": TRACED_WORDS[0]},
    )  # fmt: skip


def _write_account_texts(event: Event, organizer: User, user: User) -> None:
    start_practice(user, "ocho", 2)
    Invitation.objects.create(event=event, email=user.email, page="", invited_by=organizer)
    SocialAccount.objects.create(
        user=user, provider="college", uid="77", extra_data={"mail": user.email}
    )
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "x"})
    DBTaskResult.objects.create(
        args_kwargs={"args": [TRACED_TEXT], "kwargs": {}},
        run_after=timezone.now(),
        traceback=TRACED_TEXT,
    )
    asked = SessionStore()
    asked["account_login_code"] = {"email": user.email}
    asked.save()
