"""The words that the services share: how a request arrives, and the two answers to it."""

from dataclasses import dataclass
from datetime import datetime

from games.clocks.lag import NO_LAG, Lag
from games.models import Match
from games.rules.fair.signatures import DeviceSignature


@dataclass(frozen=True, slots=True)
class RequestTiming:
    """When a request is judged, when the server received it, and the lag of its socket."""

    now: datetime
    received: datetime
    lag: Lag = NO_LAG


@dataclass(frozen=True, slots=True)
class Ack:
    """An action was carried out; `version` is the match's version after it.

    `receipt` is the site's signature of what it has taken for a deal.
    """

    version: int
    repeated: bool = False
    receipt: DeviceSignature | None = None


class RefusedError(Exception):
    """The request was understood and not carried out; nothing has changed.

    `code` is stable, `sentence` is for the player, `version` is the match's version now.
    """

    def __init__(self, code: str, sentence: str, version: int = 0) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.version = version


class UndecidedError(Exception):
    """Sign that a request is not decided yet: ask again at `until` with the same arguments.

    No one has been informed of anything. Another player's action that was made earlier may be on
    its way (games/clocks/races.py).
    """

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


GOING = (Match.Phase.PLAYING, Match.Phase.BETWEEN)
