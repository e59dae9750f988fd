"""Tests of anonymizing one person or everyone in an event.

They search the database for remaining traces.
"""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test import Client
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from games.json_values.state import LogNote
from games.models import Match
from tests.factories import make_organizer, make_user
from tests.tournament.events.closing.test_locking import make_locked_event
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_organized_event,
    play_first_round,
    start_drafted_round,
)
from tests.tournament.staging import first_table, match_of, organizer_of, play, running_round
from tournament.desk.confirmation import confirm
from tournament.models import (
    AuditEntry,
    Certificate,
    Event,
    HistoryEntry,
    Letter,
    Proposal,
    Registration,
    Round,
    Ruling,
    User,
)
from tournament.oversight.history_texts import history
from tournament.people.accounts.desk_codes import create_desk_code
from tournament.privacy.lengths import due_at
from tournament.privacy.mentions import find_mentions
from tournament.privacy.queries import events_with_same_people, rows_due_for_deletion
from tournament.privacy.scrubbing import Scrubber
from tournament.privacy.services import (
    anonymize_person,
    purge_due_events,
    purge_event,
    set_retention,
)
from tournament.registration.eligibility.uploads import apply_import, upload_list
from tournament.registration.services import register
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.desk_messages import send_message
from tournament.rounds.services import close_round
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule, undo_ruling
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def dump_database() -> str:
    """Return the text of every cell of every table in the database."""
    found = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            for row in cursor.fetchall():
                found += [cell.decode("latin-1") if isinstance(cell, bytes) else str(cell)
                         if not isinstance(cell, memoryview) else bytes(cell).decode("latin-1")
                         for cell in row]  # fmt: skip
    return "\n".join(found).casefold()


def list_leftover_words(words: list[str]) -> list[str]:
    text = dump_database()
    return [word for word in words if word.casefold() in text]


def list_personal_words(event: Event) -> list[str]:
    """Return the addresses, roll numbers and names of everyone in the event or on its list."""
    rows = event.registrations.values_list("user__email", "roll_number", "name")
    listed = event.students.values_list("email", "roll_number", "name")
    return sorted({word for row in [*rows, *listed] for word in row if word})


STUDENT_LIST = "Roll,Name,Email\n" + "\n".join(
    f"CH-77{n:02},Seeded Person{n},seeded{n}@college.example" for n in range(12)
)


def make_event_with_personal_data(*, paper: bool = True) -> tuple[Event, User]:
    """Create an event with personal data in every place that can have any.

    These are the list, imports, the log, the history, emails, codes, seats, reasons and notes.
    """
    event, organizer = make_organized_event(
        0, eligibility_required=True, hand_limit=None if paper else 1
    )
    apply_import(upload_list(event, organizer, "list.csv", STUDENT_LIST.encode()), organizer)
    for n in range(8):
        user = make_user(f"Seeded Person{n}", email=f"seeded{n}@college.example")
        register(event, user, roll_number=f"ch-77{n:02}", name=f"Seeded Person{n}")
    one = event.registrations.all()[0]
    create_desk_code(one, organizer)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=paper)
    if paper:
        finish_paper_round(played, organizer)
    else:
        for each in played.tables.all():
            play(each)
        close_round(played, organizer)
    table = played.tables.all()[0]
    why = f"{one.name} (CH-7700) had sat wrongly."
    enter_result(table, organizer, [0, 100, 200, 400], why, override=not paper)
    Letter.objects.create(
        event=event, name=one.name, address=one.user.email, sender="desk@college.example",
        subject=f"For {one.name}", written_at=timezone.now(), until=timezone.now(),
    )  # fmt: skip
    LogEntry.objects.create(
        user=organizer, action_flag=CHANGE, object_id=str(one.pk), object_repr=one.name,
        content_type=ContentType.objects.get_for_model(Registration),
    )  # fmt: skip
    Client().force_login(one.user)
    Event.objects.filter(pk=event.pk).update(state=Event.State.FINISHED)
    event.refresh_from_db()
    return event, organizer


