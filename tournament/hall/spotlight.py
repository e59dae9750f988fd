"""Highlights of a running event: its leaders, and its most interesting tables first."""

from collections.abc import Sequence
from dataclasses import dataclass

from games import facts
from tournament.hall.queries import table_view
from tournament.hall.table_views import PublicTable, SeatView
from tournament.models import Event, Round
from tournament.results.queries import TableResult, bounds_of, results_in
from tournament.results.stages import StageResults, results_of_rounds
from tournament.rounds.live_tables import StageView
from tournament.stages.cut import BEGUN
from tournament.stages.line import line_of
from tournament.stages.places import places
from tournament.stages.winners import Leader, leaders

LEADERS, TABLES = 3, 6


@dataclass(frozen=True)
class TableOnStage:
    """Table in play.

    `leader` is None before the first hand is over, and if several players lead.
    """

    view: PublicTable
    final: bool
    last_hand: bool
    leader: SeatView | None


@dataclass(frozen=True)
class OnStage:
    """Highlights of a running event.

    `leaders` are the first places. `line` is a sentence on who would advance, and `spots` is
    the number of spots, if known. `more` counts the tables in play in addition to `tables`.
    `played_out` has the rounds (keys) whose tables are all finished.
    """

    leaders: list[Leader]
    line: str
    tables: list[TableOnStage]
    more: int
    played_out: frozenset[int]
    spots: int | None = None

    @property
    def in_play(self) -> int:
        """Number of tables to watch."""
        return len(self.tables) + self.more


def find_spotlight(event: Event, stages: Sequence[StageView]) -> OnStage | None:
    """Return the highlights, as far as viewers may see them.

    The result is None if no round is running and no one is about to advance.
    """
    rounds = [played for stage in stages for played in stage.rounds]
    if event.state != Event.State.RUNNING or not any(each.state in BEGUN for each in rounds):
        return None
    results = results_of_rounds(event, rounds, public=True, play=True)
    known = [each.stage for each in stages]
    line = None if event.freeze.revealing else line_of(results, stages=known)
    running = {each.pk for each in rounds if each.state == Round.State.RUNNING}
    if not running and line is None:
        return None
    tables, still = (
        _list_in_play(results.tables),
        {at.table.round_id for at in results.tables if at.open},
    )
    return OnStage(
        _list_leaders(results),
        line.sentence if line else "",
        tables[:TABLES],
        max(0, len(tables) - TABLES),
        frozenset(running - still),
        line.spots if line else None,
    )


def _list_leaders(results: StageResults) -> list[Leader]:
    """Return the leaders.

    The list is empty while places are being revealed, which begins with the last place. It is
    also empty if too many players are tied for first place.
    """
    if results.event.freeze.revealing:
        return []
    first = leaders(results, places(results, provisional=True))
    # Before the first hand of a final all of it share the first place.
    return first[:LEADERS] if len([each for each in first if each.place == 1]) <= LEADERS else []


def to_watch(event: Event, query: str = "", step: int = 0) -> str:
    """Return the link to the most interesting table, or "" while nothing is being played.

    With a match `query` (its public id), return the table `step` tables further on, cycling
    through all tables in play.
    """
    tables = [each.view for each in tables_on_stage(event)]
    if not tables:
        return ""
    around = sorted(tables, key=lambda view: (view.table.round_id, view.number))
    here = [view.match is not None and view.match.public_id == query for view in around]
    shown = around[(here.index(True) + step) % len(around)] if any(here) else tables[0]
    return shown.link


def tables_on_stage(event: Event) -> list[TableOnStage]:
    """Return the event's tables in play that can be watched, the most interesting first."""
    running = Round.objects.filter(stage__event=event, state=Round.State.RUNNING)
    return _list_in_play(results_in(list(running.select_related("stage__event")), public=True))


def _list_in_play(results: Sequence[TableResult]) -> list[TableOnStage]:
    """Return the tables in play that can be watched, the most interesting first."""
    running = [each for each in results if each.table.round.state == Round.State.RUNNING]
    views = [(each, table_view(each)) for each in running]
    tables = [_build_table(*both) for both in views if both[1].state.is_live]
    return sorted(tables, key=_rank_liveliness, reverse=True)


def _build_table(result: TableResult, view: PublicTable) -> TableOnStage:
    played = result.table.round
    last = _count_finished_hands(result) + 1 == bounds_of(played.stage.event).hands
    return TableOnStage(view, played.is_final, last, _find_leader(result, view))


def _count_finished_hands(result: TableResult) -> int:
    """Count the finished hands of the table, including those before it moved to the site."""
    hands = facts.hands_played(result.match) if result.match else []
    return len(result.table.carried) + len(hands)


def _find_leader(result: TableResult, view: PublicTable) -> SeatView | None:
    if not any(result.points):
        return None
    best = (min if result.low_wins else max)(result.points)
    leading = [number for number, points in enumerate(result.points) if points == best]
    first = [seat for seat in view.seats if seat.number in leading]
    return first[0] if len(leading) == 1 else None


def _rank_liveliness(table: TableOnStage) -> tuple[bool, bool, int]:
    """Return a sort key: finals first, then tables in their last hand, then by progress."""
    return table.final, table.last_hand, table.view.hand or 0
