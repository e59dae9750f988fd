"""Repair of a seating after late arrivals and no-shows, changing as few tables as possible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from games.rules.text import _, ngettext
from tournament.pure.arrangement.costs import Costs, SeatingProblem, Tables


@dataclass(frozen=True)
class Repair:
    """A proposed repair. It takes effect only when the organizer accepts it.

    * `tables`: the repaired tables. They keep their numbers, so a removed table is empty.
    * `byes`: the players who would sit out.
    * `touched`: the numbers of the changed tables.
    * `sentences`: descriptions of the changes.
    * `attendance`: whether players arrived or left. If not, only the table sizes need a repair.
    """

    tables: Tables
    byes: tuple[int, ...]
    touched: tuple[int, ...]
    sentences: tuple[str, ...]
    attendance: bool


def repair_seating(problem: SeatingProblem, tables: Tables, *, byes: Sequence[int] = ()) -> Repair:
    """Repair the seating `tables` so that it fits the players who are now present.

    `problem` contains the present players. Absent players lose their seats. New players take free
    seats, preferably vacated ones, or form a new table if there are enough of them. A table with
    too few players gets players from the byes or from larger tables, or is removed. Players without
    a seat get a bye. `byes` lists players who already sit out.
    """
    present_byes = [player for player in byes if player in problem.by_id]
    seating = _SeatingRepair(problem, [list(table) for table in tables], present_byes)
    seating.remove_absent()
    seating.seat_newcomers()
    attendance = bool(seating.sentences)
    seating.fix_small_tables()
    repaired = tuple(tuple(table) for table in seating.tables)
    original = (*tables, *[()] * (len(repaired) - len(tables)))
    touched = [
        n for n, (a, b) in enumerate(zip(original, repaired, strict=True), 1) if set(a) != set(b)
    ]
    return Repair(
        repaired, tuple(seating.byes), tuple(touched), tuple(seating.sentences), attendance
    )


class _SeatingRepair:
    """A seating that is being repaired."""

    def __init__(self, problem: SeatingProblem, tables: list[list[int]], byes: list[int]) -> None:
        self.problem = problem
        self.rules = problem.rules
        self.tables = tables
        self.byes = byes
        self.sentences: list[str] = []
        # The vacated seats of each table. If partners sit opposite each other, a newcomer must
        # sit opposite the remaining partner.
        self.vacated: dict[int, list[int]] = {}
        self.unrepairable: set[int] = set()
        self._costs: dict[tuple[int, ...], Costs] = {}

    @property
    def least_size(self) -> int:
        """The smallest size that a table may have after it loses or gives up players."""
        return max(self.rules.minimum, min(3, self.rules.table_size))

    def _find_minimum_size(self, t: int) -> int:
        # Organizers may have chosen a small table on purpose. As long as it is playable, it is
        # kept.
        return self.least_size if t in self.vacated else self.rules.minimum

    def iterate_occupied(self) -> Iterator[int]:
        """Yield the indices of the tables that have players."""
        return (t for t, table in enumerate(self.tables) if table)

    def remove_absent(self) -> None:
        """Remove absent players from their tables."""
        for t in list(self.iterate_occupied()):
            vacated = [n for n, p in enumerate(self.tables[t]) if p not in self.problem.by_id]
            if vacated:
                self.vacated[t] = vacated
            for player in [self.tables[t][n] for n in vacated]:
                self.tables[t].remove(player)
                self._add_sentence(_("{name} leaves table {table}."), player, t)

    def seat_newcomers(self) -> None:
        """Seat the present players who have no seat."""
        seated = {player for table in self.tables for player in table} | set(self.byes)
        newcomers = [player for player in self.problem.ids if player not in seated]
        free_seats = sum(
            max(0, self.rules.table_size - len(self.tables[t])) for t in self.iterate_occupied()
        )
        if newcomers and len(newcomers) - free_seats >= self.least_size:
            newcomers = self._open_table(newcomers)
        left_over = self._fill_free_seats(newcomers)
        if left_over and len(self.byes) + len(left_over) >= self.least_size:
            self.byes = self._open_table([*self.byes, *left_over])
            left_over = [player for player in left_over if player in self.byes]
            self.byes = [player for player in self.byes if player not in left_over]
        self._give_byes(left_over)

    def _fill_free_seats(self, players: Sequence[int]) -> list[int]:
        """Seat players at tables with free seats, and return the players who found none."""
        left_over = []
        for player in players:
            t = self._find_best_table(player)
            if t is None:
                left_over.append(player)
            else:
                self._add_player(player, t)
        return left_over

    def _give_byes(self, players: Sequence[int]) -> None:
        for player in players:
            self.byes.append(player)
            self._add_sentence(_("{name} gets a bye, because no table has a free seat."), player)

    def _open_table(self, players: list[int]) -> list[int]:
        """Open a new table for as many players as fit, and return the others."""
        members = players[: self.rules.table_size]
        self.tables.append(members)
        names = ", ".join(self.problem.name(player) for player in members)
        text = ngettext(
            "{names} joins a new table, table {table}.",
            "{names} join a new table, table {table}.",
            len(members),
        )
        self.sentences.append(text.format(names=names, table=len(self.tables)))
        return players[len(members) :]

    def _insert_player(self, player: int, t: int) -> None:
        """Give the player the table's first vacated seat, or else its next free seat."""
        vacated = self.vacated.get(t)
        seat = vacated.pop(0) if vacated else len(self.tables[t])
        self.tables[t].insert(seat, player)

    def _add_player(self, player: int, t: int) -> None:
        self._insert_player(player, t)
        self._add_sentence(_("{name} joins table {table}."), player, t)

    def _find_best_table(self, player: int) -> int | None:
        """Return the best table for another player, or None if no table has room.

        Tables below the target size are best. The costs under the rules decide between equal
        tables.
        """
        choices = [t for t in self.iterate_occupied() if len(self.tables[t]) < self.rules.maximum]
        return min(
            choices,
            key=lambda t: (self._compute_crowding(t), self._compute_joining_costs(player, t)),
            default=None,
        )

    def _compute_crowding(self, t: int) -> int:
        # Below the target size, all tables are equally good. Above it, the least crowded is best.
        return max(0, len(self.tables[t]) + 1 - self.rules.table_size)

    def _compute_joining_costs(self, player: int, t: int) -> list[int]:
        return self._compute_extra_costs({t: [*self.tables[t], player]})

    def _compute_extra_costs(self, changes: Mapping[int, list[int]]) -> list[int]:
        """Compute the extra cost under each rule if the tables in `changes` get new members."""
        index = self.costs.index
        return [
            sum(
                level.cost_of(t, [index[player] for player in members if player in index])
                - level.cost_of(t, [index[player] for player in self.tables[t] if player in index])
                for t, members in changes.items()
            )
            for level in self.costs.levels
        ]

    @property
    def costs(self) -> Costs:
        """The costs for the current table sizes."""
        sizes = tuple(map(len, self.tables))
        if sizes not in self._costs:
            self._costs = {sizes: Costs(self.problem, sizes)}
        return self._costs[sizes]

    def fix_small_tables(self) -> None:
        """Fill up or break up the tables with too few players, smallest first."""
        while True:
            small = [
                t
                for t in self.iterate_occupied()
                if len(self.tables[t]) < self._find_minimum_size(t)
            ]
            short = [t for t in small if t not in self.unrepairable]
            if not short:
                return
            t = min(short, key=lambda t: (len(self.tables[t]), t))
            if self.byes:
                self._add_player(self.byes.pop(0), t)
            elif not (self._fill_up_table(t) or self._break_up_table(t)):
                self.unrepairable.add(t)

    def _fill_up_table(self, t: int) -> bool:
        """Fill up a table from larger tables, unless breaking it up would move fewer players.

        Returns whether the table was filled up.
        """
        missing = self.least_size - len(self.tables[t])
        spare = sum(len(self.tables[donor]) - self.least_size for donor in self._list_donors(t))
        breaking_is_less = missing > len(self.tables[t]) <= self._count_room_elsewhere(t)
        if spare < missing or breaking_is_less:
            return False
        for _each in range(missing):
            self._move_player_to(t)
        return True

    def _list_donors(self, t: int) -> list[int]:
        """Return the tables that can give up a player to table `t`, largest first."""
        donors = [
            other
            for other in self.iterate_occupied()
            if other != t and len(self.tables[other]) > self.least_size
        ]
        return sorted(donors, key=lambda other: -len(self.tables[other]))

    def _move_player_to(self, t: int) -> None:
        """Move the player from one of the largest tables to table `t` who costs least there."""
        donors = self._list_donors(t)
        largest = len(self.tables[donors[0]])
        fixed = {player for player, _ in self.rules.fixed}
        choices = [
            (player in fixed, self._compute_moving_costs(player, donor, t), player, donor)
            for donor in donors
            if len(self.tables[donor]) == largest
            for player in self.tables[donor]
        ]
        *_costs, player, origin = min(choices)
        self.tables[origin].remove(player)
        self._insert_player(player, t)
        text = _("{name} moves from table {origin} to table {table}.")
        name = self.problem.name(player)
        self.sentences.append(text.format(name=name, origin=origin + 1, table=t + 1))

    def _compute_moving_costs(self, player: int, origin: int, t: int) -> list[int]:
        remaining = [other for other in self.tables[origin] if other != player]
        return self._compute_extra_costs({origin: remaining, t: [*self.tables[t], player]})

    def _count_room_elsewhere(self, t: int) -> int:
        others = [other for other in self.iterate_occupied() if other != t]
        return sum(self.rules.maximum - len(self.tables[other]) for other in others)

    def _break_up_table(self, t: int) -> bool:
        """Break up a table and seat its players elsewhere. Players without a new seat get a bye.

        The only table is kept, and so is a playable table whose players do not all fit elsewhere.
        Returns whether the table was broken up.
        """
        fits = self._count_room_elsewhere(t) >= len(self.tables[t])
        playable = len(self.tables[t]) >= self.rules.minimum
        is_only_table = list(self.iterate_occupied()) == [t]
        if is_only_table or (playable and not fits):
            return False
        members, self.tables[t] = self.tables[t], []
        self.sentences.append(_("Table {table} is removed.").format(table=t + 1))
        # Players who have already had a bye are seated first.
        history = self.problem.history
        members.sort(key=lambda player: -sum(player in past.byes for past in history))
        self._give_byes(self._fill_free_seats(members))
        return True

    def _add_sentence(self, text: str, player: int, t: int = 0) -> None:
        """Format a text about a player and a table, and add it. `t` is the table's index."""
        self.sentences.append(text.format(name=self.problem.name(player), table=t + 1))
