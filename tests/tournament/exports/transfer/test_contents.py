"""Tests of moving a whole event, as one file, into another database and back."""

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import Model

from games import queries as games_queries
from games import services as games
from games.models import Hand, Match, Seat
from games.rules.fair.signatures import key_fingerprint
from tests.factories import make_organizer, make_user
from tests.guards import open_unguarded_cursor
from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    get_refusal_code,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.staging import match_of
from tournament.advancing.services import draw_bracket
from tournament.exports.records import iterate_records
from tournament.exports.transfer.contents import LEFT_OUT, PARTS, matches_of, write_event
from tournament.exports.transfer.exporting import move_event_away, resume_locally
from tournament.exports.transfer.importing import import_event
from tournament.hall.queries import bracket
from tournament.models import (
    AuditEntry,
    DeskSignIn,
    Event,
    HistoryEntry,
    Registration,
    Role,
    Table,
    User,
)
from tournament.oversight.export_requests import request_export
from tournament.oversight.history_texts import history
from tournament.people.staff.organizers import appoint_commentator
from tournament.registration.services import register
from tournament.results.services import enter_result
from tournament.results.stages import stage_results
from tournament.rounds.services import close_round
from tournament.seating.lots import public_record
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def superuser() -> User:
    return make_user(is_staff=True, is_superuser=True)


@pytest.fixture(scope="module")
def transferred_event_key(shared_rows: None) -> int:
    """Create an event of eight players, play its first round, and return the event's key.

    Both tables are played on the site. Then the points of one table are corrected by hand.
    """
    event, organizer = make_organized_event(
        8, hand_limit=1, round_minutes=None, second_person="off"
    )
    played = seat_round(first_stage(event), organizer)
    with mock.patch.object(games, "SHARE_SECONDS", 0):
        start_drafted_round(played, organizer, paper=False)
    one, other = played.tables.order_by("number")
    games.play_out(match_of(one))
    games.play_out(match_of(other))
    close_round(played, organizer)
    # These points are impossible in a match of one hand, in which only the winner scores.
    impossible_points = [0, 0, 10, 40]
    enter_result(other, organizer, impossible_points, "Two sheets were mixed up.", override=True)
    return event.pk


@pytest.fixture
def event(transferred_event_key: int) -> Event:
    return Event.objects.get(pk=transferred_event_key)


def write_event_file(event: Event, *, moved: bool = False) -> io.BytesIO:
    out = io.BytesIO()
    write_event(event, out, moved=moved)
    return out


def read_event_contents(event: Event) -> dict[str, Any]:
    """Return all data of an event that its pages show."""
    event = Event.objects.get(pk=event.pk)
    found = bracket(event)
    return {
        "standings": [list_row_values(row) for row in stage_results(event).rows()],
        "bracket": [seat.name for r in found.rounds for t in r.tables for seat in t.seats]
        if found
        else [],
        "records": list(iterate_records(event)),
        "log": list(event.audit.order_by("pk").values_list("at", "action", "text", "reason")),
        "history": [row.text for row in history(event).rows],
        "broken": history(event).broken,
        "public": json.loads(public_record(event)),
        "people": list(event.registrations.order_by("pk").values_list("name", "user__email")),
    }


def list_row_values(row: Any) -> list[Any]:
    return [row.rank, row.player, row.name, row.values, row.sentence]


def delete_event(event: Event, *, people: bool = True) -> None:
    """Delete the event's rows to simulate a machine that does not have the event.

    If `people` is true, its players' accounts are deleted too.
    """
    matches = matches_of(event)
    users = [*event.registrations.values_list("user", flat=True)]
    with open_unguarded_cursor():
        for part in reversed(PARTS):
            part.select(event, matches).delete()
    if people:
        User.objects.filter(pk__in=users).delete()


def test_transferred_event_has_the_same_page_contents(event: Event, superuser: User) -> None:
    before, file = read_event_contents(event), write_event_file(event)
    delete_event(event)
    brought = import_event(file, superuser)
    after = read_event_contents(brought)
    # The import adds its own entry at the top of the history.
    assert after["history"][0] == (
        "The event was imported from another server. "
        f"The site uses the key {key_fingerprint(games_queries.site_key())} to sign its receipts "
        "for deals."
    )
    after["history"], after["log"] = after["history"][1:], after["log"][:-1]
    after["public"]["rows"] = after["public"]["rows"][:-1]
    assert after == before
    assert before["broken"] is None


def test_transferred_bracket_is_unchanged(superuser: User) -> None:
    event, organizer = make_organized_event(8)
    stage = make_second_stage(event, organizer, 4)
    finish_paper_round(start_drafted_round(draw_bracket(stage, organizer), organizer), organizer)
    before, file = read_event_contents(event), write_event_file(event)
    assert before["bracket"]
    delete_event(event)
    assert read_event_contents(import_event(file, superuser))["bracket"] == before["bracket"]


