"""Seats of rounds that are not drawn yet, as far as they are known."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournament.pure.brackets.plans import RoundPlan
from tournament.pure.brackets.tables import snake

FILL, BYE, SEED = 0, -1, -2


@dataclass(frozen=True)
class Slot:
    """A future seat, and the result that leads to it.

    * `place`: the place in the previous round, or BYE, SEED, or FILL for the best share among
      players who missed.
    * `table`: the table of the previous round, or None if the draw decides.
    * `order`: without a `table`, the rank by share of table points among players with this place.
      For SEED, the seed.
    """

    place: int
    order: int
    table: int | None = None


Slots = tuple[tuple[Slot, ...], ...]


def first_tables(planned: RoundPlan) -> Slots:
    """Return the tables of a bracket's first round as seeds, before the draw."""
    return _seat_slots([Slot(SEED, n) for n in range(1, planned.players + 1)], planned)


def tables_after(previous: RoundPlan, numbers: Sequence[int], planned: RoundPlan) -> Slots:
    """Return the tables of the next round. `numbers` are the table numbers of the previous one."""
    if planned.is_final:
        return (tuple(_iterate_final_slots(previous, numbers)),)
    return _seat_slots(list(_iterate_advancing(previous)), planned)


def _iterate_advancing(previous: RoundPlan) -> Iterator[Slot]:
    """Yield all advancing players in draw order: byes first, then by place and share."""
    yield from (Slot(BYE, n + 1) for n in range(previous.byes))
    for place in range(1, previous.advance + 1):
        yield from (Slot(place, n + 1) for n in range(len(previous.sizes)))
    yield from (Slot(FILL, n + 1) for n in range(previous.fill))


def _iterate_final_slots(previous: RoundPlan, numbers: Sequence[int]) -> Iterator[Slot]:
    """Yield the slots of a round with a single table.

    All advancing players meet there, so the origin of each seat is known.
    """
    for slot in _iterate_advancing(previous):
        table = numbers[slot.order - 1] if slot.place > 0 else None
        yield Slot(slot.place, slot.order, table)


def _seat_slots(seeds: Sequence[Slot], planned: RoundPlan) -> Slots:
    playing, count = range(planned.byes, len(seeds)), len(planned.sizes)
    rows = snake(playing, count)
    return tuple(tuple(seeds[row[table]] for row in rows if table in row) for table in range(count))
