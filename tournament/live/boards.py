"""The leaderboard as pages and sockets show it, and what sockets tell about an event."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypedDict

from django.template.loader import render_to_string

from tournament import queries
from tournament.live.rows import Shown, shown_rows
from tournament.models import Event, Round, Stage, TableSeat
from tournament.queries.outlook import with_chances
from tournament.queries.told import shown
from tournament.queries.watching import told_until, viewers_late

ROWS, STATE, FOOT = (
    f"tournament/includes/leaderboard_{part}.html" for part in ("rows", "state", "foot")
)

# What of a registration the pages of its event show.
KNOWN = ("pk", "state", "checked_in_at", "absent_at")


@dataclass(frozen=True)
class News:
    """Public facts alone: the leaderboard as it is shown, as HTML, and the event's shape.

    Pages about seats and registrations look again when the shape changes, not after every hand.
    `late`: viewers are told everything later, so that something has happened is no news yet.
    """

    board: Shown
    html: str
    shape: str
    late: bool = False


class BoardContext(TypedDict):
    """What the templates of a leaderboard need; `late` is in words."""

    event: Event
    board: queries.Leaderboard
    shown: Shown
    late: str


def board_context(event: Event, stage: Stage | None = None) -> BoardContext:
    board = with_chances(queries.leaderboard(event, stage), public=True)
    late = viewers_late(event)
    return {"event": event, "board": board, "shown": _shown(board, late), "late": late}


def _shown(board: queries.Leaderboard, late: str) -> Shown:
    played = any(row.matches for row in board.rows)
    known = {"event": board.event, "board": board, "late": late, "played": played}
    return Shown(
        state=render_to_string(STATE, known),
        rows=shown_rows(board),
        ranks=tuple(row.rank for row in board.rows),
        foot=render_to_string(FOOT, known),
        frame=board.event.title,
    )


def public_event(slug: str) -> tuple[int, str] | None:
    """Key and topic of the event at this address; None for an unknown one and for a draft."""
    event = Event.objects.filter(slug=slug).first()
    return (event.pk, event.topic) if event and event.public else None


def news(event_pk: int) -> News:
    event = Event.objects.get(pk=event_pk)
    context = board_context(event)
    html = render_to_string(ROWS, dict(context))
    return News(context["shown"], html, shape(event), late=bool(context["late"]))


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
