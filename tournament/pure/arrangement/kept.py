"""Data stored with a round's seats, from the draw to tie-break hands (`Round.seating`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.json_values.codec import ByItself, JsonValue
from tournament.pure.sentences import Sentence


@dataclass(frozen=True, slots=True)
class AcceptedViolations:
    """Hard rules that published seats break, in sentences, with the organizer's reason."""

    broken: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class RoundSeating(JsonValue):
    """How a round's seats came about. Players are given by registration key.

    In every round, `byes` are players who advance or wait without playing, and `out` are players
    left out by hand. `changed`: seats were changed by hand since the draw. `despite` has the rule
    violations accepted at publication.

    In a drawn round, `key`, `digest`, `costs` and `bounds` are as in `arrangement.Seating`. With
    rotating partners, `order` is the order before the first turn.

    In a bracket, `seeds` are listed best first, and `plan` describes the round. `why` has the
    reason why each player of the previous round advances or not. `playoff` has the orders of hands
    played for a last place, latest first. `drawn_from` is the digest of the results used for the
    draw, or "" for a first round and in older data.

    Data without a version predates versions. Before version 2, `plan` and `why` were plain text,
    which `Sentence` can still read.
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
