"""Costs of a seating under each rule, in strict order.

A player's index is a position in the sorted list of ids. A table's index is its number minus one,
so a removed table leaves a gap. All costs are whole numbers. The same input therefore gives the
same seating on every machine.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from games.rules.text import _, gettext_noop, ngettext

Tables = tuple[tuple[int, ...], ...]
Matrix = list[list[int]]

# In strict order: a rule never outweighs an earlier one.
RULES: dict[str, str] = {
    "hard": gettext_noop("Essential rules: forbidden pairs, fixed tables, a seat for everyone"),
    "again": gettext_noop("Opponents from the previous round"),
    "repeats": gettext_noop("Earlier meetings between players at the same table (each counts)"),
    "odd": gettext_noop("A second odd-sized table, or a second bye, for the same player"),
    "points": gettext_noop("Points outside the table’s range"),
    "groups": gettext_noop("Pairs from the same class or group at one table"),
    "seats": gettext_noop("First seat, last seat or the same seat again"),
}


class SeatingError(ValueError):
    """Raised if the rules allow no seating of the players. The message suggests a remedy."""


@dataclass(frozen=True)
class SeatingPlayer:
    """A player to be seated.

    * `points`: used only if players are seated by points.
    * `group`: the class or department. Used only if groups are kept apart.
    """

    id: int
    name: str = ""
    points: int = 0
    group: str = ""


@dataclass(frozen=True)
class PastRound:
    """The seating of an earlier round.

    * `tables`: the ids at each table, in seat order.
    * `byes`: the players with a bye.
    * `title`: the round's name, or "" if it has only a number. It does not affect the draw.
    """

    tables: Tables
    byes: tuple[int, ...] = ()
    title: str = ""


@dataclass(frozen=True)
class SeatingRules:
    """The organizer's requirements for a seating.

    * `table_size`: the target size.
    * `minimum`, `maximum`: the smallest and largest table that the rule set allows.
    * `apart`: pairs of players who must not share a table.
    * `fixed`: pairs of a player and the number, from 1, of the table that the player needs.
    * `by_points`: whether to seat players with similar points together.
    * `groups_apart`: whether to seat players of the same group at different tables.
    * `rounds_to_come`: the number of later rounds in which players should meet new opponents.
    * `partners`: whether players who sit opposite each other at a table of four are partners. No
      two players should be partners twice.
    """

    table_size: int = 4
    minimum: int = 2
    maximum: int = 10
    apart: tuple[tuple[int, int], ...] = ()
    fixed: tuple[tuple[int, int], ...] = ()
    by_points: bool = False
    groups_apart: bool = False
    rounds_to_come: int = 0
    partners: bool = False


@dataclass(frozen=True)
class SeatingProblem:
    """The input of a draw, except for its key.

    `absent` lists players of earlier rounds who will not be seated. Their names are used in
    sentences.
    """

    players: tuple[SeatingPlayer, ...]
    history: tuple[PastRound, ...] = ()
    rules: SeatingRules = field(default_factory=SeatingRules)
    absent: tuple[SeatingPlayer, ...] = ()

    @cached_property
    def ids(self) -> tuple[int, ...]:
        """The players' ids in ascending order. An index is a position in this tuple."""
        ids = tuple(sorted(player.id for player in self.players))
        if len(set(ids)) < len(ids):
            raise SeatingError(_("A player is listed twice for seating."))
        return ids

    @cached_property
    def by_id(self) -> dict[int, SeatingPlayer]:
        return {player.id: player for player in self.players}

    def name(self, player: int) -> str:
        """Return a player's name, or a number if the name is unknown."""
        known_player = next(
            (each for each in (*self.players, *self.absent) if each.id == player), None
        )
        return (known_player.name if known_player else "") or _("player {number}").format(
            number=player
        )

    def text(self) -> str:
        """Return the input as JSON, without names and regardless of the order of `players`.

        Groups are given by number. Partners are included only if the rules use them, so that
        digests made before this option existed remain valid.
        """
        rules, groups = self.rules, self._group_numbers
        people = sorted(self.players, key=lambda player: player.id)
        data = [
            [
                [player.id, player.points, groups[player.group.strip().casefold()]]
                for player in people
            ],
            [[past.tables, past.byes] for past in self.history],
            [rules.table_size, rules.minimum, rules.maximum, rules.rounds_to_come],
            [rules.by_points, rules.groups_apart],
            [sorted(sorted(pair) for pair in rules.apart), sorted(rules.fixed)],
            *(["partners"] if rules.partners else []),
        ]
        return json.dumps(data, separators=(",", ":"))

    @property
    def _group_numbers(self) -> dict[str, str]:
        """The number of each group, by name.

        Numbers are published instead of names, so that they do not reveal a player's group.
        """
        named = {player.group.strip().casefold() for player in self.players} - {""}
        return {"": ""} | {name: str(number) for number, name in enumerate(sorted(named), 1)}

    def digest(self) -> str:
        """Return the SHA-256 of the input in hexadecimal."""
        return hashlib.sha256(self.text().encode()).hexdigest()