def test_purge_removes_all_addresses_roll_numbers_and_names_from_the_database() -> None:
    event, organizer = make_event_with_personal_data()
    words = list_personal_words(event)
    assert len(words) == 36
    assert list_leftover_words(words) == words
    points = [(row.player, row.rank, row.values) for row in stage_results(event).rows()]
    assert purge_event(event, organizer, "The term is over.") is None
    assert list_leftover_words(words) == []
    assert [(r.player, r.rank, r.values) for r in stage_results(event).rows()] == points
    assert history(event).broken is None
    assert get_refusal_code(purge_event, event, organizer, "Again.") == "purged"


def test_reason_naming_a_purged_person_is_removed_and_the_chain_stays_valid() -> None:
    event, organizer = make_event_with_personal_data()
    [named] = HistoryEntry.objects.filter(event=event, reason__contains="CH-7700")
    purge_event(event, organizer, "The term is over.")
    after = HistoryEntry.objects.get(pk=named.pk)
    assert (after.reason, after.salt, after.redacted) == ("", "", True)
    assert (after.seal, after.digest) == (named.seal, named.digest)
    assert history(event).broken is None


def test_log_keeps_actions_and_registration_numbers() -> None:
    event, organizer = make_event_with_personal_data()
    purge_event(event, organizer, "The term is over.")
    found = AuditEntry.objects.filter(event=event, action="correct").get()
    assert (found.reason, found.redacted) == ("", True)


FIRST, LAST = "Zubaida", "Qureshi"
REMARK = f"{FIRST} saw it, and Ms {LAST} too."


def make_event_with_remarks() -> tuple[Event, User, Registration]:
    """Create a finished event whose free texts name a person by parts of the name."""
    event, organizer = make_event_with_personal_data()
    one = event.registrations.get(roll_number="CH-7700")
    other = event.registrations.get(roll_number="CH-7701")
    event.students.filter(roll_number="CH-7700").update(name=f"{FIRST} {LAST}")
    Registration.objects.filter(pk=one.pk).update(name=f"{FIRST} {LAST}")
    User.objects.filter(pk=one.user_id).update(display_name=f"{FIRST} {LAST}")
    rule(event, organizer, RulingRequest(Ruling.Kind.CAUTION, other), REMARK)
    undo_ruling(event.rulings.get(), organizer, REMARK)
    send_message(event, organizer, REMARK, "all")
    Registration.objects.filter(pk=other.pk).update(reason=REMARK)
    Round.objects.filter(stage__event=event).update(close_reason=REMARK)
    Proposal.objects.create(
        event=event, kind="purge", facts={}, reason=REMARK, asked_by=organizer,
        state=Proposal.State.REFUSED, answer=REMARK,
    )  # fmt: skip
    return event, organizer, one


def test_no_part_of_a_name_remains_after_all_texts_are_ticked() -> None:
    event, organizer, one = make_event_with_remarks()
    second = make_organizer(event)
    mentions = find_mentions(event, one)
    assert REMARK in [each.text for each in mentions]
    proposal = anonymize_person(one, organizer, f"{FIRST} asks.", [each.key for each in mentions])
    assert proposal is not None
    confirm(proposal, second)
    assert list_leftover_words([FIRST, LAST, "CH-7700", "seeded0@college.example"]) == []
    assert history(event).broken is None
    player = Registration.objects.get(roll_number="CH-7701")
    assert player.reason == "Player 1 saw it, and Ms Player 1 too."


def test_unticked_text_is_kept() -> None:
    _event, organizer, one = make_event_with_remarks()
    anonymize_person(one, organizer, "Wishes to be forgotten.")
    assert Registration.objects.get(roll_number="CH-7701").reason == REMARK


def test_name_of_another_person_is_not_a_mention() -> None:
    event, organizer, one = make_event_with_remarks()
    Registration.objects.update(reason="")
    other = event.registrations.get(roll_number="CH-7701")
    Registration.objects.filter(pk=other.pk).update(name=f"{FIRST} Rao")
    send_message(event, organizer, f"{FIRST} Rao, come to the desk.", "all")
    texts = [each.text for each in find_mentions(event, one)]
    assert [text for text in texts if "Rao" in text] == []