def has_relation_to(model: type[Model], known: set[type[Model]]) -> bool:
    fields = [f for f in model._meta.get_fields() if f.concrete and (f.many_to_one or f.one_to_one)]
    return any(field.related_model in known for field in fields)


def list_event_models() -> set[type[Model]]:
    """Return all models that refer to an event, directly or through other models."""
    everything = apps.get_models(include_auto_created=True)
    known: set[type[Model]] = {Event, Match}
    while more := {
        model for model in everything if model not in known and has_relation_to(model, known)
    }:
        known |= more
    return known


def test_transfer_covers_every_event_model() -> None:
    """Check that each model is either moved or in `LEFT_OUT` with a reason."""
    carried = [part.model for part in PARTS]
    assert len(carried) == len(set(carried))
    assert {*carried, *LEFT_OUT} == list_event_models()


def iter_lines(file: io.BytesIO) -> Iterator[str]:
    with zipfile.ZipFile(file) as archive:
        for name in archive.namelist():
            yield from archive.read(name).decode().splitlines()


def test_export_excludes_passwords_sessions_and_codes(event: Event) -> None:
    organizer = event.roles.get().user
    DeskSignIn.objects.create(
        registration=event.registrations.all()[0],
        organizer=organizer,
        code_hash="c0de" * 16,
        expires_at=event.created_at,
    )
    Seat.objects.update(controller="c0ntr0l")
    text = "\n".join(iter_lines(write_event_file(event)))
    assert organizer.email in text
    for secret in (organizer.password, "c0de" * 16, "c0ntr0l", "sessionid", "last_login"):
        assert secret not in text


def test_export_excludes_hands_that_were_prepared_but_not_dealt(event: Event) -> None:
    match = Match.objects.filter(event_table__round__stage__event=event)[0]
    Hand.objects.create(match=match, number=9, players=[0, 1], commitment="5ec4e7" * 10)
    assert "5ec4e7" not in "\n".join(iter_lines(write_event_file(event)))


def test_running_match_prevents_the_transfer() -> None:
    event, organizer = make_organized_event(4)
    start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    request_export(event, organizer, "event", "To the hall.")
    table = Table.objects.get(round__stage__event=event)
    with pytest.raises(Exception, match=str(table)):
        move_event_away(event, organizer)
    assert get_refusal_code(move_event_away, event, organizer) == "playing"


def test_transfer_requires_access_to_personal_data(event: Event) -> None:
    organizer = event.roles.get().user
    assert get_refusal_code(move_event_away, event, organizer) == "not-granted"
    make_organizer(event)
    event.second_person = "far"
    event.save()
    request_export(event, organizer, "event", "To the hall.")
    assert get_refusal_code(move_event_away, event, organizer) == "not-granted"


def move_out_event(event: Event) -> User:
    organizer = event.roles.get().user
    request_export(event, organizer, "event", "To the hall.")
    move_event_away(event, organizer)
    return organizer


def test_moved_event_is_read_only_on_its_old_machine(event: Event) -> None:
    organizer = move_out_event(event)
    refused = [
        get_refusal_code(seat_round, first_stage(event), organizer),
        get_refusal_code(register, event, make_user(), roll_number="R9"),
        get_refusal_code(appoint_commentator, event, organizer, make_user(is_staff=True), "So."),
        get_refusal_code(request_export, event, organizer, "list", "So."),
        get_refusal_code(move_event_away, event, organizer),
    ]
    assert refused == ["away"] * len(refused)


def play_round_elsewhere(event: Event, root: User, kept_files: list[bytes]) -> io.BytesIO:
    """Play a round on another machine, and return the file with which the event returns.

    One database simulates both machines. `kept_files` stores the rows of this machine while the
    event is on the other one.
    """
    move_out_event(event)
    event.refresh_from_db()
    out = write_event_file(event, moved=True)
    kept_files.append(write_event_file(event).getvalue())
    delete_event(event, people=False)
    there = import_event(out, root)
    finish_paper_round(
        start_drafted_round(seat_round(first_stage(there), root, "Once more."), root), root
    )
    request_export(there, root, "event", "Home.")
    there = move_event_away(there, root)
    back = write_event_file(there, moved=True)
    kept_files.append(json.dumps(read_event_contents(there)["standings"], default=str).encode())
    delete_event(there, people=False)
    # On this server, the event is still marked as moved away.
    import_event(io.BytesIO(kept_files[0]), root)
    with open_unguarded_cursor():
        for kept in (HistoryEntry, AuditEntry):
            kept._default_manager.filter(event=event, action="carry-in").delete()
    Event.objects.filter(pk=event.pk).update(away_since=event.away_since, brought=[])
    return back


def test_remote_results_are_imported_on_return(event: Event, superuser: User) -> None:
    kept_files: list[bytes] = []
    back = play_round_elsewhere(event, superuser, kept_files)
    home = import_event(back, superuser)
    assert home.away_since is None
    assert json.dumps(read_event_contents(home)["standings"], default=str).encode() == kept_files[1]
    assert history(home).broken is None
    assert [row.action for row in home.history.order_by("-number")][:2] == ["carry-in", "carry-out"]
    assert get_refusal_code(import_event, back, superuser) == "here"


