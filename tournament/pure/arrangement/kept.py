"""`Round.seating`: data stored with a round's seats, from the draw to tie-break hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.json_values.codec import ByItself, JsonValue
from tournament.pure.sentences import Sentence


@dataclass(frozen=True, slots=True)
class AcceptedViolations:
    """Sentences about hard rules that published seats break, with the organizer's reason."""

    broken: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class RoundSeating(JsonValue):
    """Origin of a round's seats. Players are registrations, by key.

    In every round: `byes` advance or wait without playing, `out` are left out by hand, `changed`
    means that seats were moved by hand since the draw, and `despite` has the rule violations
    accepted at publication.
    In a drawn round: `key`, `digest`, `costs` and `bounds` as in `arrangement.Seating`. With
    rotating partners: `order` before the first turn. In a bracket: its `seeds`, best first; its
    `plan`; in `why`, the reason why each player of the previous round advances or does not; in
    `playoff`, the orders of hands played for a last place, latest first; and in `drawn_from`, the
    digest of the results used for the draw ("" for a first round and in older data).

    Seating without a version predates versions. Before version 2, `plan` and `why` were plain
    text, which `Sentence` can still read.
    """

    version: int = field(default=2, init=False, repr=False, compare=False)
    byes: tuple[int, ...] = ()
    out: tuple[int, ...] = ()
    changed: bool = False
    despite: AcceptedViolations | None = None
    key: str = ""
    digest: str = ""
    costs: Mapping[str, int] = field(default_factory=dict)
    bounds: Mapping[str, int] = field(default_factory=dict)
    order: tuple[int, ...] = ()
    seeds: tuple[int, ...] = ()
    plan: ByItself[Sentence] = field(default_factory=Sentence)
    why: tuple[tuple[int, ByItself[Sentence]], ...] = ()
    playoff: tuple[tuple[int, ...], ...] = ()
    drawn_from: str = ""
