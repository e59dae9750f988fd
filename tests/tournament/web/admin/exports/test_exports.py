"""Tests of the exports page and its files."""

import csv
import io
import json
import logging
import zipfile
from pathlib import Path

import openpyxl
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games import services as games
from games.models import Match
from tests.factories import UNREACHABLE_TARGET, make_organizer, make_user
from tests.tournament.helpers import (
    first_stage,
    make_organized_event,
    make_second_stage,
    play_first_round,
    start_drafted_round,
)
from tests.tournament.organizing import page, press_button
from tests.tournament.staging import match_of
from tests.typed import sure
from tournament.advancing.services import draw_bracket
from tournament.attendance.walk_ins import WalkIn, register_walk_in
from tournament.exports.queries import EXPORTS
from tournament.models import Event
from tournament.pure.files import FORMATS, scripts
from tournament.registration.services import register
from tournament.results.queries import table_results
from tournament.results.stages import stage_results
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule
from tournament.seating.services import seat_round

pytestmark = pytest.mark.django_db


def download_export(client: Client, event: Event, which: str) -> bytes:
    answer = client.get(reverse("admin:event-export", args=[event.pk, which]))
    assert answer.status_code == 200
    assert answer["Content-Disposition"] == f'attachment; filename="{event.slug}-{which}"'
    return bytes(answer.content)


def read_export_rows(client: Client, event: Event, which: str) -> list[list[str]]:
    text = download_export(client, event, f"{which}.csv").decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text)))


def request_export(client: Client, event: Event) -> None:
    press_button(
        client,
        reverse("admin:event-export", args=[event.pk, "registrations.csv"]),
        "ask",
        reason="Badges.",
    )


def sign_in_organizer(event: Event) -> Client:
    client = Client()
    client.force_login(event.organizers.get())
    return client


def test_pdf_export_does_not_flood_the_log(caplog: pytest.LogCaptureFixture) -> None:
    event, _ = make_organized_event(2)
    with caplog.at_level(logging.INFO):
        assert download_export(sign_in_organizer(event), event, "standings.pdf").startswith(b"%PDF")
    assert [line for line in caplog.record_tuples if line[0].startswith("fontTools")] == []


def test_registrations_are_exported_in_order_of_arrival() -> None:
    event, _ = make_organized_event(2)
    client = sign_in_organizer(event)
    request_export(client, event)
    head, first, second = read_export_rows(client, event, "registrations")
    registration = event.registrations.all()[0]
    assert head[:3] == ["No.", "Name", "Roll number"]
    assert first[:5] == [
        "1",
        registration.name,
        registration.roll_number,
        registration.user.email,
        "has a spot",
    ]
    assert second[0] == "2"


def test_results_are_exported_by_seat() -> None:
    event, organizer = make_organized_event(4)
    client = sign_in_organizer(event)
    assert len(read_export_rows(client, event, "results")) == 1
    play_first_round(event, organizer)
    head, first, *rest = read_export_rows(client, event, "results")
    assert head == [
        *["Stage", "Round", "Table", "Seat", "Name", "Points"],
        *["Place at table", "Won", "Points left in hand", "Source"],
    ]
    assert [*first[:4], *first[5:]] == [
        *["First round (everyone plays)", "Round 1", "1", "1"],
        *["400", "1", "yes", "", "physical cards"],
    ]
    assert [row[6] for row in rest] == ["2", "3", "4"]


def test_cards_left_in_each_hand_are_exported() -> None:
    event, organizer = make_organized_event(4, hand_limit=1)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    games.play_out(match_of(played.tables.get()))
    _head, *seats = read_export_rows(sign_in_organizer(event), event, "results")
    found = table_results(event)[0]
    assert [row[8] for row in seats] == [str(left) for left in found.left]
    assert sorted(row[6] for row in seats) == ["1", "2", "2", "2"]


def test_registrations_export_has_check_ins_and_missing_addresses() -> None:
    event, organizer = make_organized_event(0, check_in=True)
    register_walk_in(event, organizer, WalkIn("Asha Sen", "CHE-1"))
    client = sign_in_organizer(event)
    request_export(client, event)
    [line] = read_export_rows(client, event, "registrations")[1:]
    assert line[1:5] == ["Asha Sen", "CHE-1", "", "checked in"]


