"""Check that a mapping has an entry for every member of an enumeration."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import TypeVar

Kind = TypeVar("Kind", bound=Enum)
Row = TypeVar("Row")


class UncoveredKindError(Exception):
    """Raised if a mapping lacks an entry for a member of the enumeration."""


def check_complete(kinds: Iterable[Kind], rows: Mapping[Kind, Row]) -> Mapping[Kind, Row]:
    """Check that `rows` has an entry for each of the `kinds`, and return `rows`.

    Raises UncoveredKindError with the missing kinds.
    """
    if missing := [kind.name for kind in kinds if kind not in rows]:
        raise UncoveredKindError(", ".join(missing))
    return rows
