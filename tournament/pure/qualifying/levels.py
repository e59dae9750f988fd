"""Places at a table. The event's tie-breaks separate players with equal points.

The tie-breaks are computed from the table's match alone. Players who remain tied are ordered as in
the standings. Cuts, brackets and the displayed results all use these places.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from tournament.pure.qualifying import sentences
from tournament.pure.ranking import (
    Bot,
    Holder,
    MatchResult,
    StandingsRow,
    exclude_bots,
    format_pair,
    rank_players,
)
from tournament.pure.sentences import Sentence

Names = Mapping[int, str]


@dataclass
class TableOrder:
    """The order of the players at a table.

    * `groups`: groups of tied players, best first.
    * `places`: the place of each holder of a seat, from 1. Tied players share the better place.
      Bots rank behind players with the same points.
    * `ahead`: for each player, a sentence about what decided a tie with the next player.
    * `behind`: for each player, a sentence about what decided a tie with the previous player.
    * `above`: for each player, the player named in `behind`.
    """

    groups: list[list[int]] = field(default_factory=list)
    places: dict[Holder, int] = field(default_factory=dict)
    ahead: dict[int, Sentence] = field(default_factory=dict)
    behind: dict[int, Sentence] = field(default_factory=dict)
    above: dict[int, int] = field(default_factory=dict)

    def explain(self, player: Holder) -> Sentence | None:
        """Return a sentence about what decided a tie on points, or None."""
        if isinstance(player, Bot):
            return None
        return self.behind.get(player) or self.ahead.get(player)

    def assign_place(self, holders: Sequence[Holder], place: int) -> int:
        """Assign these holders a shared place, and return the next free place."""
        self.places.update(dict.fromkeys(holders, place))
        return place + len(holders)


def table_order(
    result: MatchResult,
    names: Names,
    breakers: Sequence[str] = (),
    ranks: Mapping[int, int] | None = None,
) -> TableOrder:
    """Order the players of a table.

    * `names`: names by id. Other players get no place.
    * `breakers`: the keys of the tie-breaks. Lots are ignored. Without tie-breaks, players with
      equal points remain tied.
    * `ranks`: the ranks in the standings by id, which separate players who remain tied.
    """
    keys = tuple(key for key in breakers if key != "lots")
    ranks_by_player = ranks if ranks and keys else {}
    order, next_place = TableOrder(), 1
    for place in result.order():
        tied = {player: names[player] for player in exclude_bots(place) if player in names}
        for group in _order_by_match(order, result, tied, keys):
            for group_part in _order_by_rank(order, group, names, ranks_by_player):
                order.groups.append(group_part)
                next_place = order.assign_place(group_part, next_place)
        bots = [holder for holder in place if isinstance(holder, Bot)]
        next_place = order.assign_place(bots, next_place)
    return order


def _order_by_match(
    order: TableOrder, result: MatchResult, tied: Names, keys: Sequence[str]
) -> list[list[int]]:
    if not keys:
        return [list(tied)]
    rows = rank_players(tied, [result], keys)
    groups = [list(group) for _rank, group in groupby(rows, key=lambda row: row.rank)]
    for above, below in pairwise(groups):
        ahead, behind = _describe_criterion(above[0], below[0])
        order.ahead.update({row.player: ahead for row in above})
        order.behind.update({row.player: behind for row in below})
        order.above.update({row.player: above[0].player for row in below})
    return [[row.player for row in group] for group in groups]


def _describe_criterion(above: StandingsRow, below: StandingsRow) -> tuple[Sentence, Sentence]:
    key = str(below.separated_by)
    value_above, value_below = format_pair(above.value(key), below.value(key))
    ahead = sentences.ahead_by(below.name, key, value_above, value_below)
    return ahead, sentences.behind_by(above.name, key, value_below, value_above)


def _order_by_rank(
    order: TableOrder, group: Sequence[int], names: Names, ranks: Mapping[int, int]
) -> Iterator[list[int]]:
    ranked = sorted(group, key=lambda player: ranks.get(player, 0))
    parts = [list(ids) for _rank, ids in groupby(ranked, key=lambda player: ranks.get(player, 0))]
    for above, below in pairwise(parts):
        ahead = sentences.ahead_in_standings(names[below[0]])
        behind = sentences.behind_in_standings(names[above[-1]])
        order.ahead.update(dict.fromkeys(above, ahead))
        order.behind.update(dict.fromkeys(below, behind))
        order.above.update(dict.fromkeys(below, above[-1]))
    yield from parts
