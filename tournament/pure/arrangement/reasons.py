"""Explanation of a player's table by a comparison with the best alternative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from games.rules.text import _, ngettext
from tournament.pure.arrangement.costs import Costs, SeatingProblem, Tables


@dataclass(frozen=True)
class SeatReason:
    """A player's table compared with the best alternative.

    * `table`: the number of the player's table.
    * `other_table`: the number of the best other table, or None if there is only one table.
    * `swap_with`: the player at that table to swap with, or None.
    * `extra_costs`: the additional cost of the alternative under each rule.
    """

    table: int
    other_table: int | None
    swap_with: int | None
    extra_costs: dict[str, int]
    sentence: str


# For each rule, a phrase for a number of violations.
_AMOUNTS: dict[str, Callable[[int], str]] = {
    "hard": lambda n: ngettext(
        "{count} broken essential rule", "{count} broken essential rules", n
    ),
    "again": lambda n: ngettext(
        "{count} meeting in consecutive rounds", "{count} meetings in consecutive rounds", n
    ),
    "repeats": lambda n: ngettext("{count} repeat meeting", "{count} repeat meetings", n),
    "odd": lambda n: ngettext(
        "{count} repeat odd-sized table", "{count} repeat odd-sized tables", n
    ),
    "points": lambda n: ngettext(
        "{count} point outside the table’s range",
        "{count} points outside the tables’ ranges",
        n,
    ),
    "groups": lambda n: ngettext(
        "{count} pair from the same group", "{count} pairs from the same group", n
    ),
}


def explain_seat(
    problem: SeatingProblem, tables: Tables, player: int, byes: Sequence[int] = ()
) -> SeatReason:
    """Explain a player's table by the cost of the best swap with a player at another table.

    The order of seats at a table is ignored. Raises KeyError for a player without a seat.
    """
    all_tables = [list(table) for table in (*tables, *([byes] if byes else ()))]
    table_of = {p: t for t, table in enumerate(all_tables) for p in table}
    own_table = table_of[player]
    costs = Costs(problem, [len(table) for table in tables], len(byes))
    fixed = {p for p, number in problem.rules.fixed if table_of.get(p) == number - 1}
    best: tuple[list[int], int, int] | None = None
    for other in sorted(table_of):
        if table_of[other] != own_table and other not in fixed and other in costs.index:
            extra_costs = _compute_swap_costs(
                costs, all_tables, player, other, own_table, table_of[other]
            )
            if best is None or (extra_costs, other) < best[:2]:
                best = (extra_costs, other, table_of[other])
    if best is None:
        return SeatReason(own_table + 1, None, None, {}, _("There is no other table."))
    keys = [level.key for level in costs.levels]
    reason = SeatReason(
        own_table + 1, best[2] + 1, best[1], dict(zip(keys, best[0], strict=True)), ""
    )
    return replace(reason, sentence=_explain_seat(problem, reason, player, len(tables)))


def _compute_swap_costs(
    costs: Costs, tables: list[list[int]], a: int, b: int, table_a: int, table_b: int
) -> list[int]:
    """Compute the additional cost, under each rule, of swapping players `a` and `b`."""
    index = costs.index
    old_a = [index[player] for player in tables[table_a] if player in index]
    old_b = [index[player] for player in tables[table_b] if player in index]
    new_a = [index[b] if i == index[a] else i for i in old_a]
    new_b = [index[a] if i == index[b] else i for i in old_b]
    return [
        level.cost_of(table_a, new_a)
        + level.cost_of(table_b, new_b)
        - level.cost_of(table_a, old_a)
        - level.cost_of(table_b, old_b)
        for level in costs.levels
    ]


def _explain_seat(problem: SeatingProblem, reason: SeatReason, player: int, tables: int) -> str:
    if player in dict(problem.rules.fixed):
        text = _("Table {table} is reserved for {name}.")
        return text.format(table=reason.table, name=problem.name(player))
    place = _describe_alternative(problem, reason, tables)
    decisive = next(((key, more) for key, more in reason.extra_costs.items() if more), None)
    if decisive is None:
        text = _(
            "The best alternative, {place}, is equally good by every rule, so the draw "
            "decided between the two."
        )
        return text.format(place=place)
    key, more = decisive
    amount = _AMOUNTS[key](abs(more)).format(count=abs(more))
    if more < 0:
        text = _("A better alternative, {place}, would avoid {amount}.")
    else:
        text = _("The best alternative, {place}, would have meant {amount}.")
    return text.format(place=place, amount=amount)


def _describe_alternative(problem: SeatingProblem, reason: SeatReason, tables: int) -> str:
    name, number = problem.name(reason.swap_with or 0), reason.other_table or 0
    if number > tables:
        return _("a bye (swapping with {name})").format(name=name)
    return _("table {table} (swapping with {name})").format(table=number, name=name)
