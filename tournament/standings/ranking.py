"""Who stands where, and what separated two players."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from games.rules.text import _
from tournament.standings.metrics import METRICS, TIE_BREAKERS, Metric
from tournament.standings.results import Adjustments, MatchResult, Results, Value


@dataclass(frozen=True)
class Row:
    """One line of the standings.

    `rank` is shared where nothing separates. `values` runs along the metrics asked for (None: not
    known or not needed). `separated_by` is the key of the metric that put this row below the one
    above, None for the first row and for a shared rank; `sentence` says it in words, and what
    counts beside the matches. `out`: disqualified, and at the end whatever the values.
    """

    rank: int
    player: int
    name: str
    values: tuple[Value, ...]
    played: int
    points: int
    separated_by: str | None
    sentence: str
    out: bool = False

    def value(self, order: Sequence[str], key: str) -> Value:
        """This row's value for one of the metrics in `order`."""
        return self.values[order.index(key)]


def standings(
    players: Mapping[int, str],
    matches: Iterable[MatchResult],
    order: Sequence[str] = ("points", *TIE_BREAKERS),
    *,
    lots_key: str = "",
    adjustments: Adjustments | None = None,
    out: Collection[int] = (),
) -> list[Row]:
    """Rank `players` (id -> name) by their finished `matches`; players without one come last.

    `order`: keys of METRICS, headline first. Lots separate only when there is a `lots_key`.
    `out` are disqualified: they stand behind everybody.
    """
    results = Results(matches, lots_key, adjustments)
    in_order = sorted(players, key=lambda p: (players[p].casefold(), p))
    everyone = tuple(p for p in in_order if p not in out)
    played = tuple(p for p in everyone if results.of(p))
    idle = tuple(p for p in everyone if not results.of(p))
    groups = [(ids, why) for ids, why in _split(results, played, tuple(order), None) if ids]
    if idle:
        groups.append((idle, "played" if played else None))
    groups += [((p,), "out") for p in in_order if p in out]
    return _rows(players, results, groups, order)


def _split(
    results: Results, tied: tuple[int, ...], order: tuple[str, ...], why: str | None
) -> list[tuple[tuple[int, ...], str | None]]:
    """Groups of equals, best first, each with the metric that put it below the group before."""
    if len(tied) < 2 or not order:
        return [(tied, why)]
    metric = METRICS[order[0]]
    values = {player: metric.value(results, player, tied) for player in tied}
    known = {player: value for player, value in values.items() if value is not None}
    results.compared.update({(player, metric.key): value for player, value in values.items()})
    if len(known) < len(tied):
        return _split(results, tied, order[1:], why)
    ranked = sorted(tied, key=lambda p: known[p], reverse=not metric.low)
    groups = []
    for number, (_value, ids) in enumerate(groupby(ranked, key=lambda p: known[p])):
        groups += _split(results, tuple(ids), order[1:], metric.key if number else why)
    return groups


def _rows(
    players: Mapping[int, str],
    results: Results,
    groups: list[tuple[tuple[int, ...], str | None]],
    order: Sequence[str],
) -> list[Row]:
    rows: list[Row] = []
    for ids, why in groups:
        rank = len(rows) + 1
        for number, player in enumerate(ids):
            row = Row(
                rank=rank,
                player=player,
                name=players[player],
                values=tuple(_shown(results, player, METRICS[key]) for key in order),
                played=len(results.of(player)),
                points=int(METRICS["points"].value(results, player, ()) or 0),
                separated_by=None if number else why,
                sentence="",
                out=why == "out",
            )
            above = rows[-1] if rows else None
            told = [_sentence(row, above, order), *_beside(results, player)]
            rows.append(replace(row, sentence=" ".join(filter(None, told))))
    return rows


def _beside(results: Results, player: int) -> list[str]:
    """What counts beside the matches."""
    return [each.sentence for each in results.adjustments.get(player, ())]


def _shown(results: Results, player: int, metric: Metric) -> Value:
    if metric.among_tied or (player, metric.key) in results.compared:
        return results.compared.get((player, metric.key))
    return metric.value(results, player, ())


def _sentence(row: Row, above: Row | None, order: Sequence[str]) -> str:
    if row.out:
        return _("Disqualified.")
    if not row.played:
        return _("Has not finished a match.")
    if above is None:
        return ""
    if row.separated_by is None:
        return _("Level with {name} in every criterion.").format(name=above.name)
    metric = METRICS[row.separated_by]
    mine, theirs = row.value(order, metric.key), above.value(order, metric.key)
    if metric.key == "lots":
        return _("Behind {name} by lots.").format(name=above.name)
    return _("Behind {name} by {criterion}: {mine} to {theirs}.").format(
        name=above.name, criterion=_(metric.phrase), mine=show(mine), theirs=show(theirs)
    )


def show(value: Value) -> str:
    """A metric's value for people: whole numbers plain, others with two decimals."""
    if value is None:
        return "–"
    return str(int(value)) if value == int(value) else f"{float(value):.2f}"
