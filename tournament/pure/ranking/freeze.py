"""`Event.freeze`: when the public leaderboard was frozen, and what it still counts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self


@dataclass(frozen=True)
class Freeze:
    """A freeze of the leaderboard: the public learns nothing later than `at`.

    None for `at` means that nothing is frozen. `results`: keys of the entries by hand that
    counted then. `qualifiers`: keys of the places in later stages that were known. `shown_from`:
    the best rank that is shown while places are revealed from the last one on; None before that.
    """

    at: datetime | None = None
    results: frozenset[int] = frozenset()
    qualifiers: frozenset[int] = frozenset()
    shown_from: int | None = None

    def __bool__(self) -> bool:
        return self.at is not None

    @property
    def revealing(self) -> bool:
        return self.shown_from is not None

    @classmethod
    def from_json(cls, data: Any) -> Self:
        if not data:
            return cls()
        return cls(
            at=datetime.fromisoformat(data["at"]),
            results=frozenset(data["results"]),
            qualifiers=frozenset(data["qualifiers"]),
            shown_from=data["shown_from"],
        )

    def to_json(self) -> dict[str, object]:
        if self.at is None:
            return {}
        return {
            "at": self.at.isoformat(),
            "results": sorted(self.results),
            "qualifiers": sorted(self.qualifiers),
            "shown_from": self.shown_from,
        }


NOT_FROZEN = Freeze()
