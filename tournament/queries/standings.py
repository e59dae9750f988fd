"""Standings of an event or a stage, from the results of its tables."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from itertools import chain

from django.db.models import Max
from django.utils.translation import gettext as _

from tournament import standings as pure
from tournament.freezing import NOT_FROZEN, Freeze
from tournament.models import Event, Qualifier, Result, Stage
from tournament.queries.outcomes import Outcome
from tournament.queries.shapes import Leaderboard, LeaderRow
from tournament.queries.stage_results import Tally, order_of, tally

# Lots are whole numbers below this.
LOTS = 16**12


def leaderboard(
    event: Event, stage: Stage | None = None, *, behind: bool = False, figures: bool = False
) -> Leaderboard:
    """The standings of `stage`, without one those of the whole event, as far as viewers know.

    `behind`: as they are while the public ones stand still, for organizers. `figures`: with the
    values of all criteria, which take as long to reckon as all the rest, and of when it all is.
    """
    truth = bool(event.freeze) and (behind or event.freeze.revealing)
    board = _board(event, stage, public=not truth, figures=figures)
    return board if behind else _revealed(board, event.freeze)


def _revealed(board: Leaderboard, freeze: Freeze) -> Leaderboard:
    """Without the places that are still to be revealed."""
    best = freeze.shown_from
    if best is None:
        return board
    rows = [row for row in board.rows if row.rank >= best]
    # What parted the first of them from somebody who is not shown would tell of that one.
    first = [replace(row, why=str) if row.rank == best else row for row in rows]
    return replace(board, rows=first, hidden=len(board.rows) - len(rows))


def _board(event: Event, stage: Stage | None, *, public: bool, figures: bool) -> Leaderboard:
    counts = tally(stage or event, public=public)
    found, people = counts.outcomes, counts.registrations
    rows = counts.rows(provisional=True)
    order = order_of(event)
    shown = known(rows) if figures else []
    through = _through(event, stage, public=public)
    playing = _still_playing(found)
    wins = _wins(found)
    ranks = Counter(row.rank for row in rows)
    return Leaderboard(
        event=event,
        stage=stage,
        columns=[_(pure.METRICS[order[n]].title) for n in shown],
        rows=[
            LeaderRow(
                row.rank,
                people[row.player],
                row.name,
                row.points,
                row.played,
                wins[row.player],
                [figure(order[n], row.values[n]) for n in shown] if shown else [],
                partial(getattr, row, "sentence"),
                ranks[row.rank] > 1 and row.played > 0,
                row.player in through,
                row.player in playing,
                row.out,
            )
            for row in rows
        ],
        provisional=bool(playing),
        updated_at=_updated_at(counts, event.freeze if public else NOT_FROZEN) if figures else None,
    )


def known(rows: Sequence[pure.Row]) -> list[int]:
    """Which of the criteria, by their places in the order, have a value in any of the rows."""
    of_each = zip(*(row.values for row in rows), strict=True)
    return [n for n, values in enumerate(of_each) if any(value is not None for value in values)]


def figure(key: str, value: pure.Value) -> str:
    """A metric as shown; a lot as a fraction of the highest there is, in the same order."""
    if key == "lots" and value is not None:
        return f"{float(value) / LOTS:.4f}"
    return pure.show(value)


def _through(event: Event, stage: Stage | None, *, public: bool) -> set[int]:
    """Who plays in the stage after this one (of the whole event: in any later stage).

    Nobody goes through before the stage is closed.
    """
    stages = [each for each in event.stages.all() if stage is None or each.pk == stage.pk]
    if not any(each.state == Stage.State.CLOSED for each in stages):
        return set()
    later = Qualifier.objects.filter(stage__event=event, active=True)
    if stage:
        later = later.filter(stage__number=stage.number + 1)
    if public and event.freeze:
        later = later.filter(pk__in=event.freeze.qualifiers)
    return set(later.values_list("registration_id", flat=True))


def _still_playing(found: Sequence[Outcome]) -> set[int]:
    """Who sits at a table whose result may still change, whether or not a hand is over there."""
    return {player for each in found if each.open for player in each.players}


def _wins(found: Sequence[Outcome]) -> Counter[int]:
    counts = (each.counts for each in found if each.final)
    return Counter(chain.from_iterable(match.winners for match in counts if match))


def _updated_at(counts: Tally, freeze: Freeze) -> datetime | None:
    """When a match ended or points were entered last."""
    rounds = {each.played.pk for each in counts.outcomes}
    entered = Result.objects.filter(table__round__in=rounds)
    if freeze.at:
        entered = entered.filter(entered_at__lte=freeze.at)
    ended = [at for each in counts.outcomes if (at := each.ended_at)]
    moments = [at for at in ended if not freeze.at or at <= freeze.at]
    latest = entered.aggregate(at=Max("entered_at"))["at"]
    return max([*moments, latest] if latest else moments, default=None)
