"""Types shared by the services: the timing of requests, and the answers to them."""

from dataclasses import dataclass
from datetime import datetime

from games.clocks.lag import NO_LAG, Lag
from games.models import Match
from games.rules.fair.signatures import DeviceSignature


@dataclass(frozen=True, slots=True)
class RequestTiming:
    """When a request is judged (`now`), when it was received, and the lag of its socket."""

    now: datetime
    received: datetime
    lag: Lag = NO_LAG


@dataclass(frozen=True, slots=True)
class Ack:
    """Answer to a request that was carried out.

    * `version`: the version of the match afterwards.
    * `repeated`: true if an earlier request already had the same effect.
    * `receipt`: the site's signature for a message accepted for a deal.
    """

    version: int
    repeated: bool = False
    receipt: DeviceSignature | None = None


class RefusedError(Exception):
    """The request was not carried out. Nothing has changed.

    * `code`: a stable code for the reason.
    * `sentence`: the reason in words, for the player.
    * `version`: the current version of the match.
    """

    def __init__(self, code: str, sentence: str, version: int = 0) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.version = version


class UndecidedError(Exception):
    """The request is not decided yet. Repeat it at `until` with the same arguments.

    An earlier action of another player may still arrive (games/clocks/races.py). Until the
    decision, players see nothing of the request.
    """

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


GOING = (Match.Phase.PLAYING, Match.Phase.BETWEEN)
