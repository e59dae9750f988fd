"""What there is to see of an event under way: who leads, and its tables, the best first."""

from dataclasses import dataclass

from games.queries import facts
from tournament.models import Event, Round
from tournament.queries.pages import table_view
from tournament.queries.results import TableResult, bounds_of, rules_of, table_result, tables_of
from tournament.queries.shapes import LeaderRow, SeatView, TableView
from tournament.queries.standings import leaderboard

LEADERS, TABLES = 3, 6


@dataclass(frozen=True)
class TableOnStage:
    """A table in play; `leader` is None before its first hand is over, and where several lead."""

    view: TableView
    final: bool
    last_hand: bool
    leader: SeatView | None


@dataclass(frozen=True)
class OnStage:
    """`leaders`: the first places; `more`: so many tables are in play besides these."""

    leaders: list[LeaderRow]
    tables: list[TableOnStage]
    more: int


def on_stage(event: Event) -> OnStage | None:
    """As far as viewers may know it; None while nothing is being played."""
    tables = _in_play(event)
    if not tables:
        return None
    rows = [row for row in leaderboard(event).rows if row.matches and not row.out]
    return OnStage(rows[:LEADERS], tables[:TABLES], max(0, len(tables) - TABLES))


def to_watch(event: Event, beside: str = "", step: int = 0) -> str:
    """Where the table is that has most to see, or the one so many steps on from the match
    `beside` (its public id), around all in play; "" while nothing is being played."""
    tables = [each.view for each in _in_play(event)]
    if not tables:
        return ""
    around = sorted(tables, key=lambda view: (view.table.round_id, view.number))
    here = [view.match is not None and view.match.public_id == beside for view in around]
    shown = around[(here.index(True) + step) % len(around)] if any(here) else tables[0]
    return shown.link


def _in_play(event: Event) -> list[TableOnStage]:
    """The tables in play that can be watched, the best first."""
    rounds = Round.objects.filter(stage__event=event, state=Round.State.RUNNING)
    tables = [table for each in rounds for table in _tables(event, each)]
    return sorted(tables, key=_liveliness, reverse=True)


def _tables(event: Event, played: Round) -> list[TableOnStage]:
    rules, last = rules_of(event), bounds_of(event).hands
    found = [table_result(table, rules, public=True) for table in tables_of(played)]
    views = [(each, table_view(each)) for each in found]
    return [
        TableOnStage(view, played.is_final, _over(each) + 1 == last, _leader(each, view))
        for each, view in views
        if view.state in ("playing", "paused")
    ]


def _over(found: TableResult) -> int:
    """How many hands of the table are over, on the site and before it came there."""
    hands = facts.hands_played(found.match) if found.match else []
    return len(found.table.carried) + len(hands)


def _leader(found: TableResult, view: TableView) -> SeatView | None:
    if not any(found.points):
        return None
    best = (min if found.low_wins else max)(found.points)
    leading = [number for number, points in enumerate(found.points) if points == best]
    first = [seat for seat in view.seats if seat.number in leading]
    return first[0] if len(leading) == 1 else None


def _liveliness(table: TableOnStage) -> tuple[bool, bool, int]:
    """A final before a last hand before whoever is farthest."""
    return table.final, table.last_hand, table.view.hand or 0
