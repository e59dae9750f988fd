"""The leaderboard as pages and sockets show it, and what sockets tell about an event."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, TypedDict

from django.db.models import Case, QuerySet, TextField, Value, When
from django.db.models.functions import Concat
from django.template.loader import render_to_string

from tournament.events.spectator_texts import public_until, viewers_late
from tournament.models import Event, Round, Stage, TableSeat
from tournament.planning.qualification_odds import add_chances
from tournament.results.shapes import Leaderboard
from tournament.rounds.announcements import list_shown
from tournament.standings.queries import leaderboard
from tournament.web.live.rows import Shown, shown_rows

ROWS, STATE, LEGEND = (
    f"tournament/standings/leaderboard_{part}.html" for part in ("rows", "state", "legend")
)

# What of a registration the pages of its event show.
KNOWN = ("pk", "state", "checked_in_at", "absent_at")


@dataclass(frozen=True)
class News:
    """Public news of an event: the leaderboard as shown, as HTML, and the event's shape.

    Pages about seats and registrations reload when the shape changes, not after every hand.
    `late`: viewers see everything with a delay, so an action is not public news yet.
    """

    board: Shown
    html: str
    shape: str
    late: bool = False


class BoardContext(TypedDict):
    """Variables for the templates of a leaderboard; `late` is in words."""

    event: Event
    board: Leaderboard
    shown: Shown
    late: str


def board_context(event: Event, stage: Stage | None = None) -> BoardContext:
    board = add_chances(leaderboard(event, stage), public=True)
    late = viewers_late(event)
    return {"event": event, "board": board, "shown": _make_shown(board, late), "late": late}


def _make_shown(board: Leaderboard, late: str) -> Shown:
    played = any(row.matches for row in board.rows)
    known = {"event": board.event, "board": board, "late": late, "played": played}
    return Shown(
        state=render_to_string(STATE, known),
        rows=shown_rows(board),
        legend=render_to_string(LEGEND, known).strip(),
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
    """Return a hash of the event's public facts.

    It covers the state, registrations, rounds, seats, matches and desk messages.
    """
    people = _make_lines("person", event.registrations.all(), *KNOWN)
    rounds = _make_lines("round", Round.objects.filter(stage__event=event), "pk", "state")
    messages = _make_lines("message", list_shown(event.desk_messages.all()), "pk")
    lines = people.union(rounds, _select_seat_lines(event), messages, all=True).order_by()
    facts = [event.state, event.registration_state, event.freeze.to_json(), *sorted(lines)]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def _select_seat_lines(event: Event) -> QuerySet[Any, str]:
    seats = TableSeat.objects.filter(
        table__round__stage__event=event,
        table__round__state__in=(Round.State.PUBLISHED, Round.State.RUNNING),
    )
    ended = Case(When(table__match__ended_at__lte=public_until(event), then=Value("ended")))
    known = ("table_id", "number", "registration_id", "table__match__paused_at")
    return _make_lines("seat", seats, *known, ended)


def _make_lines(kind: str, rows: QuerySet[Any], *values: str | Case) -> QuerySet[Any, str]:
    """Return one line of text for each row, so that one query fetches all kinds."""
    spaced = [part for value in values for part in (Value(" "), value)]
    line = Concat(Value(kind), *spaced, output_field=TextField())
    return rows.order_by().values_list(line, flat=True)
