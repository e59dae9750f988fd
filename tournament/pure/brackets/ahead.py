"""Seats of bracket rounds that have not been drawn yet."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournament.pure.brackets.plans import RoundPlan
from tournament.pure.brackets.tables import build_snake

FILL, BYE, SEED = 0, -1, -2


@dataclass(frozen=True)
class Slot:
    """A seat in a later round, described by the result that leads to it.

    * `place`: the place at a table of the previous round, or one of these: BYE for a bye, SEED for
      a seed in the first round, and FILL for a player who advances by share of table points.
    * `order`: for SEED, the seed. Otherwise, the rank among players with the same `place`, by share
      of table points.
    * `table`: the number of the table in the previous round, or None if it is not known.
    """

    place: int
    order: int
    table: int | None = None


Slots = tuple[tuple[Slot, ...], ...]


def first_tables(planned: RoundPlan) -> Slots:
    """Return the tables of a bracket's first round, with a seed for each seat."""
    return _distribute_slots([Slot(SEED, n) for n in range(1, planned.players + 1)], planned)


def tables_after(previous: RoundPlan, numbers: Sequence[int], planned: RoundPlan) -> Slots:
    """Return the tables of the round after `previous`.

    `numbers` lists the table numbers of the previous round.
    """
    if planned.is_final:
        return (tuple(_iterate_final_slots(previous, numbers)),)
    return _distribute_slots(list(_iterate_advancing_slots(previous)), planned)


def _iterate_advancing_slots(previous: RoundPlan) -> Iterator[Slot]:
    """Yield the slots of all advancing players in seed order: byes first, then by place."""
    yield from (Slot(BYE, n + 1) for n in range(previous.byes))
    for place in range(1, previous.advance + 1):
        yield from (Slot(place, n + 1) for n in range(len(previous.sizes)))
    yield from (Slot(FILL, n + 1) for n in range(previous.fill))


def _iterate_final_slots(previous: RoundPlan, numbers: Sequence[int]) -> Iterator[Slot]:
    """Yield the slots of the final.

    All advancing players meet there, so the table from which each player comes is known.
    """
    for slot in _iterate_advancing_slots(previous):
        table = numbers[slot.order - 1] if slot.place > 0 else None
        yield Slot(slot.place, slot.order, table)


def _distribute_slots(seeds: Sequence[Slot], planned: RoundPlan) -> Slots:
    playing, count = range(planned.byes, len(seeds)), len(planned.sizes)
    rows = build_snake(playing, count)
    return tuple(tuple(seeds[row[table]] for row in rows if table in row) for table in range(count))