def test_copied_event_with_the_same_list_is_reported() -> None:
    event, organizer = make_event_with_personal_data()
    other, _organizer = make_organized_event(0, eligibility_required=True)
    assert events_with_same_people(event) == []
    apply_import(upload_list(other, organizer, "list.csv", STUDENT_LIST.encode()), organizer)
    assert events_with_same_people(event) == [other]
    assert events_with_same_people(other) == [event]
    purge_event(event, organizer, "The term is over.")
    assert events_with_same_people(other) == []


def test_purge_removes_every_part_of_a_name_from_the_database() -> None:
    event, organizer, _one = make_event_with_remarks()
    words = [FIRST, LAST, "CH-7700", "seeded0@college.example"]
    assert list_leftover_words(words) == words
    purge_event(event, organizer, "The term is over.")
    assert list_leftover_words(words) == []
    assert history(event).broken is None


def test_anonymizing_one_person_keeps_the_others() -> None:
    event, organizer = make_event_with_personal_data()
    words = list_personal_words(event)
    one = event.registrations.get(roll_number="CH-7700")
    anonymize_person(one, organizer, "Wishes to be forgotten.")
    one.refresh_from_db()
    assert (one.name, one.roll_number, one.anonymous) == ("Player 1", "", True)
    gone = ["CH-7700", "Seeded Person0", "seeded0@college.example"]
    assert list_leftover_words(words) == [word for word in words if word not in gone]
    assert history(event).broken is None
    assert get_refusal_code(anonymize_person, one, organizer, "Again.") == "anonymous"


def test_certificate_of_an_anonymized_person_is_withdrawn() -> None:
    event, organizer = make_locked_event(4)
    one = event.registrations.all()[0]
    anonymize_person(one, organizer, "Wishes it.")
    assert not Certificate.objects.filter(registration=one, withdrawn_at=None).exists()
    assert Certificate.objects.filter(withdrawn_at=None).count() == 3


def test_account_used_in_another_event_is_kept() -> None:
    event, organizer = make_locked_event(4)
    user = event.registrations.all()[0].user
    other, _other = make_organized_event(0)
    register(other, user, roll_number="R-4711")
    anonymize_person(event.registrations.all()[0], organizer, "Wishes it.")
    user.refresh_from_db()
    assert user.is_active
    assert other.registrations.get().user == user
    assert not event.registrations.filter(user=user).exists()


def test_no_person_is_anonymized_during_a_running_round() -> None:
    event, organizer = make_organized_event(4)
    start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    one = event.registrations.all()[0]
    assert get_refusal_code(anonymize_person, one, organizer, "Wishes it.") == "playing"


def test_irreversible_deletion_needs_a_second_organizer() -> None:
    event, organizer = make_locked_event(4)
    second = make_organizer(event)
    for asked in (
        anonymize_person(event.registrations.all()[0], organizer, "Wishes it."),
        purge_event(event, organizer, "The term is over."),
    ):
        assert asked is not None
        confirm(asked, second)
    event.refresh_from_db()
    assert event.purged_at
    assert not event.registrations.filter(anonymous=False).exists()


def test_unfinished_event_cannot_be_purged() -> None:
    event, organizer = make_organized_event(4)
    assert get_refusal_code(purge_event, event, organizer, "Why not.") == "state"


def test_dry_run_counts_what_would_be_deleted() -> None:
    event, organizer = make_event_with_personal_data()
    counts = {each.model.__name__: each.count for each in rows_due_for_deletion(event)}
    assert (counts["Registration"], counts["EligibleStudent"]) == (8, 12)
    assert (counts["EligibilityImport"], counts["DeskSignIn"]) == (1, 1)
    assert counts["Letter"] > 0
    purge_event(event, organizer, "The term is over.")
    assert sum(each.count for each in rows_due_for_deletion(event)) == 0


