"""`Match.occasion`: which match of an event it is."""

from dataclasses import dataclass
from typing import Annotated

from django.utils.translation import gettext, gettext_lazy
from pydantic import Field

from games.json_values.codec import JsonValue

NAMED = {
    "": gettext_lazy("Round {round}, table {table}"),
    "quarter": gettext_lazy("Quarter-final, table {table}"),
    "semi": gettext_lazy("Semi-final, table {table}"),
}


@dataclass(frozen=True, slots=True)
class Occasion(JsonValue):
    """The match at this table of this round, None being the final; without a table it is none.

    `round` counts through the event; `name` is a key of NAMED, of rounds that are not counted.
    """

    table: int | None = None
    round: int | None = None
    name: Annotated[str, Field(exclude_if=lambda name: not name)] = ""

    def __bool__(self) -> bool:
        return self.table is not None

    @property
    def called(self) -> str:
        """Its name for who reads it now."""
        text = gettext("Final, table {table}") if self.round is None else str(NAMED[self.name])
        return text.format(round=self.round, table=self.table)
