"""`Round.seating`: data kept with a round's seats, from the draw to hands for a place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.json_values.codec import ByItself, JsonValue
from tournament.pure.sentences import Sentence


@dataclass(frozen=True, slots=True)
class AcceptedViolations:
    """Hard rules that published seats break, in sentences, and the organizer's reason for it."""

    broken: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class RoundSeating(JsonValue):
    """How a round came to its seats. Players are registrations, by key.

    Every round: `byes` go on or wait without playing, `out` are left out by hand, `changed` says
    that seats were moved by hand since the draw, `despite` what was published nevertheless.
    A drawn round: `key`, `digest`, `costs` and `bounds` as of `arrangement.Seating`. Partners that
    rotate: `order` before the first turn. A bracket: its `seeds`, best first, its `plan`,
    `why` each of the round before goes on or does not, and `playoff`, the orders of
    hands that were played for a last place, the latest first, and `drawn_from`, the digest of the
    results that it was drawn from ("" for a first round, and before it was kept).

    Seating without a version is older than versions. Until 2, `plan` and `why` were words, which
    `Sentence` still reads.
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
