"""Order of the standings, and what separates neighbouring players."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import groupby

from games.rules.text import _, gettext_noop
from tournament.pure.ranking.metrics import METRICS, TIE_BREAKERS, Metric
from tournament.pure.ranking.results import Adjustments, FinishedMatches, MatchResult, Value


@dataclass(frozen=True)
class RankingContext:
    """Data shared by all rows of a table of standings: the requested metrics and their source.

    `said` looks up a text.
    """

    order: tuple[str, ...]
    results: FinishedMatches
    said: Callable[[str], str]


# Not frozen, as there are thousands: a frozen one takes five times as long to make.
@dataclass
class StandingsRow:
    """One line of the standings.

    Players whom nothing separates share a `rank`. `separated_by` is the key of the metric that
    put this row below the one `above`, None for the first row and for a shared rank. `out`:
    disqualified, and last whatever the values.
    """

    rank: int
    player: int
    name: str
    played: int
    points: int
    separated_by: str | None
    ranked: RankingContext = field(repr=False, compare=False)
    above: StandingsRow | None = field(repr=False, compare=False)
    out: bool = False

    @cached_property
    def sentence(self) -> str:
        """Sentence about what separated the row from the one above, with its adjustments."""
        return " ".join(filter(None, (_describe_row(self), self.adjustment_text)))

    @property
    def adjustment_text(self) -> str:
        """Sentences about adjustments to the results of the matches; "" if there are none."""
        adjustments = self.ranked.results.adjustments.get(self.player, ())
        return " ".join(each.sentence for each in adjustments if each.sentence)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Values of the requested metrics, in order; None if unknown or not needed."""
        return tuple(map(self.value, self.ranked.order))

    def value(self, key: str) -> Value:
        """Return the row's value for one of the metrics."""
        return _get_value(self.ranked.results, self.player, key)


def standings(
    players: Mapping[int, str],
    matches: Iterable[MatchResult],
    order: Sequence[str] = ("points", *TIE_BREAKERS),
    *,
    lots_key: str = "",
    adjustments: Adjustments | None = None,
    out: Collection[int] = (),
) -> list[StandingsRow]:
    """Rank `players` (id -> name) by their finished `matches`; players without one come last.

    `order`: keys of METRICS, headline first. Lots separate players only with a `lots_key`.
    Players in `out` are disqualified and rank behind everyone.
    """
    results = FinishedMatches(matches, lots_key, adjustments)
    everyone = [p for p in players if p not in out]
    played = tuple([p for p in everyone if results.count_played(p)])
    idle = tuple([p for p in everyone if not results.count_played(p)])
    groups = _split(results, played, _insert_missed(order, results), None) if played else []
    if idle:
        groups.append((idle, "played" if played else None))
    # Each text is looked up once for all rows.
    rows = _Rows(players, RankingContext(tuple(order), results, cache(_)))
    groups += [((p,), "out") for p in rows.sort_by_name(p for p in players if p in out)]
    return rows.rows_of(groups)


def _insert_missed(order: Sequence[str], results: FinishedMatches) -> tuple[str, ...]:
    """Insert missed rounds after the headline if any player has missed one.

    Otherwise, staying away could put a player ahead of others with the same headline.
    """
    keys = tuple(order)
    missed = any(map(results.count_missed, results.adjustments))
    return (*keys[:1], "missed", *keys[1:]) if missed else keys


def _split(
    results: FinishedMatches, tied: tuple[int, ...], order: tuple[str, ...], reason: str | None
) -> list[tuple[tuple[int, ...], str | None]]:
    """Split tied players into groups of equals, best first.

    Each group has the metric that put it below the previous one.
    """
    if len(tied) < 2:
        return [(tied, reason)]
    for number, key in enumerate(order, 1):
        values = _compare_tied(results, tied, METRICS[key])
        if values is not None:
            return _separate_tied(results, values, order[number:], METRICS[key], reason)
    return [(tied, reason)]


def _compare_tied(
    results: FinishedMatches, tied: tuple[int, ...], metric: Metric
) -> Mapping[int, int | Fraction] | None:
    """Return the values of this metric for the players in `tied`, or None if one is unknown."""
    if metric.quick:
        return {player: metric.quick(results, player) for player in tied}
    values = {player: metric.value(results, player, tied) for player in tied}
    results.compared[metric.key].update(values)
    known = {player: value for player, value in values.items() if value is not None}
    return known if len(known) == len(tied) else None


def _separate_tied(
    results: FinishedMatches,
    values: Mapping[int, int | Fraction],
    order: tuple[str, ...],
    metric: Metric,
    reason: str | None,
) -> list[tuple[tuple[int, ...], str | None]]:
    """Split players by their `values` of one metric, and equal ones by the rest of `order`."""
    ranked = sorted(values, key=values.__getitem__, reverse=not metric.low)
    groups: list[tuple[tuple[int, ...], str | None]] = []
    for _get_value, equals in groupby(ranked, key=values.__getitem__):
        ids, part = tuple(equals), metric.key if groups else reason
        groups += _split(results, ids, order, part)
    return groups


@dataclass(frozen=True)
class _Rows:
    """Builder of the rows for `players` (id -> name)."""

    players: Mapping[int, str]
    ranked: RankingContext

    def rows_of(self, groups: Iterable[tuple[tuple[int, ...], str | None]]) -> list[StandingsRow]:
        """Return the rows of the groups of equals, sorted by name within a group.

        Each group has the metric that put it below the previous one.
        """
        rows: list[StandingsRow] = []
        above, results = None, self.ranked.results
        for ids, why in groups:
            rank, part = len(rows) + 1, why
            for player in self.sort_by_name(ids) if len(ids) > 1 else ids:
                played, points = results.count_played(player), results.points(player)
                name, out = self.players[player], why == "out"
                above = StandingsRow(
                    rank, player, name, played, points, part, self.ranked, above, out
                )
                rows.append(above)
                part = None
        return rows

    def sort_by_name(self, ids: Iterable[int]) -> list[int]:
        return sorted(ids, key=lambda player: (self.players[player].casefold(), player))


def _get_value(results: FinishedMatches, player: int, key: str) -> Value:
    """Return the metric's value as it was compared, else the player's own value.

    Metrics that are meaningful only among tied players have no value of their own.
    """
    metric = METRICS[key]
    compared = results.compared[key]
    if metric.among_tied or player in compared:
        return compared.get(player)
    return metric.value(results, player, ())


def _describe_row(row: StandingsRow) -> str:
    above, said = row.above, row.ranked.said
    if row.out:
        return said(gettext_noop("Disqualified."))
    if not row.played:
        return said(gettext_noop("Hasn’t finished a match."))
    if above is None:
        return ""
    if row.separated_by is None:
        text = said(gettext_noop("Tied with {name} on every criterion."))
        return text.format(name=above.name)
    metric = METRICS[row.separated_by]
    if metric.key == "lots":
        return said(gettext_noop("Placed after {name} by drawing lots.")).format(name=above.name)
    return said(gettext_noop("Behind {name} on {criterion}: {mine} to {theirs}.")).format(
        name=above.name,
        criterion=said(metric.phrase),
        mine=show(row.value(metric.key)),
        theirs=show(above.value(metric.key)),
    )


def show(value: Value) -> str:
    """Format a metric's value: whole numbers plain, others with two decimals."""
    if value is None:
        return "–"
    return str(value) if value.denominator == 1 else f"{float(value):.2f}"
