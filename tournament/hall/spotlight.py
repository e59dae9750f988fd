"""Highlights of a running event: its leaders, and its most interesting tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from games import facts
from tournament.hall.queries import table_view
from tournament.hall.table_views import PublicTable, SeatView
from tournament.models import Event, Round
from tournament.results.queries import bounds_of, results_in
from tournament.results.stages import StageResults, results_of_rounds
from tournament.results.table_result import TableResult
from tournament.rounds.live_tables import StageView
from tournament.stages.cut import BEGUN
from tournament.stages.line import line_of
from tournament.stages.places import places
from tournament.stages.winners import Leader, leaders

LEADERS, TABLES = 3, 6


@dataclass(frozen=True)
class TableInPlay:
    """A table in play.

    * `final`: whether the table plays the final.
    * `last_hand`: whether the table plays its last hand.
    * `leader`: None before the end of the first hand, and if several players lead.
    """

    view: PublicTable
    final: bool
    last_hand: bool
    leader: SeatView | None


@dataclass(frozen=True)
class Spotlight:
    """Highlights of a running event.

    * `line`: a sentence about who would advance.
    * `spots`: the number of spots, if known.
    * `more`: the number of tables in play that are not in `tables`.
    * `played_out`: the ids of running rounds whose tables are all finished.
    """

    leaders: list[Leader]
    line: str
    tables: list[TableInPlay]
    more: int
    played_out: frozenset[int]
    spots: int | None = None

    @property
    def in_play(self) -> int:
        """The number of tables that can be watched."""
        return len(self.tables) + self.more


def find_spotlight(event: Event, stages: Sequence[StageView]) -> Spotlight | None:
    """Return the highlights that viewers may see.

    Returns None if no round is running and no one is about to advance.
    """
    rounds = [round_ for stage in stages for round_ in stage.rounds]
    if event.state != Event.State.RUNNING or not any(each.state in BEGUN for each in rounds):
        return None
    results = results_of_rounds(event, rounds, public=True, play=True)
    loaded_stages = [each.stage for each in stages]
    line = None if event.freeze.revealing else line_of(results, stages=loaded_stages)
    running = {each.pk for each in rounds if each.state == Round.State.RUNNING}
    if not running and line is None:
        return None
    tables, unfinished = (
        _select_watchable_tables(results.tables),
        {result.table.round_id for result in results.tables if result.open},
    )
    return Spotlight(
        _list_leaders(results),
        line.sentence if line else "",
        tables[:TABLES],
        max(0, len(tables) - TABLES),
        frozenset(running - unfinished),
        line.spots if line else None,
    )


def _list_leaders(results: StageResults) -> list[Leader]:
    """Return the leaders, or [] if too many players are tied for first place.

    The list is also empty while places are being revealed, from the last place up.
    """
    if results.event.freeze.revealing:
        return []
    leading = leaders(results, places(results, provisional=True))
    # All players of a final share first place until its first hand is over.
    return (
        leading[:LEADERS] if len([each for each in leading if each.place == 1]) <= LEADERS else []
    )


def find_table_link(event: Event, query: str = "", step: int = 0) -> str:
    """Return the link to the most interesting table, or "" if no table is in play.

    If `query` is a match's public id, return the link `step` tables further on, cycling through
    the tables in play.
    """
    tables = [each.view for each in list_tables_in_play(event)]
    if not tables:
        return ""
    in_order = sorted(tables, key=lambda view: (view.table.round_id, view.number))
    is_current = [view.match is not None and view.match.public_id == query for view in in_order]
    chosen = (
        in_order[(is_current.index(True) + step) % len(in_order)] if any(is_current) else tables[0]
    )
    return chosen.link


def list_tables_in_play(event: Event) -> list[TableInPlay]:
    """Return the tables in play that can be watched, most interesting first."""
    running = Round.objects.filter(stage__event=event, state=Round.State.RUNNING)
    return _select_watchable_tables(
        results_in(list(running.select_related("stage__event")), public=True)
    )


def _select_watchable_tables(results: Sequence[TableResult]) -> list[TableInPlay]:
    """Select the tables in play that can be watched from these results."""
    running = [each for each in results if each.table.round.state == Round.State.RUNNING]
    views = [(each, table_view(each)) for each in running]
    tables = [
        _build_table(*result_and_view)
        for result_and_view in views
        if result_and_view[1].state.is_live
    ]
    return sorted(tables, key=_interest_sort_key, reverse=True)


def _build_table(result: TableResult, view: PublicTable) -> TableInPlay:
    round_ = result.table.round
    is_last_hand = _count_finished_hands(result) + 1 == bounds_of(round_.stage.event).hands
    return TableInPlay(view, round_.is_final, is_last_hand, _find_leader(result, view))


def _count_finished_hands(result: TableResult) -> int:
    """Count the table's finished hands, including those before it moved to the site."""
    hands = facts.played_hands(result.match) if result.match else []
    return len(result.table.carried) + len(hands)


def _find_leader(result: TableResult, view: PublicTable) -> SeatView | None:
    if not any(result.points):
        return None
    best_points = (min if result.low_wins else max)(result.points)
    leading_seats = [number for number, points in enumerate(result.points) if points == best_points]
    leaders = [seat for seat in view.seats if seat.number in leading_seats]
    return leaders[0] if len(leading_seats) == 1 else None


def _interest_sort_key(table: TableInPlay) -> tuple[bool, bool, int]:
    """Return a sort key: finals, then tables in their last hand, then by number of hands."""
    return table.final, table.last_hand, table.view.hand or 0
