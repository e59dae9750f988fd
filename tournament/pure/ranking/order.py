"""The order of the standings, and the metrics that separate neighbouring players."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import groupby

from games.rules.text import _, gettext_noop
from tournament.pure.ranking.metrics import METRICS, TIE_BREAKERS, Metric
from tournament.pure.ranking.results import Adjustments, FinishedMatches, MatchResult, Value

# Decimals of a displayed value: by default, and at most if more are needed to tell two values
# apart.
DECIMALS, MOST_DECIMALS = 2, 6


@dataclass(frozen=True)
class RankingContext:
    """Data shared by all rows of the standings.

    * `order`: the keys of the metrics, in order.
    * `results`: the matches from which the metrics are computed.
    * `translate`: a function that translates a text.
    """

    order: tuple[str, ...]
    results: FinishedMatches
    translate: Callable[[str], str]


# Not frozen: thousands are created, and a frozen instance takes five times as long to create.
@dataclass
class StandingsRow:
    """One row of the standings.

    * `rank`: the rank from 1. Players who remain tied share it.
    * `played`: the number of finished matches.
    * `separated_by`: the key of the metric that put this row below `above`, or None for the first
      row and for a shared rank.
    * `above`: the previous row.
    * `out`: whether the player is disqualified and therefore last.
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
        """Sentences about the metric that decided the rank and about the player's adjustments."""
        return " ".join(filter(None, (_describe_row(self), self.adjustment_text)))

    @property
    def adjustment_text(self) -> str:
        """Sentences about the player's adjustments, or "" without any."""
        adjustments = self.ranked.results.adjustments.get(self.player, ())
        return " ".join(each.sentence for each in adjustments if each.sentence)

    @property
    def counts(self) -> bool:
        """True if the player has finished a match or had a bye that counts as one."""
        return self.ranked.results.count_credited(self.player) > 0

    @property
    def byes(self) -> int:
        """The number of the player's byes."""
        return self.ranked.results.count_byes(self.player)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """The values of the metrics, in order. None if a value is unknown or was not needed."""
        return tuple(map(self.value, self.ranked.order))

    def value(self, key: str) -> Value:
        """Return the value of one metric."""
        return _get_value(self.ranked.results, self.player, key)


def rank_players(
    players: Mapping[int, str],
    matches: Iterable[MatchResult],
    order: Sequence[str] = ("points", *TIE_BREAKERS),
    *,
    lots_key: str = "",
    adjustments: Adjustments | None = None,
    disqualified: Collection[int] = (),
) -> list[StandingsRow]:
    """Rank players by their finished matches.

    Players without a match rank behind all others, unless an adjustment counts as a match.
    Disqualified players come last.

    * `players`: names by id.
    * `order`: the keys of the metrics, in order.
    * `lots_key`: the key for drawing lots, or "" if no lots are drawn.
    """
    results = FinishedMatches(matches, lots_key, adjustments)
    everyone = [player for player in players if player not in disqualified]
    played = tuple([player for player in everyone if results.count_credited(player)])
    idle = tuple([player for player in everyone if not results.count_credited(player)])
    groups = _split_tied(results, played, _insert_missed(order, results), None) if played else []
    if idle:
        groups.append((idle, "played" if played else None))
    # Translations are cached, because all rows use the same texts.
    builder = _RowBuilder(players, RankingContext(tuple(order), results, cache(_)))
    groups += [
        ((player,), "out")
        for player in builder.sort_by_name(player for player in players if player in disqualified)
    ]
    return builder.build_rows(groups)


def _insert_missed(order: Sequence[str], results: FinishedMatches) -> tuple[str, ...]:
    """Insert the metric "missed" after the headline metric if any player missed a round.

    Otherwise, missing a round could help a player who is tied on the headline metric.
    """
    keys = tuple(order)
    missed = any(map(results.count_missed, results.adjustments))
    return (*keys[:1], "missed", *keys[1:]) if missed else keys


