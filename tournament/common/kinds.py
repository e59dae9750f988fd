"""Tables with a row for each kind, checked at import."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import TypeVar

Kind = TypeVar("Kind", bound=Enum)
Row = TypeVar("Row")


class UncoveredKindError(Exception):
    """Error for a table without a row for one of the kinds."""


def cover(kinds: Iterable[Kind], rows: Mapping[Kind, Row]) -> Mapping[Kind, Row]:
    """Return the table `rows` if it has a row for each of the `kinds`.

    Raises:
        UncoveredKindError: with the kinds that have no row.
    """
    if missing := [kind.name for kind in kinds if kind not in rows]:
        raise UncoveredKindError(", ".join(missing))
    return rows