def test_worker_deletes_after_retention_days_counted_from_the_event_end() -> None:
    event, organizer = make_event_with_personal_data()
    assert due_at(event) is None
    for wrong in (0, 3651):
        assert get_refusal_code(set_retention, event, organizer, wrong) == "days"
    event = set_retention(event, organizer, 30)
    purge_due_events(timezone.now())
    assert Event.objects.get(pk=event.pk).purged_at is None
    first_stage(event).rounds.update(closed_at=timezone.now() - timedelta(days=31))
    purge_due_events(timezone.now())
    assert Event.objects.get(pk=event.pk).purged_at
    assert history(event).rows[0].by == "the site"
    assert due_at(set_retention(event, organizer, None)) is None


def test_unfinished_event_is_never_due_for_deletion() -> None:
    event, organizer = make_organized_event(8)
    play_first_round(event, organizer)
    assert due_at(set_retention(event, organizer, 1)) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Asha Kumari won.", "Player 1 won."),
        ("ASHA KUMARI (r-01)", "Player 1 (Player 1)"),
        ("Ashas, R-012", "Ashas, R-012"),
        ("Mail to asha@x.example.", "Mail to Player 1."),
        ("Al is short", "Al is short"),
    ],
)
def test_only_whole_words_are_replaced(text: str, expected: str) -> None:
    words = ("Asha", "Asha Kumari", "R-01", "asha@x.example", "Al", "")
    scrubber = Scrubber(dict.fromkeys(words, "Player 1"))
    assert scrubber.scrub_text(text) == expected
    assert scrubber.scrub_value({"Asha": [text, 1, None]}) == {"Asha": [expected, 1, None]}


def test_name_is_removed_from_mails_to_other_people() -> None:
    event, organizer = make_event_with_personal_data()
    one, other = event.registrations.order_by("queue_number")[:2]
    letter = Letter.objects.create(
        event=event, name=other.name, address=other.user.email, sender="desk@college.example",
        subject=f"The seat of {one.name}", body=f"You sit down for {one.name}.\n",
        written_at=timezone.now(), due=timezone.now(), until=timezone.now(),
    )  # fmt: skip
    anonymize_person(one, organizer, "Wishes it.")
    letter.refresh_from_db()
    assert (letter.subject, letter.body) == ("The seat of Player 1", "You sit down for Player 1.\n")
    assert (letter.name, letter.address) == (other.name, other.user.email)


def test_name_is_removed_from_a_table_log_and_its_cards_are_kept() -> None:
    played = running_round(4)
    event, match = played.stage.event, match_of(first_table(played))
    one = event.registrations.order_by("queue_number")[0]
    Registration.objects.filter(pk=one.pk).update(name="Seeded Person")
    note = LogNote(1, 1, "redone", {"number": 1, "reason": "Seeded Person had seen the cards."})
    Match.objects.filter(pk=match.pk).update(state=replace(match.state, notes=(note,)))
    played.state = played.State.CLOSED
    played.save()
    match.seats.filter(user=one.user).update(look="petrol owl")
    before = match.state.to_json()
    anonymize_person(one, organizer_of(event), "Wishes it.")
    assert not match.seats.exclude(look="").exists(), "an anonymous player keeps no chosen avatar"
    match.refresh_from_db()
    assert match.state.notes[0].facts["reason"] == "Player 1 had seen the cards."
    assert {**match.state.to_json(), "notes": []} == {**before, "notes": []}


def test_name_is_removed_from_task_failure_messages() -> None:
    event, organizer = make_event_with_personal_data()
    one = event.registrations.order_by("queue_number")[0]
    row = DBTaskResult.objects.create(
        args_kwargs={"args": [], "kwargs": {}}, run_after=timezone.now(),
        traceback=f"ValueError: {one.user.email}",
    )  # fmt: skip
    anonymize_person(one, organizer, "Wishes it.")
    row.refresh_from_db()
    assert row.traceback == "ValueError: Player 1"
