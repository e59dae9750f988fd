"""Specification of a match: the arguments of `create_match`."""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from itertools import chain, count
from typing import Any

from games.json_values.event_context import Occasion
from games.json_values.shapes import Links
from games.models import Match
from games.rules.clusters import shorten

# How many seconds a match with people waits for their shares in the first deal.
SHARE_SECONDS = 5


@dataclass(frozen=True, slots=True)
class SeatSpec:
    """The holder of a seat.

    * `bot`: "" for a person, otherwise a strength known to games.rules.bots.bots.
    * `guest`: the key of a player without an account. Only possible in practice.
    * `look`: the account's avatar (games.protocol.faces).
    * `extra_seconds`: added to every turn of the seat.
    """

    name: str
    user: Any = None
    bot: str = ""
    extra_seconds: int = 0
    guest: str = ""
    look: str = ""


def number_duplicate_name(name: str, others: Container[str]) -> str:
    """Return the name, with a number appended if another player at the table has the same name.

    `others` are casefolded names. Names must differ, because players are called and caught by name.
    """
    names = chain([name], (f"{shorten(name, 36)} {number}" for number in count(2)))
    return next(each for each in names if each.casefold() not in others)


@dataclass(frozen=True, slots=True)
class TableHeading:
    """Title of a match, topic of its news, and links at its table.

    A match of an event has an occasion instead of a title, which is shown in the reader's language.
    """

    title: str = ""
    occasion: Occasion = field(default_factory=Occasion)
    topic: str = ""
    links: Links = field(default_factory=Links)


@dataclass(frozen=True, slots=True)
class Pace:
    """Durations in a match, such as turns and pauses. models.Match explains them."""

    turn_seconds: int = 25
    bank_seconds: int = 0
    absence_seconds: int = 0
    bot_seconds: float = 1.2
    between_seconds: int = 12
    share_seconds: int = 0


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits that end a match before the target: a number of hands, or a time."""

    hand_limit: int | None = None
    ends_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CarriedHands:
    """Hands that the table has already played, in another match or with physical cards.

    * `before`: for each of these hands, the points by seat.
    * `continues`: the match in which they were played, if any.
    """

    before: Sequence[Sequence[int]] = ()
    continues: Match | None = None


@dataclass(frozen=True, slots=True)
class SpectatorRules:
    """Rules for what people without a seat may see.

    * `viewers`, `viewer_delay_seconds`: when they see the moves.
    * `replays`: when they may see all cards of a hand.
    * `commentary`: whether commentators may see the cards during play. The table then says so.
    * `viewers_until`: viewers see nothing that happens after this time.
    """

    viewers: str = Match.Viewers.LIVE
    viewer_delay_seconds: int = 0
    replays: str = Match.Replays.OVER
    commentary: bool = False
    viewers_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """Specification of a match: rules with options, seats in order, and all other settings."""

    ruleset: str
    options: Mapping[str, object]
    seats: Sequence[SeatSpec]
    about: TableHeading = field(default_factory=TableHeading)
    pace: Pace = field(default_factory=Pace)
    limits: Limits = field(default_factory=Limits)
    watching: SpectatorRules = field(default_factory=SpectatorRules)
    carried: CarriedHands = field(default_factory=CarriedHands)
    practice: bool = False

    def columns(self) -> dict[str, Any]:
        """Return the values of the match's columns by name, without `options`."""
        parts = (self.about, self.pace, self.limits, self.watching, self.carried)
        named = {each.name: getattr(part, each.name) for part in parts for each in fields(part)}
        return {"ruleset": self.ruleset, "practice": self.practice, **named}
