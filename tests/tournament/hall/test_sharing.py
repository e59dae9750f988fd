"""Tests of the previews of shared links to events, players and leaderboards."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.protocol.faces import face_of
from tournament.hall.directory import PersonView
from tournament.hall.sharing import (
    make_event_preview,
    make_leaderboard_preview,
    make_player_preview,
)
from tournament.models import Event, Registration
from tournament.pure.files.picture import Picture
from tournament.pure.ranking.order import RankingContext, StandingsRow
from tournament.pure.ranking.results import Adjustment, FinishedMatches
from tournament.stages.places import PlayerPlace
from tournament.stages.winners import Winner
from tournament.standings.rows import Leaderboard, LeaderRow

STARTS_AT = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)
ASHA, BEN = (Registration(name=name, user_id=number) for number, name in ((7, "Asha"), (8, "Ben")))


def make_shared_event(**fields: Any) -> Event:
    defaults = {"title": "Ocho Open", "state": Event.State.OPEN, "time_zone": "Asia/Kolkata"}
    return Event(**(defaults | fields))


STARTS_TEXT = "Sat 28 November 2026, 15:00 IST"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({}, "Registration open."),
        ({"place": "Hall 3"}, "Registration open. Hall 3."),
        ({"starts_at": STARTS_AT}, f"Registration open. {STARTS_TEXT}."),
        ({"starts_at": STARTS_AT, "place": "Hall 3"}, f"Registration open. {STARTS_TEXT}. Hall 3."),
        ({"state": Event.State.RUNNING}, "Under way."),
        ({"state": Event.State.FINISHED, "place": "Hall 3"}, "Finished. Hall 3."),
        ({"state": Event.State.DRAFT}, "Card tournament."),
    ],
)
def test_upcoming_event_preview_shows_time_and_venue(fields: dict[str, Any], text: str) -> None:
    found = make_event_preview(make_shared_event(**fields), None)
    first, *lines = text.removesuffix(".").split(". ")
    assert (found.title, found.text) == ("Ocho Open", text)
    assert found.picture == Picture(first, "Ocho Open", tuple(lines))


@pytest.mark.parametrize(
    ("opens", "closes", "state"),
    [
        (-1, 1, "Registration open"),
        (1, 2, "Card tournament"),
        (-2, -1, "Card tournament"),
        (None, -1, "Card tournament"),
        (-1, None, "Registration open"),
    ],
)
def test_closed_registration_is_not_described_as_open(
    opens: int | None, closes: int | None, state: str
) -> None:
    opening, closing = (
        None if hours is None else timezone.now() + timedelta(hours=hours)
        for hours in (opens, closes)
    )
    found = make_event_preview(
        make_shared_event(registration_opens=opening, registration_closes=closing), None
    )
    assert found.picture.above == state


@pytest.mark.parametrize(
    ("name", "shared", "points", "lines"),
    [
        ("Asha", [ASHA], 571, ("Asha won", "571 points")),
        ("Asha", [ASHA], 1, ("Asha won", "1 point")),
        ("Asha and Ben", [ASHA, BEN], 300, ("Asha and Ben share the win", "300 points")),
    ],
)
def test_finished_event_preview_names_the_winner(
    name: str, shared: list[Registration], points: int, lines: tuple[str, str]
) -> None:
    winner = Winner(ASHA, name, points, None, shared)
    found = make_event_preview(
        make_shared_event(state=Event.State.FINISHED, place="Hall 3"), winner
    )
    assert found.text == ". ".join(("Finished", *lines)) + "."
    assert found.picture.lines == lines


def make_leader_row(
    rank: int = 3,
    name: str = "Asha",
    *,
    matches: int = 2,
    out: bool = False,
    heading: str = "Points",
) -> LeaderRow:
    results = FinishedMatches([], "", {1: [Adjustment(0, "", matches=matches)]})
    ranked = RankingContext(("points",), results, str)
    line = StandingsRow(rank, 1, name, matches, 320, None, ranked, None, out)
    placed = PlayerPlace((0, rank), 320, str, place=rank, row=line, why_in_list=str)
    return LeaderRow(placed, ASHA, 1, heading, "320", [], False, False, False)


def test_player_preview_shows_place_and_points() -> None:
    found = make_player_preview(make_shared_event(), PersonView(ASHA, make_leader_row(), []))
    assert (found.title, found.text) == ("Asha · Ocho Open", "Ocho Open. 3rd place · 320 points.")
    assert (found.picture.above, found.picture.title) == ("Ocho Open", "Asha")
    assert found.picture.lines == ("3rd place · 320 points",)
    assert found.picture.letter == "A"
    assert found.picture.tone == face_of("Asha", 7)["tone"]


def test_leaderboard_preview_shows_the_top_three_with_ranking_points() -> None:
    rows = [make_leader_row(1), make_leader_row(2, "Ben")]
    unplayed = make_leader_row(3, "Cem", matches=0)
    board = Leaderboard(make_shared_event(), None, ["Points"], [*rows, unplayed], False, None)
    assert make_leaderboard_preview(board).picture.lines == (
        "1. Asha · 320 points",
        "2. Ben · 320 points",
    )
    heading = "Points, all rounds"
    others = [
        make_leader_row(1, heading=heading),
        make_leader_row(2, "Ben", heading=heading, out=True),
    ]
    found = make_leaderboard_preview(replace(board, rows=others))
    assert found.text == "Registration open. 1. Asha."
    assert (found.picture.above, found.picture.title) == ("Ocho Open", "Leaderboard")
    assert make_leaderboard_preview(replace(board, rows=rows * 2)).picture.lines[2:] == (
        "1. Asha · 320 points",
    )


def test_eliminated_or_unplaced_player_preview_shows_only_the_name() -> None:
    for row in (None, make_leader_row(out=True)):
        found = make_player_preview(make_shared_event(), PersonView(ASHA, row, []))
        assert (found.text, found.picture.lines) == ("Ocho Open.", ())


def test_avatar_depends_on_the_account_rather_than_the_name() -> None:
    tones = {
        make_player_preview(
            make_shared_event(), PersonView(Registration(name=name, user_id=7), None, [])
        ).picture.tone
        for name in ("Asha", "Zoe")
    }
    assert len(tones) == 1


def test_avatar_uses_the_chosen_colour_and_symbol() -> None:
    player = Registration(name="Asha", user_id=7, look="plum owl")
    picture = make_player_preview(make_shared_event(), PersonView(player, None, [])).picture
    assert (picture.tone, picture.sign) == (11, "owl")
