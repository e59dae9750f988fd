"""Data stored with a round's seats, from the draw to tie-break hands (`Round.seating`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.json_values.codec import JsonValue, WithOwnCodec
from tournament.pure.sentences import Sentence


@dataclass(frozen=True, slots=True)
class AcceptedViolations:
    """Hard rules that the published seats break, and the organizer's reason for accepting that.

    `broken` has one sentence for each rule.
    """

    broken: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class RoundSeating(JsonValue):
    """The origin of a round's seats. Players are identified by registration key.

    Used in every round:

    * `byes`: players who advance or wait without playing.
    * `out`: players whom the organizers left out.
    * `changed`: whether seats were changed by hand since the draw.
    * `despite`: the rule violations accepted at publication.

    Used in a drawn round:

    * `key`, `digest`, `costs`, `bounds`: as in `arrangement.Seating`.
    * `order`: with rotating partners, the order before the first turn.

    Used in a bracket:

    * `seeds`: players, best first.
    * `plan`: a description of the round.
    * `why`: for each player of the previous round, why the player advances or not.
    * `playoff`: the orders of hands played for a last place, latest first.
    * `drawn_from`: the digest of the results used for the draw, or "" for a first round and in
      older data.

    The oldest data has no version. Before version 2, `plan` and `why` were plain text, which
    `Sentence` can still read.
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
    plan: WithOwnCodec[Sentence] = field(default_factory=Sentence)
    why: tuple[tuple[int, WithOwnCodec[Sentence]], ...] = ()
    playoff: tuple[tuple[int, ...], ...] = ()
    drawn_from: str = ""
