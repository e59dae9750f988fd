"""When the public leaderboard was frozen, and the data that it still counts (`Event.freeze`)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import PlainSerializer

from games.json_values.codec import JsonValue

# Sets have no order, so the keys are sorted for JSON.
Keys = Annotated[frozenset[int], PlainSerializer(sorted)]


@dataclass(frozen=True)
class Freeze(JsonValue):
    """A freeze of the leaderboard: nothing later than `at` is shown to the public.

    If `at` is None, nothing is frozen. `results` are the keys of the manual entries that counted
    then, and `qualifiers` the keys of the places in later stages that were known. `shown_from` is
    the best rank shown while places are revealed from last to first, or None before that.
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
