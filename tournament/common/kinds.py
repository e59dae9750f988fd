"""Check that a table has a row for each member of an enumeration."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import TypeVar

Kind = TypeVar("Kind", bound=Enum)
Row = TypeVar("Row")


class UncoveredKindError(Exception):
    """Raised when a table lacks a row for one of the kinds."""


def cover(kinds: Iterable[Kind], rows: Mapping[Kind, Row]) -> Mapping[Kind, Row]:
    """Return `rows` after checking that they include each of the `kinds`.

    Raises:
        UncoveredKindError: names the kinds that have no row.
    """
    if missing := [kind.name for kind in kinds if kind not in rows]:
        raise UncoveredKindError(", ".join(missing))
    return rows
