"""Tests that deletions leave no data, even in columns that are not declared as personal."""

import gzip
import os
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from games.models import Seat
from games.rules.clusters import shorten
from tests.factories import make_user
from tests.tournament.helpers import (
    first_stage,
    get_refusal_code,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.privacy.traced import (
    TRACED_TEXT,
    TRACED_WORDS,
    make_packed_list,
    make_traced_event,
)
from tests.tournament.staging import play, running_round
from tournament.models import EligibilityImport, Event, Letter, Role, User
from tournament.people.names import rename_player
from tournament.privacy.leftover_data import (
    SearchTerms,
    decode_texts,
    list_old_backups,
    search_database,
    search_files,
)
from tournament.privacy.own_data import collect_own_data, exported_columns
from tournament.privacy.person import forget_person
from tournament.privacy.services import anonymize_person, purge_event
from tournament.registration.services import register
from tournament.rounds.services import close_round
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture(autouse=True)
def var_folder(tmp_path: Path, settings: Settings) -> Path:
    settings.VAR_DIR, settings.BACKUP_FOLDER = tmp_path / "var", str(tmp_path / "backups")
    (tmp_path / "var").mkdir()
    (tmp_path / "backups").mkdir()
    return tmp_path / "var"


def find_traces(words: list[str] = TRACED_WORDS) -> set[str]:
    return set(search_database(SearchTerms(words)))


# Columns that contain data of the traced person (traced.py) before the deletion.
TRACED_COLUMNS = {
    "account_emailaddress.email",
    "django_admin_log.object_repr",
    "django_session.session_data",
    "django_tasks_database_dbtaskresult.args_kwargs",
    "django_tasks_database_dbtaskresult.traceback",
    "games_hand.void_reason",
    "games_match.state",
    "games_match.title",
    "games_seat.name",
    "socialaccount_socialaccount.extra_data",
    "tournament_auditentry.data",
    "tournament_auditentry.reason",
    "tournament_auditentry.text",
    "tournament_deskmessage.text",
    "tournament_draw.input",
    "tournament_eligibilityimport.content",
    "tournament_eligibilityimport.filename",
    "tournament_eligiblestudent.email",
    "tournament_eligiblestudent.name",
    "tournament_eligiblestudent.roll_number",
    "tournament_event.contact_name",
    "tournament_event.description",
    "tournament_forecast.problem",
    "tournament_historyentry.reason",
    "tournament_interruption.reason",
    "tournament_invitation.email",
    "tournament_letter.address",
    "tournament_letter.name",
    "tournament_letter.subject",
    "tournament_proposal.answer",
    "tournament_proposal.facts",
    "tournament_proposal.reason",
    "tournament_registration.name",
    "tournament_registration.roll_number",
    "tournament_result.reason",
    "tournament_round.close_reason",
    "tournament_ruling.before",
    "tournament_ruling.cancel_reason",
    "tournament_ruling.reason",
    "tournament_stage.title",
    "tournament_user.display_name",
    "tournament_user.email",
}


def test_deleted_account_leaves_no_traces() -> None:
    _event, _organizer, one = make_traced_event()
    assert TRACED_COLUMNS - find_traces() == set()
    words = forget_person(one.user)
    assert {*TRACED_WORDS} <= {*words}
    assert find_traces([*TRACED_WORDS, *words]) == set()
    assert not User.objects.filter(pk=one.user_id).exists()


def test_anonymized_participant_leaves_no_traces() -> None:
    _event, organizer, one = make_traced_event()
    anonymize_person(one, organizer, "Wishes it.")
    assert find_traces() == set()


def test_purged_event_leaves_no_traces_of_its_participants() -> None:
    event, organizer, _one = make_traced_event()
    purge_event(event, organizer, "The term is over.")
    assert find_traces([*TRACED_WORDS, "Seeded Person1", "seeded11@college.example"]) == set()


def test_data_of_other_people_is_kept() -> None:
    _event, _organizer, one = make_traced_event()
    other = ["Seeded Person2", "seeded2@college.example"]
    before = search_database(SearchTerms(other))
    forget_person(one.user)
    assert search_database(SearchTerms(other)) == before


def _write_to_letter() -> None:
    Letter.objects.create(
        sender="desk@college.example", subject="x", body=f"Dear {TRACED_WORDS[0]},\n",
        written_at=timezone.now(), until=timezone.now(),
    )  # fmt: skip


def _write_to_session() -> None:
    session = SessionStore()
    session["account_login_code"] = {"email": TRACED_WORDS[2]}
    session.save()


def _write_to_packed_list() -> None:
    event, organizer = make_organized_event(0)
    EligibilityImport.objects.create(
        event=event, filename="list.xlsx", content=make_packed_list(), content_hash="",
        list_hash="", uploaded_by=organizer,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("write_trace", "column"),
    [
        (_write_to_letter, "tournament_letter.body"),
        (_write_to_session, "django_session.session_data"),
        (_write_to_packed_list, "tournament_eligibilityimport.content"),
        (lambda: make_user("x", first_name="SEEDED  person0"), "tournament_user.first_name"),
        (
            lambda: Event.objects.create(
                title="x", slug="x", options={"note": TRACED_TEXT}, ruleset="ocho"
            ),
            "tournament_event.options",
        ),
    ],
)
def test_leftover_trace_is_reported(write_trace: Callable[[], object], column: str) -> None:
    _event, _organizer, one = make_traced_event()
    forget_person(one.user)
    write_trace()
    assert search_database(SearchTerms(TRACED_WORDS)) == {column: 1}


@pytest.mark.parametrize("name", ["আশা দত্ত", "Łukasz Żak", 'Asha "Ash" Sen', "José 😀 Díaz"])
def test_name_in_any_script_is_found_in_json(name: str) -> None:
    Event.objects.create(title="x", slug="x", options={"note": f"For {name}."}, ruleset="ocho")
    assert find_traces([name]) == {"tournament_event.options"}


@pytest.mark.parametrize(
    ("text", "is_found"),
    [
        ("xSeeded\n person0x", True),
        ("(ch-7700)", True),
        ("CH-77001", False),
        ("Al, come here", True),
        ("Also", False),
        ("\\u0041l", True),
        ("SEEDED0@COLLEGE.EXAMPLE", True),
        ("", False),
    ],
)
def test_short_words_and_roll_numbers_match_only_as_whole_words(text: str, is_found: bool) -> None:
    assert SearchTerms([*TRACED_WORDS, "Al", ""]).occur_in(text) == is_found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252", "utf-16-be"])
def test_file_is_searched_in_the_encodings_of_uploaded_lists(encoding: str) -> None:
    sought = SearchTerms(["José Díaz"])
    assert any(map(sought.occur_in, decode_texts("Roll\tJosé Díaz\n".encode(encoding))))


def test_search_without_terms_finds_nothing() -> None:
    make_user("Asha")
    assert find_traces([]) == find_traces([""]) == set()


def test_log_lines_are_counted_even_if_compressed_and_site_files_are_skipped(
    var_folder: Path,
) -> None:
    (var_folder / "site.log").write_text(f"one\n{TRACED_TEXT}\nthree\n{TRACED_WORDS[0]}\n")
    (var_folder / "old").mkdir()
    (var_folder / "old" / "site.log.gz").write_bytes(gzip.compress(TRACED_TEXT.encode()))
    (var_folder / "Seeded Person0.csv").write_text("")
    (var_folder / "static").mkdir()
    for name in (
        "lastcard.sqlite3",
        "lastcard.sqlite3-wal",
        "night.backup",
        str(Path("static", "names.txt")),
    ):
        (var_folder / name).write_text(TRACED_TEXT)
    assert search_files(SearchTerms(TRACED_WORDS), var_folder) == {
        str(var_folder / "site.log"): 2,
        str(var_folder / "old" / "site.log.gz"): 1,
        str(var_folder / "Seeded Person0.csv"): 1,
    }
    assert search_files(SearchTerms(["Nobody Else"]), var_folder) == {}


def make_backup(folder: Path, days: float) -> Path:
    file = folder / f"{days}.backup"
    file.touch()
    moment = (timezone.now() - timedelta(days=days)).timestamp()
    os.utime(file, (moment, moment))
    return file


def test_earlier_backups_are_listed_with_their_expiry(settings: Settings, var_folder: Path) -> None:
    settings.KEEP_BACKUP_DAYS = 9
    nights = Path(settings.BACKUP_FOLDER)
    oldest, saved = make_backup(nights, 5), make_backup(var_folder, 3)
    make_backup(nights, 1)
    found = list_old_backups(timezone.now() - timedelta(days=2))
    assert [each.path for each in found] == [oldest, saved]
    assert [round((each.expires_at - timezone.now()) / timedelta(days=1)) for each in found] == [
        5,
        7,
    ]


def run_command(*command: str) -> tuple[list[str], str]:
    """Return the lines printed by a command, and its error message or "" on success."""
    out = StringIO()
    try:
        call_command(*command, stdout=out)
    except CommandError as error:
        return out.getvalue().splitlines(), str(error)
    return out.getvalue().splitlines(), ""


def test_command_deletes_the_account_and_verifies_it(settings: Settings, var_folder: Path) -> None:
    _event, _organizer, one = make_traced_event()
    night = make_backup(Path(settings.BACKUP_FOLDER), 1)
    assert run_command("forget_person", TRACED_WORDS[2])[1] == (
        "It is in 1 events. This cannot be undone: add --yes."
    )
    made = timezone.localtime(timezone.now() - timedelta(days=1))
    gone = made + timedelta(days=settings.KEEP_BACKUP_DAYS + 1)
    assert run_command("forget_person", TRACED_WORDS[2].upper(), "--yes") == (
        [
            "Deleted. Searching for remaining traces:",
            "database: nothing found",
            f"{var_folder}: nothing found",
            "backups from before: ",
            f"  {night} of {made:%Y-%m-%d}, gone by {gone:%Y-%m-%d}",
        ],
        "",
    )
    assert (
        run_command("forget_person", TRACED_WORDS[2], "--yes")[1]
        == "There is no account with this address."
    )
    assert not User.objects.filter(pk=one.user_id).exists()


def test_command_reports_leftovers_and_fails(var_folder: Path) -> None:
    _write_to_letter()
    (var_folder / "site.log").write_text(TRACED_TEXT)
    assert run_command("find_person", *TRACED_WORDS, "--deleted", "2026-11-25") == (
        [
            "database: ",
            "  tournament_letter.body: 1",
            f"{var_folder}: ",
            f"  {var_folder / 'site.log'}: 1",
            "backups from before: none",
        ],
        "Found in 2 places.",
    )


def test_event_staff_cannot_be_deleted() -> None:
    event, organizer = make_organized_event(1)
    one = event.registrations.get()
    event.roles.create(user=one.user, role=Role.REFEREE)
    assert get_refusal_code(forget_person, one.user) == "staff"
    assert get_refusal_code(forget_person, organizer) == "staff"
    # The log still names a former organizer as the author of the actions it records.
    event.roles.filter(user=organizer).delete()
    User.objects.filter(pk=organizer.pk).update(is_staff=False)
    assert get_refusal_code(forget_person, User.objects.get(pk=organizer.pk)) == "staff"
    assert User.objects.filter(pk=organizer.pk).exists()


def test_player_in_a_match_cannot_be_deleted() -> None:
    played = running_round(4)
    one = played.stage.event.registrations.all()[0]
    assert get_refusal_code(forget_person, one.user) == "playing"
    assert run_command("forget_person", one.user.email, "--yes")[1].endswith("(playing)")
    one.refresh_from_db()
    assert not one.anonymous


def test_list_entry_with_the_persons_address_is_deleted() -> None:
    event, _organizer = make_organized_event(0)
    user = make_user("Asha Sen", email="asha@college.example")
    event.students.create(roll_number="X-81", roll_key="x81", name="Asha S.", email=user.email)
    assert "X-81" in forget_person(user)
    assert find_traces(["X-81", "Asha S.", user.email]) == set()


def test_former_name_is_deleted_with_the_current_one() -> None:
    """Check that a former name is deleted along with the current one.

    Matches keep the name used at their start, and the log keeps all renames.
    """
    event, organizer = make_organized_event(4)
    one = event.registrations.all()[0]
    former = "Former Name of Somebody Whose Name Is Long"
    cut = shorten(former, 40)
    rename_player(one, organizer, former)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    for table in played.tables.all():
        play(table)
    close_round(played, organizer)
    rename_player(one, organizer, "Later Name")
    seats = Seat.objects.filter(name=cut)
    # A seat has no user if a bot took over from a player who has left.
    assert seats.update(user=None) == 1
    anonymize_person(one, organizer, "Wishes it.")
    assert find_traces([cut, "Later Name"]) == set()


def test_practice_is_deleted_with_an_account_without_events() -> None:
    user = make_user("Only Practice", email="only@college.example")
    Client().force_login(user)
    assert forget_person(user) == ["Only Practice", "only@college.example"]
    assert find_traces(["Only Practice", "only@college.example"]) == set()


def test_personal_export_has_every_declared_column_of_every_model(client: Client) -> None:
    event, _organizer, one = make_traced_event()
    client.force_login(one.user)
    found = collect_own_data(User.objects.get(pk=one.user_id))
    assert {*found} == {
        "account.emailaddress", "mfa.authenticator", "socialaccount.socialaccount",
        "games.reaction", "games.roundtrip", "games.seat",
        "tournament.answer", "tournament.desksignin", "tournament.eligiblestudent",
        "tournament.invitation", "tournament.letter", "tournament.registration",
        "tournament.report", "tournament.ruling", "tournament.tableseat", "tournament.user",
    }  # fmt: skip
    for label, rows in found.items():
        assert all([*row] == exported_columns(apps.get_model(label)) for row in rows)
    assert client.get(reverse("my-data")).json() == found
    text = client.get(reverse("my-data")).text
    assert "Seeded Person1" not in text
    assert "secret" not in text
    assert event.title in text


def test_person_is_removed_from_all_their_events() -> None:
    user = make_user("Asha Sen", email="asha@college.example")
    for number in range(2):
        event, _organizer = make_organized_event(0)
        register(event, user, roll_number=f"Q-9{number}", name="Asha Sen")
    assert {"Q-90", "Q-91"} <= {*forget_person(user)}
    assert find_traces(["Q-90", "Q-91", "Asha Sen", user.email]) == set()


def test_deletion_time_is_entered_in_the_site_time_zone() -> None:
    assert (
        run_command("find_person", "Zzyzx Quux", "--deleted", "2026-11-25T18:00:00+05:30")[1] == ""
    )
