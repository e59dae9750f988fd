"""Who will sit where in rounds that are still to be drawn, as far as places can tell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournament.stages.brackets.plans import RoundPlan
from tournament.stages.brackets.tables import snake

FILL, BYE, SEED = 0, -1, -2


@dataclass(frozen=True)
class Slot:
    """A seat to come: whoever reaches `place` at `table` of the round before.

    `table` is None where the draw decides which: then it is the one who is `order` by the share of
    their table's points among all with this place. `place` may be FILL (the best share of those
    who missed), BYE, or SEED: then `order` is the seed.
    """

    place: int
    order: int
    table: int | None = None


Slots = tuple[tuple[Slot, ...], ...]


def first_tables(planned: RoundPlan) -> Slots:
    """The tables of a bracket's first round, before it is drawn: of seeds."""
    return _list_seated([Slot(SEED, n) for n in range(1, planned.players + 1)], planned)


def tables_after(before: RoundPlan, numbers: Sequence[int], planned: RoundPlan) -> Slots:
    """The tables of the round after one whose tables have these numbers."""
    if planned.is_final:
        return (tuple(_iterate_known(before, numbers)),)
    return _list_seated(list(_iterate_ranked(before)), planned)


def _iterate_ranked(before: RoundPlan) -> Iterator[Slot]:
    """Everybody who goes on, as the draw takes them: byes, then by place and share."""
    yield from (Slot(BYE, n + 1) for n in range(before.byes))
    for place in range(1, before.advance + 1):
        yield from (Slot(place, n + 1) for n in range(len(before.sizes)))
    yield from (Slot(FILL, n + 1) for n in range(before.fill))


def _iterate_known(before: RoundPlan, numbers: Sequence[int]) -> Iterator[Slot]:
    """The same where one table takes them all: each place is of a table that can be named."""
    for slot in _iterate_ranked(before):
        table = numbers[slot.order - 1] if slot.place > 0 else None
        yield Slot(slot.place, slot.order, table)


def _list_seated(seeds: Sequence[Slot], planned: RoundPlan) -> Slots:
    playing, count = range(planned.byes, len(seeds)), len(planned.sizes)
    rows = snake(playing, count)
    return tuple(tuple(seeds[row[t]] for row in rows if t in row) for t in range(count))