def test_rows_created_remotely_have_distinct_keys(event: Event, superuser: User) -> None:
    back = play_round_elsewhere(event, superuser, [])
    home = import_event(back, superuser)
    last = first_stage(home).rounds.order_by("-number")[0]
    assert last.pk > 2**36
    assert home.pk == event.pk


def test_original_export_is_not_accepted_as_a_returning_event(
    event: Event, superuser: User
) -> None:
    move_out_event(event)
    event.refresh_from_db()
    assert get_refusal_code(import_event, write_event_file(event, moved=True), superuser) == "own"


def test_copy_is_refused_while_the_original_exists(event: Event, superuser: User) -> None:
    assert get_refusal_code(import_event, write_event_file(event), superuser) == "copy"
    assert get_refusal_code(import_event, write_event_file(event, moved=True), superuser) == "here"


def test_resuming_locally_locks_out_the_other_machine(event: Event, superuser: User) -> None:
    back = play_round_elsewhere(event, superuser, [])
    organizer = event.roles.get(role=Role.OWNER).user
    assert get_refusal_code(resume_locally, event, organizer, "") == "no-reason"
    resume_locally(event, organizer, "The laptop was stolen.")
    assert history(event).rows[0].reason == "The laptop was stolen."
    assert get_refusal_code(resume_locally, event, organizer, "Again.") == "state"
    assert get_refusal_code(import_event, back, superuser) == "here"
    request_export(event, organizer, "event", "Once more.")
    move_event_away(event, organizer)
    assert get_refusal_code(import_event, back, superuser) == "older"


def test_event_continued_on_both_machines_is_not_merged(event: Event, superuser: User) -> None:
    back = play_round_elsewhere(event, superuser, [])
    organizer = event.roles.get(role=Role.OWNER).user
    Event.objects.filter(pk=event.pk).update(away_since=None)
    request_export(event, organizer, "event", "Beside.")
    Event.objects.filter(pk=event.pk).update(away_since=event.away_since)
    assert get_refusal_code(import_event, back, superuser) == "diverged"


def test_conflicting_ids_are_reported(event: Event, superuser: User) -> None:
    file = write_event_file(event)
    Event.objects.filter(pk=event.pk).update(identity="another", slug="another")
    assert get_refusal_code(import_event, file, superuser) == "taken"
    Event.objects.filter(pk=event.pk).update(slug=event.slug)
    assert get_refusal_code(import_event, file, superuser) == "slug"


def test_people_are_matched_by_address(event: Event, superuser: User) -> None:
    known, new = (each.user for each in event.registrations.order_by("pk")[:2])
    file = write_event_file(event)
    delete_event(event, people=False)
    User.objects.filter(pk=new.pk).delete()
    User.objects.filter(pk=known.pk).update(email=known.email.lower())
    brought = import_event(file, superuser)
    first, second = brought.registrations.order_by("pk")[:2]
    assert first.user == known
    assert second.user.email == new.email
    assert not second.user.has_usable_password()
    assert second.user.is_active
    assert not second.user.is_staff


def test_unknown_imported_staff_cannot_sign_in(event: Event, superuser: User) -> None:
    organizer, file = event.roles.get().user, write_event_file(event)
    delete_event(event)
    User.objects.filter(pk=organizer.pk).delete()
    import_event(file, superuser)
    placeholder = User.objects.get(email=organizer.email)
    assert [placeholder.is_active, placeholder.is_staff, placeholder.is_superuser] == [False] * 3


def test_importing_user_becomes_the_organizer(event: Event) -> None:
    adder = make_organizer()
    file = write_event_file(event)
    delete_event(event)
    assert import_event(file, adder).roles.filter(user=adder, role=Role.OWNER).exists()


def test_remote_commentators_are_shown_anonymously(event: Event, superuser: User) -> None:
    """Check that no other person is named as a commentator.

    An account has a different key on another machine.
    """
    organizer = event.roles.get().user
    appoint_commentator(event, organizer, make_user(is_staff=True, name="Mira"), "Stream.")
    assert "Mira became a commentator" in history(event).rows[0].text
    file = write_event_file(event)
    delete_event(event, people=False)
    assert "someone became a commentator" in history(import_event(file, superuser)).rows[1].text


def test_commitments_of_hidden_hands_can_be_verified(event: Event, superuser: User) -> None:
    before = [
        games_queries.hand_record(hand)
        for hand in Hand.objects.filter(match__in=matches_of(event)).order_by("pk")
    ]
    file = write_event_file(event)
    delete_event(event)
    brought = import_event(file, superuser)
    after = Hand.objects.filter(match__in=matches_of(brought)).order_by("pk")
    assert [games_queries.hand_record(hand) for hand in after] == before
    assert Registration.objects.filter(event=brought).count() == 8
    assert connection.vendor in ("sqlite", "postgresql")
