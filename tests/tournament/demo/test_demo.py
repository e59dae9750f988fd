"""Tests of the demo for `make run`, with events and fictional students who play in them."""

import io
import json
import re
import socket
import stat
import unicodedata
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client, override_settings
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from games import services
from games.models import LoggedAction, Match, Seat
from games.tables.replay import shows_cards
from tests.tournament.staging import first_table, running_round
from tests.typed import sure
from tournament.demo import accounts, events, league, people, players
from tournament.desk.control import control_room
from tournament.models import Event, Registration, Round, User
from tournament.stages.winners import podium, winner
from tournament.standings.queries import leaderboard

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
State = Registration.State


@pytest.fixture(scope="module")
def var_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide a var/ folder for the whole module."""
    return tmp_path_factory.mktemp("var")


@pytest.fixture(scope="module")
def first_output(
    var_folder: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[str]:
    """Provide the output of the demo's first start.

    All tests use the data that the first start creates. Their own changes are rolled back.
    """
    out = io.StringIO()
    with django_db_blocker.unblock(), transaction.atomic(), override_settings(VAR_DIR=var_folder):
        call_command("demo", port=8231, stdout=out)
        yield out.getvalue()
        transaction.set_rollback(True)


@pytest.fixture
def demo_output(first_output: str, var_folder: Path, settings: Settings) -> str:
    settings.VAR_DIR = var_folder
    return first_output


def test_demo_has_forty_distinct_students() -> None:
    students = people.list_students()
    assert len(students) == 40
    assert len({s.name for s in students}) == len({s.roll_number for s in students}) == 40


def test_every_demo_page_has_content(demo_output: str) -> None:
    open_event = Event.objects.get(slug=events.OPEN_SLUG)
    states = list(open_event.registrations.values_list("state", flat=True))
    assert {state: states.count(state) for state in State} == {
        State.APPROVED: 32,
        State.PENDING: 2,
        State.WAITLIST: 2,
        State.REFUSED: 1,
        State.WITHDRAWN: 1,
        State.DISQUALIFIED: 0,
    }
    tables = sure(control_room(open_event)).tables
    assert [len(table.seats) for table in tables] == [4] * 8
    assert sorted(table.state for table in tables) == ["finished"] * 4 + ["playing"] * 4
    board = leaderboard(open_event)
    assert len(board.rows) == 32
    assert board.provisional
    assert winner(Event.objects.get(slug=events.CUP_SLUG)) is not None
    assert Event.objects.get(slug=events.NEXT_SLUG).registration_state == "open"


def test_each_event_has_a_venue_and_contact(demo_output: str) -> None:
    for event in Event.objects.all():
        assert event.place, event
        assert event.contact.startswith("Odile Organizer, organizer@example.edu, "), event


def test_bracket_with_sixteen_first_round_tables_has_a_winner(demo_output: str) -> None:
    event = Event.objects.get(slug=events.DUEL_SLUG)
    rounds = Round.objects.filter(stage__event=event).order_by("number")
    assert [(str(each.title), each.tables.count()) for each in rounds] == [
        ("Round 1", 16),
        ("Round 2", 8),
        ("Quarter-final", 4),
        ("Semi-final", 2),
        ("Final", 1),
    ]
    steps = podium(event).steps
    assert [(step.place, len(step.people)) for step in steps] == [(1, 1), (2, 1), (3, 2)]


def find_script(name: str) -> str:
    """Return the script of the name's first letter, taken from its Unicode name."""
    return unicodedata.name(name[0]).split()[0]


def test_student_names_use_four_scripts(demo_output: str) -> None:
    scripts = {"LATIN", "BENGALI", "DEVANAGARI", "ARABIC"}
    for slug in (events.OPEN_SLUG, events.CUP_SLUG, events.DUEL_SLUG):
        rows = Registration.objects.filter(event__slug=slug)
        assert {find_script(row.name) for row in rows} == scripts, slug


def test_recently_ended_matches_reveal_their_cards_for_luck_statistics(demo_output: str) -> None:
    event = Event.objects.get(slug=events.CUP_SLUG)
    final = Round.objects.get(stage__event=event, is_final=True).tables.get()
    match = sure(final.match)
    assert (match.phase, shows_cards(match)) == (Match.Phase.OVER, True)
    assert timezone.now() - sure(match.hands.order_by("-number")[0].ended_at) < timedelta(hours=1)


