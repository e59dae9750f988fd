"""Each with every other: a rotation in which everybody partners everybody once.

The multi-table variation of text 001: with 4 players 3 partnerships, with 8 at two tables 7
rounds. In general a whist tournament Wh(4n): 4n - 1 rounds, everyone partners everyone once and
opposes everyone twice. It is cyclic: one player stays, the others move on by one each round.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from games.rules.text import _
from tournament.seating.costs import SeatingError, Tables

# First round; None is the player who stays. Seats 0 and 2 are partners, and 1 and 3.
_STARTERS: dict[int, tuple[tuple[int | None, int, int, int], ...]] = {
    4: ((None, 1, 0, 2),),
    8: ((None, 1, 0, 3), (2, 4, 6, 5)),
    12: ((None, 1, 0, 3), (2, 6, 9, 7), (4, 5, 10, 8)),
    16: ((None, 1, 0, 2), (3, 7, 10, 12), (4, 5, 13, 9), (6, 11, 8, 14)),
    20: ((None, 1, 0, 2), (3, 13, 10, 15), (4, 6, 9, 17), (5, 11, 18, 14), (7, 8, 16, 12)),
    24: (
        (None, 1, 0, 2),
        (3, 5, 15, 7),
        (4, 9, 20, 13),
        (6, 11, 21, 14),
        (8, 12, 18, 17),
        (10, 16, 19, 22),
    ),
}


def partner_rounds(players: Sequence[int]) -> tuple[Tables, ...]:
    """All rounds of the rotation, in each the tables in seat order; partners sit across.

    `players`: ids; who comes last keeps the seat. Raises SeatingError for other numbers than 4,
    8, 12, 16, 20 and 24.
    """
    starter = _STARTERS.get(len(players))
    if starter is None or len(set(players)) < len(players):
        text = _(
            "Each with every other needs {sizes} different players; here are {count}. "
            "Let somebody sit out, or seat ordinary rounds."
        )
        sizes = ", ".join(map(str, _STARTERS))
        raise SeatingError(text.format(sizes=sizes, count=len(players)))
    *moving, staying = players

    def who(place: int | None, turn: int) -> int:
        return staying if place is None else moving[(place + turn) % len(moving)]

    return tuple(
        tuple(tuple(who(place, turn) for place in table) for table in starter)
        for turn in range(len(moving))
    )


def carry_on(
    order: Sequence[int], players: Collection[int], sat_for: Mapping[int, int]
) -> tuple[int, ...]:
    """The rotation's order for those who play now: a substitute has the place of who is gone.

    `sat_for`: who is gone -> who had that chair in the round before; other newcomers take the
    places left in rising order. Where more or fewer play than before, the others keep their order.
    """
    here = set(players)
    new = here - set(order)
    places = {gone: sub for gone, sub in sat_for.items() if gone not in here and sub in new}
    rest = iter(sorted(new - set(places.values())))
    following = [p if p in here else places.get(p) or next(rest, None) for p in order]
    return (*(p for p in following if p is not None), *rest)
