"""Seats of rounds that are not drawn yet, as far as places determine them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournament.pure.brackets.plans import RoundPlan
from tournament.pure.brackets.tables import snake

FILL, BYE, SEED = 0, -1, -2


@dataclass(frozen=True)
class Slot:
    """A future seat, for the player who reaches `place` at `table` of the previous round.

    `table` is None if the draw decides it. The seat then goes to number `order` by share of table
    points, among all players with this place. `place` may also be FILL (the best share among
    players who missed), BYE or SEED. For SEED, `order` is the seed.
    """

    place: int
    order: int
    table: int | None = None


Slots = tuple[tuple[Slot, ...], ...]


def first_tables(planned: RoundPlan) -> Slots:
    """Return the tables of a bracket's first round before the draw, filled with seeds."""
    return _list_seated([Slot(SEED, n) for n in range(1, planned.players + 1)], planned)


def tables_after(previous: RoundPlan, numbers: Sequence[int], planned: RoundPlan) -> Slots:
    """Return the tables of the round that follows one with these table numbers."""
    if planned.is_final:
        return (tuple(_iterate_known(previous, numbers)),)
    return _list_seated(list(_iterate_ranked(previous)), planned)


def _iterate_ranked(previous: RoundPlan) -> Iterator[Slot]:
    """Yield all advancing players in draw order: byes, then by place and share."""
    yield from (Slot(BYE, n + 1) for n in range(previous.byes))
    for place in range(1, previous.advance + 1):
        yield from (Slot(place, n + 1) for n in range(len(previous.sizes)))
    yield from (Slot(FILL, n + 1) for n in range(previous.fill))


def _iterate_known(previous: RoundPlan, numbers: Sequence[int]) -> Iterator[Slot]:
    """Yield the advancing players' slots if a single table takes them all.

    In that case, the table behind each place is known.
    """
    for slot in _iterate_ranked(previous):
        table = numbers[slot.order - 1] if slot.place > 0 else None
        yield Slot(slot.place, slot.order, table)


def _list_seated(seeds: Sequence[Slot], planned: RoundPlan) -> Slots:
    playing, count = range(planned.byes, len(seeds)), len(planned.sizes)
    rows = snake(playing, count)
    return tuple(tuple(seeds[row[table]] for row in rows if table in row) for table in range(count))
