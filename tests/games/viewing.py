"""Helpers that read a window's view of a match, now or at a chosen time."""

import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from games import queries, store
from games.models import Match
from games.tables.spectator_delay import shown_now, stream_of
from tests.games.helpers import act, seat_number
from tests.protocol import validate


def get_view(match: Match, seat: int | None = None, **changes: Any) -> dict[str, Any]:
    snapshot = store.load(match.pk)
    arguments: dict[str, Any] = {"people": {}, "now": timezone.now(), "controls": True} | changes
    known = queries.table_view(snapshot, seat_number(seat), **arguments)
    shown: dict[str, Any] = validate("TableView", known)
    return shown


def list_events(match: Match, seat: int | None, since: int) -> list[dict[str, Any]]:
    message = queries.list_events(store.load(match.pk), seat_number(seat), since)
    return [validate("Event", event) for event in message]


def strip_faces(text: str) -> str:
    """Return the JSON text without players' faces, which differ between any two matches."""
    return re.sub(r'"face": {[^{}]*}', '"face": {}', text)


START = timezone.now().replace(microsecond=0)


ONE_MINUTE_DELAY: dict[str, Any] = {"viewers": "delayed", "viewer_delay_seconds": 60}
Clock = Callable[[float], datetime]


Moves = list[tuple[float, int, dict[str, Any]]]


def seconds_after_start(seconds: float) -> datetime:
    return START + timedelta(seconds=seconds)


def read_window(
    match: Match, seconds: float, seat: int | None = None
) -> tuple[dict[str, Any], list[dict[str, Any]], int]:
    """Return the view, the events and the version that a window has `seconds` after the start."""
    live = store.load(match.pk)
    found = shown_now(live, stream_of(live.match, seat_number(seat)), seconds_after_start(seconds))
    view = queries.table_view(
        found.snapshot, seat_number(seat), {}, found.now, controls=True, stream=found.stream
    )
    events = queries.list_events(found.snapshot, seat_number(seat), 0)
    known: dict[str, Any] = validate("TableView", view)
    return known, [validate("Event", event) for event in events], found.snapshot.version


def render_viewer_json(match: Match, seconds: float) -> str:
    """Return the result of `read_window` for a viewer as JSON.

    Leaves out the facts about the viewer, and the clock, because past views have no clock.
    """
    view, events, version = read_window(match, seconds)
    for name in ("clock", "viewer"):
        view.pop(name)
    return json.dumps([view, events, version], sort_keys=True)


def play_moves(match: Match, clock: Clock, steps: Moves) -> None:
    """Carry out each move of the form (second, seat, action) at its second."""
    for second, seat, action in steps:
        act(match, seat, action, now=clock(second))
