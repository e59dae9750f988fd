"""`Round.seating`: data kept with a round's seats, from the draw to hands for a place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from tournament.pure.sentences import Sentence

# What was kept without a number is of before there were any, with the same names; until 2, `plan`
# and `why` were words. A newer one is not understood.
VERSION = 2


@dataclass(frozen=True, slots=True)
class Despite:
    """Hard rules that published seats break, in sentences, and the organizer's reason for it."""

    broken: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class RoundSeating:
    """How a round came to its seats. Players are registrations, by key.

    Every round: `byes` go on or wait without playing, `out` are left out by hand, `changed` says
    that seats were moved by hand since the draw, `despite` what was published nevertheless.
    A drawn round: `key`, `digest`, `costs` and `bounds` as of `arrangement.Seating`. Partners that
    rotate: `order` before the first turn. A bracket: its `seeds`, best first, its `plan`,
    `why` each of the round before goes on or does not, and `playoff`, the orders of
    hands that were played for a last place, the latest first.
    """

    byes: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    changed: bool = False
    despite: Despite | None = None
    key: str = ""
    digest: str = ""
    costs: Mapping[str, int] = field(default_factory=dict)
    bounds: Mapping[str, int] = field(default_factory=dict)
    order: tuple[int, ...] = ()
    seeds: tuple[int, ...] = ()
    plan: Sentence = field(default_factory=Sentence)
    why: tuple[tuple[int, Sentence], ...] = ()
    playoff: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote, in this version or an earlier one.

        Raises ValueError for a later version.
        """
        if data.get("version", 0) > VERSION:
            raise ValueError(f"A round's seating of version {data['version']} cannot be read.")
        despite = data.get("despite")
        return cls(
            byes=tuple(data.get("byes", ())),
            out=tuple(data.get("out", ())),
            changed=data.get("changed", False),
            despite=Despite(tuple(despite["broken"]), despite["reason"]) if despite else None,
            key=data.get("key", ""),
            digest=data.get("digest", ""),
            costs=data.get("costs", {}),
            bounds=data.get("bounds", {}),
            order=tuple(data.get("order", ())),
            seeds=tuple(data.get("seeds", ())),
            plan=Sentence.from_json(data.get("plan", "")),
            why=tuple((player, Sentence.from_json(told)) for player, told in data.get("why", ())),
            playoff=_read_orders(data.get("playoff", ())),
        )

    def to_json(self) -> dict[str, object]:
        why = [[player, sentence.to_json()] for player, sentence in self.why]
        return {"version": VERSION} | asdict(self) | {"plan": self.plan.to_json(), "why": why}


def _read_orders(data: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(order) for order in data)