def test_standings_export_has_the_deciding_and_all_other_tie_breaks() -> None:
    event, organizer = make_organized_event(4)
    play_first_round(event, organizer)
    head, *lines = read_export_rows(sign_in_organizer(event), event, "standings")
    assert head == [
        *["Place", "Name", "Points", "Matches", "Disqualified", "Wins", "Placement"],
        *["Share", "Points left", "Opponents", "Head to head", "Tie decided by"],
    ]
    expected = stage_results(event).rows()
    assert [(line[0], line[1], line[-1]) for line in lines] == [
        (str(row.rank), row.name, row.sentence) for row in expected
    ]


def test_disqualified_player_is_exported_with_a_flag_but_no_place() -> None:
    event, organizer = make_organized_event(4)
    play_first_round(event, organizer)
    leader = stage_results(event).rows()[0]
    who = event.registrations.get(pk=leader.player)
    rule(event, organizer, RulingRequest("disqualify", who), "Two phones.")
    desk = sign_in_organizer(event)
    head, *lines = read_export_rows(desk, event, "standings")
    flag = head.index("Disqualified")
    assert [(line[0], line[flag]) for line in lines] == [
        *[("1", ""), ("2", ""), ("3", "")],
        ("", "yes"),
    ]
    stored = json.loads(download_export(desk, event, "standings.json"))["rows"][-1]
    assert (stored["rank"], stored["name"], stored["disqualified"]) == (None, leader.name, True)
    out = io.BytesIO(download_export(desk, event, "standings.xlsx"))
    last = list(sure(openpyxl.load_workbook(out).active).iter_rows(values_only=True))[-1]
    assert (last[0], last[flag]) == (None, "yes")


def test_seating_export_has_only_published_rounds() -> None:
    event, organizer = make_organized_event(4)
    drafted = seat_round(first_stage(event), organizer)
    client = sign_in_organizer(event)
    assert len(read_export_rows(client, event, "seating")) == 1
    start_drafted_round(drafted, organizer)
    _head, *lines = read_export_rows(client, event, "seating")
    seats = [(str(seat.number + 1), str(seat)) for seat in drafted.tables.get().seats.all()]
    assert [(line[3], line[4]) for line in lines] == seats


def test_bracket_export_has_seeds_and_advancing_players() -> None:
    event, organizer = make_organized_event(8)
    client = sign_in_organizer(event)
    assert len(read_export_rows(client, event, "bracket")) == 1
    stage = make_second_stage(event, organizer, 4)
    start_drafted_round(draw_bracket(stage, organizer), organizer)
    head, *lines = read_export_rows(client, event, "bracket")
    assert head[5:7] == ["Seed", "Points"]
    assert sorted(line[5] for line in lines) == ["1", "2", "3", "4"]


def test_exported_log_is_chronological_with_before_and_after_values() -> None:
    event, organizer = make_organized_event(0)
    client = sign_in_organizer(event)
    head, first, *_rest = read_export_rows(client, event, "log")
    assert head == ["Time (UTC)", "Who", "Action", "What", "Reason", "Before and after"]
    assert first[1:3] == [str(organizer), "create"]


@pytest.mark.parametrize("which", ["seating", "results", "standings"])
def test_roll_numbers_are_exported_only_with_access_to_personal_data(which: str) -> None:
    event, organizer = make_organized_event(4)
    play_first_round(event, organizer)
    client = sign_in_organizer(event)
    rolls = set(event.registrations.values_list("roll_number", flat=True))
    assert "Roll number" not in read_export_rows(client, event, which)[0]
    request_export(client, event)
    head, *lines = read_export_rows(client, event, which)
    assert {line[head.index("Roll number")] for line in lines} == rolls


@pytest.mark.parametrize(
    ("which", "kind"),
    [
        *[(which, "json") for which in EXPORTS if which != "registrations"],
        ("standings", "xlsx"),
        ("standings", "pdf"),
    ],
)
def test_every_export_is_available_in_every_format(which: str, kind: str) -> None:
    event, organizer = make_organized_event(4)
    play_first_round(event, organizer)
    assert len(download_export(sign_in_organizer(event), event, f"{which}.{kind}")) > 60


