"""`Match.occasion`: the round and table of a match in its event."""

from dataclasses import dataclass
from typing import Annotated

from django.utils.translation import gettext, gettext_lazy
from pydantic import Field

from games.json_values.codec import JsonValue

ROUND_LABELS = {
    "": gettext_lazy("Round {round}, table {table}"),
    "quarter": gettext_lazy("Quarter-final, table {table}"),
    "semi": gettext_lazy("Semi-final, table {table}"),
}


@dataclass(frozen=True, slots=True)
class Occasion(JsonValue):
    """Round and table of a match in its event. False in a boolean context if there is no table.

    * `round`: numbered across all stages of the event, and None for the final.
    * `name`: a key of ROUND_LABELS, for rounds with a name instead of a number.
    """

    table: int | None = None
    round: int | None = None
    name: Annotated[str, Field(exclude_if=lambda name: not name)] = ""

    def __bool__(self) -> bool:
        return self.table is not None

    @property
    def label(self) -> str:
        """Name of the round and table, in the reader's language."""
        text = (
            gettext("Final, table {table}") if self.round is None else str(ROUND_LABELS[self.name])
        )
        return text.format(round=self.round, table=self.table)
