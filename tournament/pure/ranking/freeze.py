"""When the public leaderboard was frozen, and which data it still includes (`Event.freeze`)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import PlainSerializer

from games.json_values.codec import JsonValue

# The order of a set varies, so the keys are sorted for JSON.
Keys = Annotated[frozenset[int], PlainSerializer(sorted)]


@dataclass(frozen=True)
class Freeze(JsonValue):
    """A freeze of the public leaderboard.

    * `at`: the public sees nothing later than this. None means that nothing is frozen.
    * `results`: keys of the manual entries that counted at that time.
    * `qualifiers`: keys of the places in later stages that were known at that time.
    * `shown_from`: while places are revealed from last to first, the best rank shown so far. None
      before that.
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
