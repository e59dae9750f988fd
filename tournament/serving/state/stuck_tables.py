"""Stuck tables and their reasons, for the server's operator.

The operator may see the tables of every event.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from games import facts
from games.models import Match
from games.services import GOING
from tournament.common.moments import moment_text


class StuckTable(NamedTuple):
    """A table that is stuck, in an event or for practice.

    * `match`: the id of its match, as written in the log.
    * `name`: the event, round and table, or "Practice".
    * `why`: the reason, with a way to resume.
    """

    match: int
    name: str
    why: str


def find_stuck_tables(now: datetime) -> Iterator[StuckTable]:
    """Yield every event table and practice match that is stuck."""
    path = "event_table__round__stage__event"
    for match in Match.objects.filter(phase__in=GOING).select_related(path).order_by("pk"):
        table = getattr(match, "event_table", None)
        reason = _explain_stop(match, now) if table or not match.paused else ""
        if reason:
            name = f"{table.round.stage.event}, {table}" if table else "Practice"
            yield StuckTable(match.pk, name, reason)


def _explain_stop(match: Match, now: datetime) -> str:
    """Return why the match is stuck, or "" if it is not."""
    if facts.is_damaged(match):
        return "its deal is damaged in the database: redeal the hand on the table's page"
    if facts.is_deserted(match):
        return "no players are there: it continues once one of them is back"
    if match.paused_at is not None:
        return f"paused since {moment_text(match.paused_at)}: resume it in the control room"
    if facts.is_overdue(match, now):
        return f"it cannot continue: the log gives the reason under “Match {match.pk}”"
    return ""