def _split_tied(
    results: FinishedMatches, tied: tuple[int, ...], order: tuple[str, ...], reason: str | None
) -> list[tuple[tuple[int, ...], str | None]]:
    """Split tied players into groups that remain tied, best first.

    Returns pairs of a group and the metric that put it below the previous one. For the first
    group, this is `reason`.
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
    """Return the metric's values by player, or None if the value of a player is unknown."""
    if metric.quick:
        return {player: metric.quick(results, player) for player in tied}
    values = {player: metric.value(results, player, tied) for player in tied}
    results.compared[metric.key].update(values)
    complete = {player: value for player, value in values.items() if value is not None}
    return complete if len(complete) == len(tied) else None


def _separate_tied(
    results: FinishedMatches,
    values: Mapping[int, int | Fraction],
    order: tuple[str, ...],
    metric: Metric,
    reason: str | None,
) -> list[tuple[tuple[int, ...], str | None]]:
    """Split tied players by their values of one metric.

    Players with equal values are split further by the metrics in `order`.
    """
    ranked = sorted(values, key=values.__getitem__, reverse=not metric.low)
    groups: list[tuple[tuple[int, ...], str | None]] = []
    for _value, equals in groupby(ranked, key=values.__getitem__):
        ids, group_reason = tuple(equals), metric.key if groups else reason
        groups += _split_tied(results, ids, order, group_reason)
    return groups


@dataclass(frozen=True)
class _RowBuilder:
    """A builder of standings rows. `players` maps ids to names."""

    players: Mapping[int, str]
    ranked: RankingContext

    def build_rows(
        self, groups: Iterable[tuple[tuple[int, ...], str | None]]
    ) -> list[StandingsRow]:
        """Return the rows for groups of tied players, sorted by name within each group.

        `groups` has pairs of a group and the metric that put it below the previous one.
        """
        rows: list[StandingsRow] = []
        above, results = None, self.ranked.results
        for ids, reason in groups:
            rank, row_reason = len(rows) + 1, reason
            for player in self.sort_by_name(ids) if len(ids) > 1 else ids:
                played, points = results.count_played(player), results.points(player)
                name, out = self.players[player], reason == "out"
                above = StandingsRow(
                    rank, player, name, played, points, row_reason, self.ranked, above, out
                )
                rows.append(above)
                row_reason = None
        return rows

    def sort_by_name(self, ids: Iterable[int]) -> list[int]:
        return sorted(ids, key=lambda player: (self.players[player].casefold(), player))


def _get_value(results: FinishedMatches, player: int, key: str) -> Value:
    """Return the value that was compared with tied players, or else compute the value.

    Metrics that apply only to tied players have no value without such a comparison.
    """
    metric = METRICS[key]
    compared = results.compared[key]
    if metric.among_tied or player in compared:
        return compared.get(player)
    return metric.value(results, player, ())


def _describe_row(row: StandingsRow) -> str:
    above, translate = row.above, row.ranked.translate
    if row.out:
        return translate(gettext_noop("Disqualified."))
    if not row.counts:
        return translate(gettext_noop("Hasn’t finished a match."))
    if above is None:
        return ""
    if row.separated_by is None:
        text = translate(gettext_noop("Tied with {name} on every criterion."))
        return text.format(name=above.name)
    metric = METRICS[row.separated_by]
    mine, theirs = format_pair(row.value(metric.key), above.value(metric.key))
    if metric.key == "lots":
        return translate(gettext_noop("Placed after {name} by drawing lots.")).format(
            name=above.name
        )
    return translate(gettext_noop("Behind {name} on {criterion}: {mine} to {theirs}.")).format(
        name=above.name,
        criterion=translate(metric.phrase),
        mine=mine,
        theirs=theirs,
    )


def format_value(value: Value, decimals: int = DECIMALS) -> str:
    """Format the value of a metric. Whole numbers have no decimals, and None is a dash."""
    if value is None:
        return "–"
    return str(value) if value.denominator == 1 else f"{float(value):.{decimals}f}"


def format_pair(mine: Value, theirs: Value) -> tuple[str, str]:
    """Format two values. If they differ, show enough decimals to tell them apart."""
    if mine is None or theirs is None or mine == theirs:
        return format_value(mine), format_value(theirs)
    for decimals in range(DECIMALS, MOST_DECIMALS + 1):
        shown = format_value(mine, decimals), format_value(theirs, decimals)
        if float(shown[0]) != float(shown[1]):
            break
    return shown
