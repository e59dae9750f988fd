"""Types shared by the services: the arrival of a request, and the answers to it."""

from dataclasses import dataclass
from datetime import datetime

from games.clocks.lag import NO_LAG, Lag
from games.models import Match
from games.rules.fair.signatures import DeviceSignature


@dataclass(frozen=True, slots=True)
class RequestTiming:
    """When a request is judged, when it arrived, and the lag of its socket."""

    now: datetime
    received: datetime
    lag: Lag = NO_LAG


@dataclass(frozen=True, slots=True)
class Ack:
    """Answer to a request that was carried out.

    `version` is the version of the match after it. `repeated` is true if an earlier request had the
    same effect. `receipt` is the site's signature for a message accepted for a deal.
    """

    version: int
    repeated: bool = False
    receipt: DeviceSignature | None = None


class RefusedError(Exception):
    """The request was understood but not carried out. Nothing has changed.

    `code` is stable, `sentence` is for the player, and `version` is the current version of the
    match.
    """

    def __init__(self, code: str, sentence: str, version: int = 0) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.version = version


class UndecidedError(Exception):
    """The request is not decided yet. Repeat it at `until` with the same arguments.

    Another player's earlier action may be on its way (games/clocks/races.py). Until then, no player
    is informed of anything.
    """

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


GOING = (Match.Phase.PLAYING, Match.Phase.BETWEEN)
