"""`Match.occasion`: which match of an event it is. Pure."""

from dataclasses import dataclass
from typing import Self

from games.stored.shapes import Json


@dataclass(frozen=True, slots=True)
class Occasion:
    """The match at this table of this round, None being the final; without a table it is none."""

    table: int | None = None
    round: int | None = None

    def __bool__(self) -> bool:
        return self.table is not None

    @classmethod
    def from_json(cls, data: Json) -> Self:
        return cls(**data)

    def to_json(self) -> Json:
        return {"table": self.table, "round": self.round} if self else {}
