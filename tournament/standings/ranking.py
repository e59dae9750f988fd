"""Who stands where, and what separated two players."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import groupby

from games.rules.text import _, gettext_noop
from tournament.standings.metrics import METRICS, TIE_BREAKERS
from tournament.standings.results import Adjustments, MatchResult, Results, Value


@dataclass(frozen=True)
class Row:
    """One line of the standings.

    `rank` is shared where nothing separates. `separated_by` is the key of the metric that put this
    row below the one `above`, None for the first row and for a shared rank. `out`: disqualified,
    and at the end whatever the values. `said` looks up a text.
    """

    rank: int
    player: int
    name: str
    played: int
    points: int
    separated_by: str | None
    order: tuple[str, ...] = field(repr=False)
    results: Results = field(repr=False, compare=False)
    above: Row | None = field(repr=False, compare=False)
    said: Callable[[str], str] = field(repr=False, compare=False)
    out: bool = False

    @cached_property
    def sentence(self) -> str:
        """What separated it from the row above, and what counts beside the matches."""
        told = [_sentence(self), *_beside(self.results, self.player)]
        return " ".join(filter(None, told))

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """Along the metrics asked for; None: not known or not needed."""
        return tuple(map(self.value, self.order))

    def value(self, key: str) -> Value:
        """This row's value for one of the metrics."""
        return _value(self.results, self.player, key)


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
    return _rows(players, results, groups, tuple(order))


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
    order: tuple[str, ...],
) -> list[Row]:
    rows: list[Row] = []
    said = cache(_)  # each text is looked up once for all rows
    for ids, why in groups:
        rank = len(rows) + 1
        for number, player in enumerate(ids):
            row = Row(
                rank=rank,
                player=player,
                name=players[player],
                played=len(results.of(player)),
                points=int(_value(results, player, "points") or 0),
                separated_by=None if number else why,
                order=order,
                results=results,
                above=rows[-1] if rows else None,
                said=said,
                out=why == "out",
            )
            rows.append(row)
    return rows


def _value(results: Results, player: int, key: str) -> Value:
    """As it was compared, else by itself; among equals alone there is nothing by itself."""
    metric = METRICS[key]
    if metric.among_tied or (player, key) in results.compared:
        return results.compared.get((player, key))
    return metric.value(results, player, ())


def _beside(results: Results, player: int) -> list[str]:
    """What counts beside the matches."""
    return [each.sentence for each in results.adjustments.get(player, ())]


def _sentence(row: Row) -> str:
    above = row.above
    if row.out:
        return row.said(gettext_noop("Disqualified."))
    if not row.played:
        return row.said(gettext_noop("Has not finished a match."))
    if above is None:
        return ""
    if row.separated_by is None:
        text = row.said(gettext_noop("Level with {name} in every criterion."))
        return text.format(name=above.name)
    metric = METRICS[row.separated_by]
    if metric.key == "lots":
        return row.said(gettext_noop("Behind {name} by lots.")).format(name=above.name)
    return row.said(gettext_noop("Behind {name} by {criterion}: {mine} to {theirs}.")).format(
        name=above.name,
        criterion=row.said(metric.phrase),
        mine=show(row.value(metric.key)),
        theirs=show(above.value(metric.key)),
    )


def show(value: Value) -> str:
    """A metric's value for people: whole numbers plain, others with two decimals."""
    if value is None:
        return "–"
    return str(int(value)) if value == int(value) else f"{float(value):.2f}"
