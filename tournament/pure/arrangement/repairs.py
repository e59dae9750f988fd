"""Repairs of a seating after late arrivals and no-shows, touching as few tables as possible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.rules.text import _, ngettext
from tournament.pure.arrangement.costs import Costs, SeatingProblem, Tables


@dataclass(frozen=True)
class Repair:
    """A proposed repair; no player moves before the organizer accepts it.

    `tables` keep their numbers; a table that was broken up is empty. `byes`: players who would
    sit out. `touched`: numbers of the tables whose players change. `sentences`: one for each
    change. `attendance`: True if players arrived or left; otherwise only table sizes break the
    rules.
    """

    tables: Tables
    byes: tuple[int, ...]
    touched: tuple[int, ...]
    sentences: tuple[str, ...]
    attendance: bool


def repair(problem: SeatingProblem, tables: Tables, *, byes: Sequence[int] = ()) -> Repair:
    """Repair the seating `tables` for the players of `problem`, who are present now.

    Absent players leave. New players take free seats, first those of players who left, or form a
    new table if there are enough of them. A table that becomes too small, or is too small for
    the rules, gets a player with a bye or from a larger table, or is broken up. Players without
    a seat have a bye. `byes`: ids of players who already sit out.
    """
    waiting = [player for player in byes if player in problem.by_id]
    desk = _Desk(problem, [list(table) for table in tables], waiting)
    desk.dismiss()
    desk.welcome()
    attendance = bool(desk.sentences)
    desk.mend()
    now = tuple(tuple(table) for table in desk.tables)
    before = (*tables, *[()] * (len(now) - len(tables)))
    touched = [n for n, (a, b) in enumerate(zip(before, now, strict=True), 1) if set(a) != set(b)]
    return Repair(now, tuple(desk.byes), tuple(touched), tuple(desk.sentences), attendance)


class _Desk:
    """A seating under repair."""

    def __init__(self, problem: SeatingProblem, tables: list[list[int]], byes: list[int]) -> None:
        self.problem = problem
        self.rules = problem.rules
        self.tables = tables
        self.byes = byes
        self.sentences: list[str] = []
        # Vacated chairs by table; each is opposite the remaining partner.
        self.left: dict[int, list[int]] = {}
        self.stuck: set[int] = set()
        self._costs: dict[tuple[int, ...], Costs] = {}

    @property
    def small(self) -> int:
        """Number of players below which no table should fall."""
        return max(self.rules.minimum, min(3, self.rules.table_size))

    def _find_minimum(self, t: int) -> int:
        # A table that the organizer made small by hand stays small, as long as it is playable.
        return self.small if t in self.left else self.rules.minimum

    def list_used(self) -> Iterator[int]:
        """Yield the positions of the tables that have players."""
        return (t for t, table in enumerate(self.tables) if table)

    def dismiss(self) -> None:
        """Remove absent players from their tables."""
        for t in list(self.list_used()):
            gone = [n for n, p in enumerate(self.tables[t]) if p not in self.problem.by_id]
            if gone:
                self.left[t] = gone
            for player in [self.tables[t][n] for n in gone]:
                self.tables[t].remove(player)
                self._say(_("{name} leaves table {table}."), player, t)

    def welcome(self) -> None:
        """Seat the present players who have no seat."""
        seated = {player for table in self.tables for player in table} | set(self.byes)
        waiting = [player for player in self.problem.ids if player not in seated]
        chairs = sum(max(0, self.rules.table_size - len(self.tables[t])) for t in self.list_used())
        if waiting and len(waiting) - chairs >= self.small:
            waiting = self._open_table(waiting)
        left_over = self._take_chairs(waiting)
        if left_over and len(self.byes) + len(left_over) >= self.small:
            self.byes = self._open_table([*self.byes, *left_over])
            left_over = [player for player in left_over if player in self.byes]
            self.byes = [player for player in self.byes if player not in left_over]
        self._give_byes(left_over)

    def _take_chairs(self, waiting: Sequence[int]) -> list[int]:
        """Seat players where seats are free and return those left over."""
        left_over = []
        for player in waiting:
            t = self._find_best_chair(player)
            if t is None:
                left_over.append(player)
            else:
                self._seat(player, t)
        return left_over

    def _give_byes(self, players: Sequence[int]) -> None:
        for player in players:
            self.byes.append(player)
            self._say(_("{name} gets a bye, because no table has a free seat."), player)

    def _open_table(self, waiting: list[int]) -> list[int]:
        """Open a new table for as many players as it holds and return the rest."""
        members = waiting[: self.rules.table_size]
        self.tables.append(members)
        names = ", ".join(self.problem.name(player) for player in members)
        text = ngettext(
            "{names} joins a new table, table {table}.",
            "{names} join a new table, table {table}.",
            len(members),
        )
        self.sentences.append(text.format(names=names, table=len(self.tables)))
        return waiting[len(members) :]

    def _place(self, player: int, t: int) -> None:
        """Give the player the table's first vacated seat, or else the next one."""
        vacant = self.left.get(t)
        chair = vacant.pop(0) if vacant else len(self.tables[t])
        self.tables[t].insert(chair, player)

    def _seat(self, player: int, t: int) -> None:
        self._place(player, t)
        self._say(_("{name} joins table {table}."), player, t)

    def _find_best_chair(self, player: int) -> int | None:
        """Return the best table for the player to join, or None.

        Tables below the target size are preferred, then the lowest cost by the rules.
        """
        choices = [t for t in self.list_used() if len(self.tables[t]) < self.rules.maximum]
        return min(
            choices,
            key=lambda t: (self._compute_crowding(t), self._compute_joining_cost(player, t)),
            default=None,
        )

    def _compute_crowding(self, t: int) -> int:
        # Any table short of the size aimed at will do; beyond it, the least crowded.
        return max(0, len(self.tables[t]) + 1 - self.rules.table_size)

    def _compute_joining_cost(self, player: int, t: int) -> list[int]:
        return self._compute_extra_cost({t: [*self.tables[t], player]})

    def _compute_extra_cost(self, changes: Mapping[int, list[int]]) -> list[int]:
        """Compute the extra cost of these tables with these members, rule by rule."""
        index = self.costs.index
        return [
            sum(
                level.cost_of(t, [index[p] for p in members if p in index])
                - level.cost_of(t, [index[p] for p in self.tables[t] if p in index])
                for t, members in changes.items()
            )
            for level in self.costs.levels
        ]

    @property
    def costs(self) -> Costs:
        """Costs by the rules for the current table sizes."""
        sizes = tuple(map(len, self.tables))
        if sizes not in self._costs:
            self._costs = {sizes: Costs(self.problem, sizes)}
        return self._costs[sizes]

    def mend(self) -> None:
        """Fill or break up the tables that are too small, the smallest first."""
        while True:
            small = [t for t in self.list_used() if len(self.tables[t]) < self._find_minimum(t)]
            short = [t for t in small if t not in self.stuck]
            if not short:
                return
            t = min(short, key=lambda t: (len(self.tables[t]), t))
            if self.byes:
                self._seat(self.byes.pop(0), t)
            elif not (self._fill_up(t) or self._break_up_table(t)):
                self.stuck.add(t)

    def _fill_up(self, t: int) -> bool:
        """Bring players from larger tables, unless breaking up touches fewer tables."""
        missing = self.small - len(self.tables[t])
        to_spare = sum(len(self.tables[o]) - self.small for o in self._list_donors(t))
        breaking_is_less = missing > len(self.tables[t]) <= self._count_room_elsewhere(t)
        if to_spare < missing or breaking_is_less:
            return False
        for _each in range(missing):
            self._bring_player(t)
        return True

    def _list_donors(self, t: int) -> list[int]:
        """Return the tables that can spare a player for table `t`, largest first."""
        able = [o for o in self.list_used() if o != t and len(self.tables[o]) > self.small]
        return sorted(able, key=lambda o: -len(self.tables[o]))

    def _bring_player(self, t: int) -> None:
        """Move the player with the lowest cost from one of the largest tables to table `t`."""
        donors = self._list_donors(t)
        largest = len(self.tables[donors[0]])
        fixed = {player for player, _ in self.rules.fixed}
        choices = [
            (player in fixed, self._compute_moving_cost(player, o, t), player, o)
            for o in donors
            if len(self.tables[o]) == largest
            for player in self.tables[o]
        ]
        *_cost, player, origin = min(choices)
        self.tables[origin].remove(player)
        self._place(player, t)
        text = _("{name} moves from table {origin} to table {table}.")
        name = self.problem.name(player)
        self.sentences.append(text.format(name=name, origin=origin + 1, table=t + 1))

    def _compute_moving_cost(self, player: int, origin: int, t: int) -> list[int]:
        left = [other for other in self.tables[origin] if other != player]
        return self._compute_extra_cost({origin: left, t: [*self.tables[t], player]})

    def _count_room_elsewhere(self, t: int) -> int:
        others = [o for o in self.list_used() if o != t]
        return sum(self.rules.maximum - len(self.tables[o]) for o in others)

    def _break_up_table(self, t: int) -> bool:
        """Break up the table and seat its players elsewhere; return whether this was done.

        Players without a new seat sit out. A table that can be played as it is stays if its
        players
        do not all fit elsewhere.
        """
        fits = self._count_room_elsewhere(t) >= len(self.tables[t])
        playable = len(self.tables[t]) >= self.rules.minimum
        alone = list(self.list_used()) == [t]
        if alone or (playable and not fits):
            return False
        members, self.tables[t] = self.tables[t], []
        self.sentences.append(_("Table {table} is removed.").format(table=t + 1))
        # Players who have sat out before are seated first.
        history = self.problem.history
        members.sort(key=lambda player: -sum(player in past.byes for past in history))
        self._give_byes(self._take_chairs(members))
        return True

    def _say(self, text: str, player: int, t: int = 0) -> None:
        """Add a sentence about a player and a table, given by its position."""
        self.sentences.append(text.format(name=self.problem.name(player), table=t + 1))
