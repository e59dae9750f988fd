"""Evaluation of a seating, with a sentence for each broken rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from games.rules.text import _, ngettext
from tournament.pure.arrangement.bounds import lower_bounds
from tournament.pure.arrangement.costs import (
    Costs,
    PastRound,
    SeatingProblem,
    SeatingRules,
    Tables,
    odd_sizes,
    seat_cost,
)
from tournament.pure.words import join_words


@dataclass(frozen=True)
class BrokenRule:
    """A violation of a seating rule.

    * `rule`: a key of RULES.
    * `table`: the table's number, or 0 if the violation does not concern a single table.
    * `players`: the players concerned.
    """

    rule: str
    table: int
    players: tuple[int, ...]
    sentence: str

    @property
    def hard(self) -> bool:
        """True if the rule is essential."""
        return self.rule == "hard"


@dataclass(frozen=True)
class SeatingQuality:
    """The quality of a seating.

    * `costs`: the cost under each rule.
    * `bounds`: lower bounds of some costs, by rule.
    * `broken`: the violations, sorted by rule and then by table.
    """

    costs: dict[str, int]
    bounds: dict[str, int]
    broken: tuple[BrokenRule, ...]

    @property
    def playable(self) -> bool:
        """True if no essential rule is broken."""
        return not self.hard

    @property
    def hard(self) -> list[str]:
        """Sentences about the violations of essential rules."""
        return [each.sentence for each in self.broken if each.hard]


def compute_costs(
    problem: SeatingProblem, tables: Tables, byes: Sequence[int] = ()
) -> dict[str, int]:
    """Return the cost of a seating under each rule, with the keys of RULES in order.

    Players who are not part of `problem` are ignored.
    """
    costs = Costs(problem, [len(table) for table in tables], len(byes))
    index = [
        [costs.index[player] for player in table if player in costs.index]
        for table in (*tables, *([byes] if byes else ()))
    ]
    figures = {level.key: level.total(index) for level in costs.levels}
    figures["seats"] = sum(
        seat_cost(player, seat, len(table), problem.history)
        for table in tables
        for seat, player in enumerate(table)
    )
    return figures


def evaluate_seating(
    problem: SeatingProblem, tables: Tables, byes: Sequence[int] = ()
) -> SeatingQuality:
    """Evaluate a seating that was drawn or changed by hand. It may be incomplete or invalid."""
    byes = [player for player in byes if player in problem.by_id]
    broken = (
        *_check_attendance(problem, tables, byes),
        *_check_sizes(problem, tables),
        *_check_forbidden_pairs(problem, tables),
        *_check_fixed_tables(problem, tables),
        *_check_partners(problem, tables),
        *_check_meetings(problem, tables),
        *_check_odd_sized_tables_and_byes(problem, tables, byes),
        *_check_points(problem, tables),
        *_check_groups(problem, tables),
        *_check_first_and_last_seats(problem, tables),
    )
    sizes = [len(table) for table in tables if table]
    bounds = lower_bounds(problem, sizes) if sizes else {}
    return SeatingQuality(compute_costs(problem, tables, byes), bounds, broken)


def _check_attendance(
    problem: SeatingProblem, tables: Tables, byes: Sequence[int]
) -> Iterator[BrokenRule]:
    tables_of: dict[int, list[int]] = {}
    for number, table in enumerate((*tables, tuple(byes)), 1):
        for player in table:
            tables_of.setdefault(player, []).append(number)
    for player in problem.ids:
        if player not in tables_of:
            text = _("{name} has no seat.")
            yield BrokenRule("hard", 0, (player,), text.format(name=problem.name(player)))
    for player, numbers in tables_of.items():
        if player not in problem.by_id:
            text = _("{name} at table {table} is not in this event.")
            sentence = text.format(name=problem.name(player), table=numbers[0])
            yield BrokenRule("hard", numbers[0], (player,), sentence)
        elif len(numbers) > 1:
            sentence = _("{name} has more than one seat.").format(name=problem.name(player))
            yield BrokenRule("hard", numbers[0], (player,), sentence)


def _check_sizes(problem: SeatingProblem, tables: Tables) -> Iterator[BrokenRule]:
    rules = problem.rules
    for number, table in enumerate(tables, 1):
        if table and not rules.minimum <= len(table) <= rules.maximum:
            yield BrokenRule("hard", number, tuple(table), describe_size(number, len(table), rules))
    sizes = sorted(len(table) for table in tables if table)
    if sizes and sizes[-1] - sizes[0] > 1:
        text = _("The tables have {least} to {most} players, a difference of more than one.")
        yield BrokenRule("odd", 0, (), text.format(least=sizes[0], most=sizes[-1]))


def describe_size(table: int, players: int, rules: SeatingRules) -> str:
    """Describe a table with fewer or more players than the rules allow."""
    text = ngettext(
        "Table {table} has {count} player; these rules are for {least} to {most}.",
        "Table {table} has {count} players; these rules are for {least} to {most}.",
        players,
    )
    return text.format(table=table, count=players, least=rules.minimum, most=rules.maximum)


def _check_forbidden_pairs(problem: SeatingProblem, tables: Tables) -> Iterator[BrokenRule]:
    apart = {frozenset(pair) for pair in problem.rules.apart}
    for number, table in enumerate(tables, 1):
        for a, b in combinations(table, 2):
            if {a, b} in apart:
                text = _("{one} and {other} must not sit together but share table {table}.")
                sentence = text.format(one=problem.name(a), other=problem.name(b), table=number)
                yield BrokenRule("hard", number, (a, b), sentence)


def _check_fixed_tables(problem: SeatingProblem, tables: Tables) -> Iterator[BrokenRule]:
    for player, fixed_table in problem.rules.fixed:
        for number, table in enumerate(tables, 1):
            if player in table and number != fixed_table:
                text = _("{name} needs table {wanted} but is at table {table}.")
                sentence = text.format(name=problem.name(player), wanted=fixed_table, table=number)
                yield BrokenRule("hard", number, (player,), sentence)


def find_rounds_together(history: Sequence[PastRound], a: int, b: int) -> list[int]:
    """Return the numbers, from 1, of earlier rounds in which the players shared a table."""
    return [
        number
        for number, past in enumerate(history, 1)
        if any(a in table and b in table for table in past.tables)
    ]


def _name_rounds(problem: SeatingProblem, rounds: Sequence[int]) -> str:
    """Return a phrase with the titles or numbers of these earlier rounds."""
    titles = {number: past.title for number, past in enumerate(problem.history, 1)}
    return join_words([titles[n] or _("Round {number}").format(number=n) for n in rounds])


def _check_partners(problem: SeatingProblem, tables: Tables) -> Iterator[BrokenRule]:
    for number, table in enumerate(tables, 1):
        for a, b in _list_partner_pairs(table) if problem.rules.partners else ():
            if rounds := _find_partner_rounds(problem.history, {a, b}):
                text = _("{one} and {other} are partners again at table {table}, as in {rounds}.")
                sentence = _describe_pair(
                    problem, text, a, b, table=number, rounds=_name_rounds(problem, rounds)
                )
                yield BrokenRule("repeats", number, (a, b), sentence)


def _describe_pair(problem: SeatingProblem, text: str, a: int, b: int, **values: object) -> str:
    return text.format(one=problem.name(a), other=problem.name(b), **values)


def _find_partner_rounds(history: Sequence[PastRound], pair: set[int]) -> list[int]:
    """Return the numbers, from 1, of earlier rounds in which the players were partners."""
    return [
        number
        for number, past in enumerate(history, 1)
        if any(pair == {*across} for table in past.tables for across in _list_partner_pairs(table))
    ]


def _list_partner_pairs(table: Sequence[int]) -> Sequence[tuple[int, int]]:
    return ((table[0], table[2]), (table[1], table[3])) if len(table) == 4 else ()


def _check_meetings(problem: SeatingProblem, tables: Tables) -> Iterator[BrokenRule]:
    broken = []
    for number, table in enumerate(tables, 1):
        for a, b in combinations(table, 2):
            if rounds := find_rounds_together(problem.history, a, b):
                broken.append(_describe_meeting(problem, number, a, b, rounds))
    yield from sorted(broken, key=lambda each: each.rule != "again")


def _describe_meeting(
    problem: SeatingProblem, table: int, a: int, b: int, rounds: list[int]
) -> BrokenRule:
    again = rounds[-1] == len(problem.history)
    text = _("{one} and {other} meet again at table {table}, as in {rounds}.")
    if again:
        text = _("{one} and {other} meet in consecutive rounds, at table {table} after {rounds}.")
    sentence = _describe_pair(
        problem, text, a, b, table=table, rounds=_name_rounds(problem, rounds)
    )
    return BrokenRule("again" if again else "repeats", table, (a, b), sentence)


def _check_odd_sized_tables_and_byes(
    problem: SeatingProblem, tables: Tables, byes: Sequence[int]
) -> Iterator[BrokenRule]:
    target = problem.rules.table_size
    odd = odd_sizes([len(table) for table in tables], target)
    for number, table in enumerate(tables, 1):
        for player in table if len(table) in odd else ():
            if rounds := _find_odd_rounds(problem, player):
                text = _(
                    "{name} is at a table of {size} after an odd-sized table or a bye in {rounds}."
                )
                values = {"name": problem.name(player), "rounds": _name_rounds(problem, rounds)}
                yield BrokenRule("odd", number, (player,), text.format(size=len(table), **values))
    for player in byes:
        if rounds := _find_odd_rounds(problem, player):
            text = _("{name} gets another bye after the one in {rounds}.")
            sentence = text.format(name=problem.name(player), rounds=_name_rounds(problem, rounds))
            yield BrokenRule("odd", 0, (player,), sentence)


def _find_odd_rounds(problem: SeatingProblem, player: int) -> list[int]:
    target = problem.rules.table_size
    rounds = []
    for number, past in enumerate(problem.history, 1):
        odd = odd_sizes([len(table) for table in past.tables], target)
        if player in past.byes or any(player in t and len(t) in odd for t in past.tables):
            rounds.append(number)
    return rounds


def _check_points(problem: SeatingProblem, tables: Tables) -> Iterator[BrokenRule]:
    if not problem.rules.by_points:
        return
    costs = Costs(problem, [len(table) for table in tables])
    for number, (table, (low, high)) in enumerate(zip(tables, costs.points_ranges, strict=True), 1):
        for player in table:
            points = problem.by_id[player].points if player in problem.by_id else low
            if not low <= points <= high:
                text = ngettext(
                    "{name} has {points} point, but table {table} is for {low} to {high} points.",
                    "{name} has {points} points, but table {table} is for {low} to {high} points.",
                    points,
                )
                values = {"name": problem.name(player), "points": points, "table": number}
                yield BrokenRule(
                    "points", number, (player,), text.format(low=low, high=high, **values)
                )


def _check_groups(problem: SeatingProblem, tables: Tables) -> Iterator[BrokenRule]:
    if not problem.rules.groups_apart:
        return
    group = {player.id: player.group.strip() for player in problem.players if player.group.strip()}
    for number, table in enumerate(tables, 1):
        for a, b in combinations([player for player in table if player in group], 2):
            if group[a].casefold() == group[b].casefold():
                text = _("{one} and {other} at table {table} are both from {group}.")
                sentence = _describe_pair(problem, text, a, b, group=group[a], table=number)
                yield BrokenRule("groups", number, (a, b), sentence)


def _check_first_and_last_seats(problem: SeatingProblem, tables: Tables) -> Iterator[BrokenRule]:
    for number, table in enumerate(tables, 1):
        for seat in (0, -1):
            for player in table[seat:][:1]:
                rounds = [
                    n
                    for n, past in enumerate(problem.history, 1)
                    if any(t and t[seat] == player for t in past.tables)
                ]
                if rounds:
                    values = {
                        "name": problem.name(player),
                        "rounds": _name_rounds(problem, rounds),
                    }
                    sentence = _describe_repeated_seat(seat).format(table=number, **values)
                    yield BrokenRule("seats", number, (player,), sentence)


def _describe_repeated_seat(seat: int) -> str:
    if seat == 0:
        return _("{name} is in the first seat again at table {table}, as in {rounds}.")
    return _("{name} is in the last seat again at table {table}, as in {rounds}.")