def table_sizes(count: int, rules: SeatingRules) -> tuple[tuple[int, ...], int]:
    """Choose the table sizes for a number of players.

    Returns the sizes, largest first, and the number of byes. Sizes differ by at most one and are
    as close to the target size as possible. Tables of fewer than three are used only if the target
    size is that small or no other sizes fit. There are byes only if no sizes fit all players.
    Raises SeatingError if the players cannot fill even one table.
    """
    low, high = max(rules.minimum, 1), rules.maximum
    if low > high:
        text = _("A table can’t have a minimum of {least} and a maximum of {most} players.")
        raise SeatingError(text.format(least=low, most=high))
    for seated in range(count, low - 1, -1):
        choices = [
            _split_evenly(seated, tables) for tables in range(-(-seated // high), seated // low + 1)
        ]
        fitting = [sizes for sizes in choices if sizes[-1] >= low and sizes[0] <= high]
        if fitting:
            return min(fitting, key=lambda sizes: _compute_misfit(sizes, rules)), count - seated
    text = ngettext(
        "A table needs at least {least} player; there are {count}.",
        "A table needs at least {least} players; there are {count}.",
        low,
    )
    raise SeatingError(text.format(least=low, count=count))


def _split_evenly(count: int, tables: int) -> tuple[int, ...]:
    base, larger = divmod(count, tables)
    return (base + 1,) * larger + (base,) * (tables - larger)


def _compute_misfit(sizes: tuple[int, ...], rules: SeatingRules) -> tuple[int, int, int]:
    small_tables = sum(size < min(3, rules.table_size) for size in sizes)
    return small_tables, sum(abs(size - rules.table_size) for size in sizes), -len(sizes)


def odd_sizes(sizes: Sequence[int], target: int) -> set[int]:
    """Return the sizes that differ from the target, or an empty set if all tables are equal."""
    distinct = set(sizes) - {0}
    return distinct - {target} if len(distinct) > 1 else set()


@dataclass(frozen=True)
class CostLevel:
    """The costs under one rule.

    * `key`: a key of RULES.
    * `pair`: `pair[i][j]` is the cost of seating players i and j together.
    * `place`: `place[i][t]` is the cost of seating player i at table t.
    * `tables`: the number of tables. A higher table index means a bye, where players do not meet.
    """

    key: str
    pair: Matrix
    place: Matrix
    tables: int

    def total(self, tables: Sequence[Sequence[int]]) -> int:
        """Return the rule's cost of a seating. `tables` lists the player indices at each table."""
        return sum(self.cost_of(t, members) for t, members in enumerate(tables))

    def cost_of(self, table: int, members: Sequence[int]) -> int:
        """Return the rule's cost of one table."""
        place_cost = sum(self.place[i][table] for i in members)
        if table >= self.tables:
            return place_cost
        return place_cost + sum(self.pair[i][j] for i, j in combinations(members, 2))

    def bound(self, size: int) -> int:
        """Return a number above any cost under this rule for tables of up to `size` players."""
        players = len(self.pair)
        highest_pair_cost = max((max(row, default=0) for row in self.pair), default=0)
        highest_place_costs = sum(max(row, default=0) for row in self.place)
        return 1 + highest_pair_cost * players * size + highest_place_costs


class Costs:
    """The costs of seating players at tables of certain sizes.

    The players with a bye form an additional last table.
    """

    def __init__(self, problem: SeatingProblem, sizes: Sequence[int], byes: int = 0) -> None:
        self.problem = problem
        self.sizes = list(sizes) + ([byes] if byes else [])
        self.tables = len(sizes)
        self.index = {player: i for i, player in enumerate(problem.ids)}

    @cached_property
    def levels(self) -> list[CostLevel]:
        """One level for each rule except "seats". That rule concerns the order within a table."""
        builders = (
            self._build_hard_level,
            self._build_again_level,
            self._build_repeats_level,
            self._build_odd_level,
            self._build_points_level,
            self._build_groups_level,
        )
        return [build_level() for build_level in builders]

    @cached_property
    def fixed(self) -> dict[int, int]:
        """The index of the required table, by index of the player."""
        return {
            self.index[player]: number - 1
            for player, number in self.problem.rules.fixed
            if player in self.index
        }

    def _make_empty_level(self, key: str) -> CostLevel:
        count = len(self.problem.ids)
        pair = [[0] * count for _ in range(count)]
        place = [[0] * len(self.sizes) for _ in range(count)]
        return CostLevel(key, pair, place, self.tables)

    def _add_pairs(self, level: CostLevel, members: Sequence[int]) -> None:
        indices = [self.index[player] for player in members if player in self.index]
        for i, j in combinations(indices, 2):
            level.pair[i][j] += 1
            level.pair[j][i] += 1

    def _build_hard_level(self) -> CostLevel:
        level = self._make_empty_level("hard")
        for pair in self.problem.rules.apart:
            self._add_pairs(level, pair)
        for i, fixed_table in self.fixed.items():
            level.place[i] = [int(t != fixed_table) for t in range(len(self.sizes))]
        return level

    def _build_again_level(self) -> CostLevel:
        level = self._make_empty_level("again")
        for past in self.problem.history[-1:]:
            for members in past.tables:
                self._add_pairs(level, members)
        return level

    def _build_repeats_level(self) -> CostLevel:
        """Return the cost of meeting again after any earlier round.

        Minimizing this cost also minimizes the sum of the squared numbers of meetings.
        """
        level = self._make_empty_level("repeats")
        for past in self.problem.history:
            for members in past.tables:
                self._add_pairs(level, members)
        return level

    def _build_odd_level(self) -> CostLevel:
        level = self._make_empty_level("odd")
        target = self.problem.rules.table_size
        odd = odd_sizes(self.sizes[: self.tables], target)
        for past in self.problem.history:
            odd_before = odd_sizes([len(members) for members in past.tables], target)
            affected = [
                player
                for members in past.tables
                if len(members) in odd_before
                for player in members
            ]
            for player in (*affected, *past.byes):
                if player in self.index:
                    row = level.place[self.index[player]]
                    for t, size in enumerate(self.sizes):
                        row[t] += int(t == self.tables or size in odd)
        return level

    def _build_points_level(self) -> CostLevel:
        level = self._make_empty_level("points")
        if self.problem.rules.by_points:
            for player, i in self.index.items():
                points = self.problem.by_id[player].points
                for t, (low, high) in enumerate(self.points_ranges):
                    level.place[i][t] = max(low - points, points - high, 0)
        return level

    @cached_property
    def points_ranges(self) -> list[tuple[int, int]]:
        """The range of points that each table would have if players were seated only by points."""
        points = sorted((player.points for player in self.problem.players), reverse=True)
        points_ranges = []
        for size in self.sizes[: self.tables]:
            members, points = points[:size], points[size:]
            points_ranges.append((members[-1], members[0]) if members else (0, 0))
        return points_ranges

    def _build_groups_level(self) -> CostLevel:
        level = self._make_empty_level("groups")
        if self.problem.rules.groups_apart:
            groups: dict[str, list[int]] = {}
            for player in self.problem.players:
                groups.setdefault(player.group.strip().casefold(), []).append(player.id)
            groups.pop("", None)
            for members in groups.values():
                self._add_pairs(level, members)
        return level


def seat_cost(player: int, seat: int, size: int, history: Sequence[PastRound]) -> int:
    """Return the cost of seating a player in the same seat as in an earlier round.

    Repeating a seat number costs one. Repeating the first or last seat costs ten more.
    """
    cost = 0
    for past in history:
        for members in past.tables:
            if player in members:
                earlier_seat = members.index(player)
                cost += 10 * (seat == earlier_seat == 0) + (seat == earlier_seat)
                cost += 10 * (seat == size - 1 and earlier_seat == len(members) - 1)
    return cost
