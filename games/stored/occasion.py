"""`Match.occasion`: which match of an event it is."""

from dataclasses import dataclass
from typing import Self

from django.utils.translation import gettext

from games.stored.shapes import Json


@dataclass(frozen=True, slots=True)
class Occasion:
    """The match at this table of this round, None being the final; without a table it is none."""

    table: int | None = None
    round: int | None = None

    def __bool__(self) -> bool:
        return self.table is not None

    @property
    def called(self) -> str:
        """Its name for who reads it now."""
        text = gettext("Round {round}, table {table}")
        if self.round is None:
            text = gettext("Final, table {table}")
        return text.format(round=self.round, table=self.table)

    @classmethod
    def from_json(cls, data: Json) -> Self:
        return cls(**data)

    def to_json(self) -> Json:
        return {"table": self.table, "round": self.round} if self else {}
