"""Data about the seats of a round, stored in `Round.seating`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from games.json_values.codec import JsonValue, WithOwnCodec
from tournament.pure.sentences import Sentence


@dataclass(frozen=True, slots=True)
class AcceptedViolations:
    """Violations of essential rules that the organizer accepted when publishing the seats.

    * `broken`: a sentence about each violation.
    * `reason`: the organizer's reason for accepting them.
    """

    broken: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class RoundSeating(JsonValue):
    """How the seats of a round were chosen. Players are identified by registration key.

    Used in every round:

    * `byes`: players who advance or wait without playing.
    * `out`: players whom the organizers left out.
    * `changed`: whether seats were changed by hand after the draw.
    * `despite`: the rule violations that were accepted at publication.

    Used in a drawn round:

    * `key`, `digest`, `costs`, `bounds`: as in `arrangement.Seating`.
    * `order`: the order of players in the partner rotation, if there is one.

    Used in a bracket:

    * `seeds`: the players, best first.
    * `plan`: a description of the round.
    * `why`: pairs of a player of the previous round and the reason why that player advances or not.
    * `playoff`: the final order of each tie-break hand, latest first.
    * `drawn_from`: the digest of the results used for the draw, or "" for a first round or older
      data.

    The oldest data has no version. Before version 2, `plan` and `why` were plain text, which
    `Sentence` can still parse.
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