@pytest.mark.parametrize("which", ["results.doc", "nothing.csv", "results", "records.csv"])
def test_unknown_export_is_not_found(which: str) -> None:
    event, _ = make_organized_event(0)
    address = reverse("admin:event-export", args=[event.pk, which])
    assert sign_in_organizer(event).get(address).status_code == 404


def test_formula_in_a_name_is_neutralized() -> None:
    event, _ = make_organized_event(0)
    register(event, make_user(), roll_number="=1+1", name="@SUM(A1)")
    client = sign_in_organizer(event)
    request_export(client, event)
    assert read_export_rows(client, event, "registrations")[1][1:3] == ["'@SUM(A1)", "'=1+1"]


def test_name_without_a_font_is_reported_but_exported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scripts, "DEBIAN_FONTS", Path("/nowhere"))
    event, _ = make_organized_event(0)
    event.title = "漢"
    event.save()
    client = sign_in_organizer(event)
    assert download_export(client, event, "log.pdf").startswith(b"%PDF")
    shown = client.get(page("exports", event)).content.decode()
    assert "No font on this site has all letters of “漢: Activity log”" in shown
    assert "Ask for “fonts-noto-cjk” to be installed on the server." in shown


def test_export_page_lists_every_file_and_has_personal_data_on_request() -> None:
    event, organizer = make_organized_event(0)
    make_organizer(event)
    client = Client()
    client.force_login(organizer)
    shown = client.get(page("exports", event)).content.decode()
    for which in EXPORTS:
        kinds = ["csv"] if which == "registrations" else FORMATS
        for kind in kinds:
            assert reverse("admin:event-export", args=[event.pk, f"{which}.{kind}"]) in shown
    assert shown.count("Request") == 2
    assert (
        "The files leave out roll numbers. To include them, request the registrations first."
        in shown
    )


def test_records_archive_has_every_hand_that_can_be_replayed(tmp_path: Path) -> None:
    """Compare the archive with the replays, and check each record in it."""
    event, organizer = make_organized_event(4, hand_limit=2, options=UNREACHABLE_TARGET)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    table = played.tables.get()
    games.play_out(match_of(table))
    client = sign_in_organizer(event)
    with zipfile.ZipFile(io.BytesIO(download_export(client, event, "records.zip"))) as archive:
        archive.extractall(tmp_path)
        names = archive.namelist()
    match = Match.objects.get(event_table=table)
    assert len(names) == 2
    for number, name in enumerate(names, 1):
        single = client.get(reverse("games:record", args=[match.public_id, number]))
        assert name.startswith("stage-1/round-1/table-1/")
        assert single["Content-Disposition"].endswith(f'"{name.rpartition("/")[2]}"')
        assert (tmp_path / name).read_bytes() == single.content
        assert json.loads(single.content)["seats"] == 4
    call_command("check_record", *(str(tmp_path / name) for name in names))


def test_large_export_is_streamed(monkeypatch: pytest.MonkeyPatch) -> None:
    event, _ = make_organized_event(0)
    monkeypatch.setattr("tournament.web.admin.exports.exports.MAX_MEMORY_BYTES", 10)
    address = reverse("admin:event-export", args=[event.pk, "log.csv"])
    answer = sign_in_organizer(event).get(address)
    assert answer.streaming
    assert answer["Content-Disposition"] == f'attachment; filename="{event.slug}-log.csv"'
    assert answer.getvalue().startswith(b"\xef\xbb\xbfTime (UTC),Who")


def test_unrevealed_hands_are_left_out_of_the_archive() -> None:
    event, organizer = make_organized_event(4, hand_limit=2, options=UNREACHABLE_TARGET)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    games.play_out(match_of(played.tables.get()), hands=1)
    with zipfile.ZipFile(
        io.BytesIO(download_export(sign_in_organizer(event), event, "records.zip"))
    ) as archive:
        assert archive.namelist() == []
