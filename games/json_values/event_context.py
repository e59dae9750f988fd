"""`Match.occasion`: which match of an event it is."""

from dataclasses import dataclass
from typing import Self

from django.utils.translation import gettext, gettext_lazy

from games.json_values.shapes import Json

NAMED = {
    "": gettext_lazy("Round {round}, table {table}"),
    "quarter": gettext_lazy("Quarter-final, table {table}"),
    "semi": gettext_lazy("Semi-final, table {table}"),
}


@dataclass(frozen=True, slots=True)
class Occasion:
    """The match at this table of this round, None being the final; without a table it is none.

    `round` counts through the event; `name` is a key of NAMED, of rounds that are not counted.
    """

    table: int | None = None
    round: int | None = None
    name: str = ""

    def __bool__(self) -> bool:
        return self.table is not None

    @property
    def called(self) -> str:
        """Its name for who reads it now."""
        text = gettext("Final, table {table}") if self.round is None else str(NAMED[self.name])
        return text.format(round=self.round, table=self.table)

    @classmethod
    def from_json(cls, data: Json) -> Self:
        return cls(**data)

    def to_json(self) -> Json:
        if not self:
            return {}
        name = {"name": self.name} if self.name else {}
        return {"table": self.table, "round": self.round, **name}
