"""Columns of a student list, and conditions on their values."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from games.rules.text import _, gettext_noop
from tournament.pure.invisible import JOINERS
from tournament.pure.lists.headings import parse_column_heading
from tournament.pure.texts import clean_text, shorten_cell


@dataclass(frozen=True)
class ListColumn:
    """A column of the list.

    * `title`: the title, which is translated when it is shown.
    * `limit`: the maximum length of a text.
    * `required`: whether the text may not be empty.
    """

    title: str
    limit: int
    required: bool = False


COLUMNS: dict[str, ListColumn] = {
    "roll_number": ListColumn(gettext_noop("roll number"), 40, required=True),
    "name": ListColumn(gettext_noop("name"), 120, required=True),
    "email": ListColumn(gettext_noop("email address"), 254),
    "department": ListColumn(gettext_noop("department"), 120),
    "programme": ListColumn(gettext_noop("programme"), 60),
    "year": ListColumn(gettext_noop("year"), 20),
}


EXAMPLE = "department = Chemical Engineering"


@dataclass(frozen=True)
class UnmetCondition:
    """A condition that a student does not meet.

    * `field`: a key of COLUMNS.
    * `wanted`: the required text.
    * `found`: the student's text.
    * `sentence`: an explanation for the student.
    """

    field: str
    wanted: str
    found: str
    sentence: str


def normalize_value(text: str) -> str:
    """Normalize a text for comparison. Case, spaces and joiners are ignored."""
    folded = unicodedata.normalize("NFKC", clean_text(text)).casefold()
    return "".join(character for character in folded if character not in JOINERS + " ")


def unmet_conditions(
    student: Mapping[str, str], conditions: Iterable[Mapping[str, str]]
) -> list[UnmetCondition]:
    """Return the conditions that a student does not meet.

    * `student`: the student's texts by key of COLUMNS.
    * `conditions`: conditions such as {"field": "programme", "value": "UG"}.
    """
    unmet = []
    for condition in conditions:
        name, required = condition["field"], condition["value"]
        actual = clean_text(student.get(name, ""))
        if normalize_value(actual) != normalize_value(required):
            sentence = _choose_unmet_text(actual).format(
                column=_(COLUMNS[name].title), wanted=required, has=actual
            )
            unmet.append(UnmetCondition(name, required, actual, sentence))
    return unmet


def _choose_unmet_text(actual: str) -> str:
    if actual:
        return _(
            "This event is for students whose {column} is {wanted}; on the eligibility "
            "list, yours is “{has}”."
        )
    return _(
        "This event is for students whose {column} is {wanted}; on the eligibility "
        "list, yours is empty."
    )


def parse_conditions(text: str) -> list[dict[str, str]]:
    """Parse conditions such as "department = Chemical Engineering and programme = UG".

    Raises ValueError with a message for the user.
    """
    conditions = []
    for part in re.split(r"\s+and\s+(?=[^=]+=)|\s*[;\n]\s*", text.strip()):
        if not part.strip():
            continue
        name, equals_sign, value = part.partition("=")
        column = parse_column_heading(name)
        if not equals_sign or not value.strip() or column is None:
            text = _(
                "“{part}” is not a condition. Write a condition like {example}, using any of "
                "these columns: {names}."
            )
            # Not translated, because these names are recognized in every language.
            names = ", ".join(column.title for column in COLUMNS.values())
            raise ValueError(text.format(part=shorten_cell(part), example=EXAMPLE, names=names))
        conditions.append({"field": column, "value": clean_text(value)})
    return conditions
