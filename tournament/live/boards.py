"""The leaderboard as pages and sockets show it, and what sockets tell about an event."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypedDict

from django.template.loader import render_to_string

from tournament import queries
from tournament.models import Event, Round, Stage, TableSeat
from tournament.queries.outlook import with_chances
from tournament.queries.told import shown
from tournament.queries.watching import told_until, viewers_late

ROWS_TEMPLATE = "tournament/includes/leaderboard_rows.html"

# What of a registration the pages of its event show.
KNOWN = ("pk", "state", "checked_in_at", "absent_at")


@dataclass(frozen=True)
class News:
    """Public facts alone: the leaderboard as HTML and the event's shape.

    Pages about seats and registrations look again when the shape changes, not after every hand.
    `late`: viewers are told everything later, so that something has happened is no news yet.
    """

    html: str
    shape: str
    late: bool = False


class BoardContext(TypedDict):
    """What the template of the rows needs. `rows` have a note each, `late` is in words."""

    event: Event
    board: queries.Leaderboard
    rows: list[tuple[queries.LeaderRow, str]]
    played: bool
    late: str


def board_context(event: Event, stage: Stage | None = None) -> BoardContext:
    board = with_chances(queries.leaderboard(event, stage), public=True)
    played = any(row.matches for row in board.rows)
    return {
        "event": event,
        "board": board,
        "rows": _with_notes(board.rows),
        "played": played,
        "late": viewers_late(event),
    }


def _with_notes(rows: list[queries.LeaderRow]) -> list[tuple[queries.LeaderRow, str]]:
    """Each row with the sentence about its rank, unless points or a shared rank already say it."""
    above = [None, *rows]
    return [(row, _note(row, before)) for row, before in zip(rows, above, strict=False)]


def _note(row: queries.LeaderRow, above: queries.LeaderRow | None) -> str:
    if not row.matches:
        return row.separated_by
    parted = above is not None and above.points == row.points and above.rank != row.rank
    return row.separated_by if parted else ""


def public_event(slug: str) -> tuple[int, str] | None:
    """Key and topic of the event at this address; None for an unknown one and for a draft."""
    event = Event.objects.filter(slug=slug).first()
    return (event.pk, event.topic) if event and event.public else None


def news(event_pk: int) -> News:
    event = Event.objects.get(pk=event_pk)
    html = render_to_string(ROWS_TEMPLATE, board_context(event))
    return News(html=html, shape=shape(event), late=bool(viewers_late(event)))


def shape(event: Event) -> str:
    """A hash of the event's state, registrations, rounds, seats, matches and what the desk says."""
    facts = [
        (event.state, event.registration_state, event.freeze.to_json()),
        *event.registrations.order_by("pk").values_list(*KNOWN),
        *Round.objects.filter(stage__event=event).order_by("pk").values_list("pk", "state"),
        *_seats(event),
        *shown(event.desk_messages.order_by("pk")).values_list("pk"),
    ]
    return hashlib.sha256(json.dumps(facts, default=str).encode()).hexdigest()[:16]


def _seats(event: Event) -> Iterable[tuple[object, ...]]:
    seats = TableSeat.objects.filter(
        table__round__stage__event=event,
        table__round__state__in=(Round.State.PUBLISHED, Round.State.RUNNING),
    )
    known = ("table_id", "number", "registration_id", "table__match__paused_at")
    rows = seats.order_by("pk").values_list(*known, "table__match__ended_at")
    until = told_until(event)
    return [(*row, ended_at is not None and ended_at <= until) for *row, ended_at in rows]
