"""Freeze of the public leaderboard, as stored in `Event.freeze`."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import PlainSerializer

from games.json_values.codec import JsonValue

# Sorted, because the order of a set varies but its JSON must not.
Keys = Annotated[frozenset[int], PlainSerializer(sorted)]


@dataclass(frozen=True)
class Freeze(JsonValue):
    """A freeze of the public leaderboard.

    * `at`: the time of the freeze, or None if the leaderboard is not frozen. Later results are
      hidden from the public.
    * `results`: keys of the results entered by hand that counted at that time.
    * `qualifiers`: keys of the qualifiers for later stages who were known at that time.
    * `shown_from`: the best rank revealed to the public, or None before the reveal. Places are
      revealed from last to first.
    """

    at: Annotated[datetime, PlainSerializer(datetime.isoformat)] | None = None
    results: Keys = frozenset()
    qualifiers: Keys = frozenset()
    shown_from: int | None = None

    def __bool__(self) -> bool:
        return self.at is not None

    @classmethod
    def from_json(cls, data: Any) -> Self:
        return super().from_json(data or {})

    @property
    def revealing(self) -> bool:
        return self.shown_from is not None


NOT_FROZEN = Freeze()