def test_demo_match_stays_in_play_after_its_first_hand() -> None:
    match = first_table(running_round(ruleset="ocho", options={"target": 1})).match
    events.play_first_hand(sure(match))
    sure(match).refresh_from_db()
    assert sure(match).phase == Match.Phase.PLAYING
    assert [hand.ended_at for hand in sure(match).hands.all()] == [None]


def test_printed_logins_work(demo_output: str, client: Client) -> None:
    logins = dict(re.findall(r"(\S+@\S+)\s+(ocho-\S+)", demo_output))
    assert list(logins) == [accounts.ORGANIZER, people.list_students()[0].email]
    for email, password in logins.items():
        answer = client.post("/accounts/login/", {"login": email, "password": password})
        assert answer.status_code == 302, email
        client.logout()


def test_printed_student_has_a_seat_at_a_live_table(demo_output: str, client: Client) -> None:
    client.force_login(User.objects.get(email=people.list_students()[0].email))
    page = client.get(f"/e/{events.OPEN_SLUG}/my-table/")
    assert page.context["page"].table.state == "playing"


def test_second_start_keeps_all_data(demo_output: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = LoggedAction.objects.count(), Event.objects.count(), User.objects.count()
    call_command("demo", port=8231)
    again = capsys.readouterr().out
    assert (LoggedAction.objects.count(), Event.objects.count(), User.objects.count()) == before
    assert again.endswith(demo_output[demo_output.index("\nLastcard's demo is ready.") :])


def test_occupied_port_is_reported_before_data_is_created(
    settings: Settings, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(CommandError) as refusal:
            call_command("demo", serve=True, host="127.0.0.1", port=port)
    assert str(refusal.value) == f"Port {port} is in use. Take another: PORT={port + 1} make run"
    assert list(tmp_path.iterdir()) == []


def test_logins_file_is_private_and_recreated_when_lost(
    demo_output: str,
    var_folder: Path,
    tmp_path: Path,
    settings: Settings,
    capsys: pytest.CaptureFixture[str],
    client: Client,
) -> None:
    path = var_folder / "demo-logins.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    settings.VAR_DIR = tmp_path
    call_command("demo", port=8231)
    logins = json.loads((tmp_path / "demo-logins.json").read_text())
    assert logins[accounts.ORGANIZER] not in demo_output
    assert client.login(email=accounts.ORGANIZER, password=logins[accounts.ORGANIZER])


def test_demo_events_are_recognized_after_their_slug_changes(
    demo_output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Event.objects.filter(slug=events.OPEN_SLUG).update(slug="spring-open")
    Event.objects.filter(slug="lunch-league-1").update(slug="soup-league")
    before = Event.objects.count(), User.objects.count()
    call_command("demo", port=8231)
    assert (Event.objects.count(), User.objects.count()) == before
    assert [season.slug for season in league.LUNCH.seasons()] == ["soup-league"]


def test_printed_logins_are_current_and_passwords_are_kept(
    demo_output: str, var_folder: Path, capsys: pytest.CaptureFixture[str], client: Client
) -> None:
    logins = json.loads((var_folder / "demo-logins.json").read_text())
    odile = User.objects.get(email=accounts.ORGANIZER)
    odile.email = "odile@example.org"
    odile.save()
    asha = User.objects.get(email=people.list_students()[0].email)
    asha.set_password("of-my-own-choice")
    asha.save()
    call_command("demo", port=8231)
    said = capsys.readouterr().out
    assert f"Organizer   odile@example.org   {logins[accounts.ORGANIZER]}\n" in said
    assert f"Student     {asha.email}   (the password set since)\n" in said
    assert client.login(email=asha.email, password="of-my-own-choice")


def test_simulated_students_never_play_for_the_visitor(demo_output: str) -> None:
    visitor = people.list_students()[0].email
    students = players.Players(visitor)
    dealt = timezone.now() + timedelta(minutes=1)
    services.tick(dealt)
    playing = Match.objects.filter(phase=Match.Phase.PLAYING)
    assert playing.count() == 4
    students.mark_present()
    present = Seat.objects.filter(match__in=playing, seen_at__isnull=False)
    assert present.count() == 15  # the visitor has one of the sixteen seats
    assert students.act_where_due(dealt) == 0  # the players think before they act
    for turn in range(1, 31):
        students.act_where_due(dealt + turn * timedelta(seconds=5))
    acted = LoggedAction.objects.filter(at__gt=dealt)
    assert set(acted.values_list("auto", flat=True)) == {""}  # acted as people, not as bots
    assert acted.count() > 30
