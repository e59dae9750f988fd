"""Standings of an event or a stage, computed from the results of its tables."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db.models import Max
from django.utils.translation import gettext as _

from tournament.models import Event, Result, Stage
from tournament.pure import ranking as pure
from tournament.pure.ranking import exclude_bots
from tournament.pure.ranking.freeze import Freeze
from tournament.results.stages import StageResults, list_metric_keys, stage_results
from tournament.results.table_result import TableResult
from tournament.stages.places import PlayerPlace, is_decided_by_standings, places
from tournament.standings.rows import Leaderboard, LeaderRow

# Lots are non-negative integers below this limit.
LOTS = 16**12


def leaderboard(
    event: Event, stage: Stage | None = None, *, actual: bool = False, figures: bool = False
) -> Leaderboard:
    """Return the standings of `stage` or of the whole event.

    * `actual`: return the organizers' standings, which are current even during a freeze. The
      default is the public standings.
    * `figures`: add the values of all metrics and the time of the latest result. This doubles
      the computing time.
    """
    truth = bool(event.freeze) and (actual or event.freeze.revealing)
    board = _build_board(event, stage, public=not truth, figures=figures)
    return board if actual else _hide_unrevealed(board, event.freeze)


def _hide_unrevealed(board: Leaderboard, freeze: Freeze) -> Leaderboard:
    """Return the board without the places that have not been revealed."""
    best = freeze.shown_from
    if best is None:
        return board
    rows = [row for row in board.rows if row.rank >= best]
    hidden = {row.placed.player for row in board.rows if row.rank < best}
    # A reason may name a player who is still hidden. The reason of the first row always does.
    shown_rows = [
        _remove_reason(row) if row.rank == best or row.placed.behind & hidden else row
        for row in rows
    ]
    return replace(board, rows=shown_rows, hidden=len(hidden))


def _remove_reason(row: LeaderRow) -> LeaderRow:
    return replace(row, placed=replace(row.placed, why=str, why_in_list=str))


def _build_board(event: Event, stage: Stage | None, *, public: bool, figures: bool) -> Leaderboard:
    results = stage_results(stage or event, public=public)
    tables, people = results.tables, results.registrations
    placed = places(results, provisional=True)
    order = list_metric_keys(event)
    shown = list_known_metrics([each.row for each in placed]) if figures else []
    advanced = _find_advanced_players(results, placed)
    playing = _find_players_in_play(tables)
    wins = _count_wins(tables)
    ranks = Counter(each.place for each in placed)
    heading = _choose_heading(order[0], results, placed)
    hides = public and bool(event.freeze)
    return Leaderboard(
        event=event,
        stage=stage,
        columns=[_(pure.METRICS[order[n]].title) for n in shown],
        rows=[
            LeaderRow(
                each,
                people[each.player],
                wins[each.player],
                heading,
                format_metric(order[0], each.row.value(order[0])),
                [format_metric(order[n], each.row.values[n]) for n in shown] if shown else [],
                tied=ranks[each.place] > 1 and each.row.counts and not (hides and each.awaited),
                through=each.player in advanced,
                provisional=each.player in playing,
                unplaced=hides and each.awaited,
            )
            for each in placed
        ],
        provisional=bool(playing),
        updated_at=_find_update_time(results) if figures else None,
        results=results,
        standing=[each.row for each in placed],
        heading=heading,
        by_bracket=any(each.always_explained for each in placed),
    )


def _choose_heading(headline: str, results: StageResults, placed: Sequence[PlayerPlace]) -> str:
    """Return the title of the rows' figure.

    If the standings alone decide the places, this is the title of the first metric. Otherwise, the
    title says that the figure is for all rounds.
    """
    title = _(pure.METRICS[headline].title)
    if is_decided_by_standings(results):
        return title
    return _("{points} over all rounds").format(points=title)


def list_known_metrics(rows: Sequence[pure.StandingsRow]) -> list[int]:
    """Return the indices of the metrics that have a value in any of the rows."""
    columns = zip(*(row.values for row in rows), strict=True)
    return [n for n, values in enumerate(columns) if any(value is not None for value in values)]


def format_metric(key: str, value: pure.Value) -> str:
    """Format a metric for display.

    Lots are divided by the largest possible lot. This preserves their order.
    """
    if key == "lots" and value is not None:
        return f"{float(value) / LOTS:.4f}"
    return pure.format_value(value)


def _find_advanced_players(results: StageResults, placed: Sequence[PlayerPlace]) -> set[int]:
    """Return the players who have advanced.

    In a stage of rounds, these are the players of the next stage. In a bracket or a whole event,
    these are the players who are still in it. Returns an empty set once the event is over.
    """
    if results.event.state == Event.State.FINISHED:
        return set()
    stage = results.stage
    if stage is None or stage.format == Stage.Format.BRACKET:
        return {each.player for each in placed if each.still_in}
    later = [each for each in results.entered if each.stage == stage.number + 1]
    return {each.player for each in later if each.active}


def _find_players_in_play(results: Sequence[TableResult]) -> set[int]:
    """Return the players at tables whose result may still change."""
    return {player for each in results if each.open for player in each.people}


def _count_wins(results: Sequence[TableResult]) -> Counter[int]:
    winners = (
        each.players[number] for each in results if each.final for number in each.table_winners
    )
    return Counter(exclude_bots(winners))


def _find_update_time(results: StageResults) -> datetime | None:
    """Return the time at which a match last ended or points were last entered."""
    until, rounds = results.known_until, {each.table.round_id for each in results.tables}
    entered = Result.objects.filter(table__round__in=rounds)
    if until:
        entered = entered.filter(entered_at__lte=until)
    end_times = [
        ended_at for each in results.tables if each.match and (ended_at := each.match.ended_at)
    ]
    moments = [ended_at for ended_at in end_times if not until or ended_at <= until]
    latest = entered.aggregate(at=Max("entered_at"))["at"]
    return max([*moments, latest] if latest else moments, default=None)
