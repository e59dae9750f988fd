"""The words that the services share: who sits down, and the two answers to an action."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.models import Match


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """Who takes a seat. `bot` is "" for people, else a strength that games.rules.bots knows.

    `extra_seconds` are added to each of the seat's turns.
    """

    name: str
    user: Any = None
    bot: str = ""
    extra_seconds: int = 0


@dataclass(frozen=True, slots=True)
class Ack:
    """An action was carried out; `version` is the match's version after it."""

    version: int
    repeated: bool = False


class Refused(Exception):
    """The request was understood and not carried out; nothing has changed.

    `code` is stable, `sentence` is for the player, `version` is the match's version now.
    """

    def __init__(self, code: str, sentence: str, version: int = 0) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.version = version


class Later(Exception):
    """Not decided yet: ask again `until` then, with the same arguments; nobody was told anything.

    Somebody else's action may be on its way that was made earlier (games/clocks/races.py).
    """

    def __init__(self, until: datetime) -> None:
        super().__init__(f"not decided before {until}")
        self.until = until


GOING = (Match.Phase.PLAYING, Match.Phase.BETWEEN)
