"""Who comes first among those who share a place at a table: by the event's tie-breakers.

They are asked about the table's own match; who is level there too stands as in the standings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from games.rules.text import _
from tournament.standings import METRICS, MatchResult, Row, show, standings

Names = Mapping[int, str]


@dataclass
class TableOrder:
    """`groups` of ids, best first, level where nothing separates them.

    `ahead`, `behind`: id -> by what it is better than the next, or worse than the one before, in a
    sentence; nothing where the place says it.
    """

    groups: list[list[int]] = field(default_factory=list)
    ahead: dict[int, str] = field(default_factory=dict)
    behind: dict[int, str] = field(default_factory=dict)


def table_order(
    result: MatchResult,
    names: Names,
    breakers: Sequence[str] = (),
    ranks: Mapping[int, int] | None = None,
) -> TableOrder:
    """The table's order of those in `names`; lots among the `breakers` are left out.

    `ranks`: id -> rank in the standings. Without tie-breakers nothing parts who shares a place.
    """
    keys = tuple(key for key in breakers if key != "lots")
    standing = ranks if ranks and keys else {}
    order = TableOrder()
    for place in result.order():
        level = {player: names[player] for player in place if player in names}
        for group in _by_match(order, result, level, keys):
            order.groups += _by_rank(order, group, names, standing)
    return order


def _by_match(
    order: TableOrder, result: MatchResult, level: Names, keys: Sequence[str]
) -> list[list[int]]:
    if not keys:
        return [list(level)]
    rows = standings(level, [result], keys)
    groups = [list(group) for _rank, group in groupby(rows, key=lambda row: row.rank)]
    for above, below in pairwise(groups):
        ahead, behind = _by_criterion(above[0], below[0])
        order.ahead.update({row.player: ahead for row in above})
        order.behind.update({row.player: behind for row in below})
    return [[row.player for row in group] for group in groups]


def _by_criterion(above: Row, below: Row) -> tuple[str, str]:
    key = str(below.separated_by)
    best, other = (show(row.value(key)) for row in (above, below))
    text = _("Ahead of {name} by {criterion}: {mine} to {theirs}.")
    ahead = text.format(name=below.name, criterion=_(METRICS[key].phrase), mine=best, theirs=other)
    return ahead, below.sentence


def _by_rank(
    order: TableOrder, group: Sequence[int], names: Names, ranks: Mapping[int, int]
) -> Iterator[list[int]]:
    ranked = sorted(group, key=lambda player: ranks.get(player, 0))
    parts = [list(ids) for _rank, ids in groupby(ranked, key=lambda player: ranks.get(player, 0))]
    for above, below in pairwise(parts):
        ahead = _("Ahead of {name} in the standings.").format(name=names[below[0]])
        behind = _("Behind {name} in the standings.").format(name=names[above[-1]])
        order.ahead.update(dict.fromkeys(above, ahead))
        order.behind.update(dict.fromkeys(below, behind))
    yield from parts
