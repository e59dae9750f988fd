"""Column values from an untrusted file, refused unless they are valid for the column.

They must have the column's type and be within its limits.
"""

import base64
import math
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import (
    BinaryField,
    BooleanField,
    CharField,
    DateTimeField,
    Field,
    FloatField,
    IntegerField,
    TextField,
)
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from games.json_values.field import ValueField

# Beyond them no database counts; a column of fewer bits refuses what is beyond its own.
LEAST, MOST = -(2**63), 2**63 - 1
# Reading an invalid value raises one of these.
UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError)


def value_of(field: Field[Any, Any], told: object) -> object:
    """Return the value of a column in an imported row.

    Raises one of UNREADABLE for a value that the column cannot contain.
    """
    if isinstance(field, ValueField):
        return field.kind.from_json(told)
    if told is None and not field.null:
        raise ValueError(f"{field.name} needs a value")
    if told is None:
        return None
    target = field
    while target.remote_field is not None:
        target = target.target_field  # type: ignore[attr-defined]
    read = next((read for kind, read in _READ if isinstance(target, kind)), None)
    return read(target, told) if read else told


def _read_text(field: Field[Any, Any], told: object) -> str:
    if not isinstance(told, str) or "\0" in told or len(told) > (field.max_length or len(told)):
        raise ValueError(f"{field.name} is no such text")
    told.encode()
    return told


def _read_number(field: Field[Any, Any], told: object) -> int:
    if not isinstance(told, int) or isinstance(told, bool) or not LEAST <= told <= MOST:
        raise ValueError(f"{field.name} is no such number")
    return told


def _read_fraction(field: Field[Any, Any], told: object) -> float:
    if not isinstance(told, int | float) or not math.isfinite(told):
        raise ValueError(f"{field.name} is no number")
    return float(told)


def _answer(field: Field[Any, Any], told: object) -> bool:
    if not isinstance(told, bool):
        raise ValueError(f"{field.name} is neither true nor false")
    return told


def _read_moment(field: Field[Any, Any], told: object) -> datetime:
    """Parse a time within the years that every time zone supports."""
    found = parse_datetime(str(told))
    if found is None or timezone.is_naive(found) or not 1900 <= found.year <= 9000:
        raise ValueError(f"{field.name} is no moment")
    return found


def _read_bytes(_field: Field[Any, Any], told: object) -> bytes:
    return base64.b64decode(str(told), validate=True)


_READ: tuple[tuple[type[Field[Any, Any]], Callable[[Field[Any, Any], object], object]], ...] = (
    (CharField, _read_text),
    (TextField, _read_text),
    (IntegerField, _read_number),
    (FloatField, _read_fraction),
    (BooleanField, _answer),
    (DateTimeField, _read_moment),
    (BinaryField, _read_bytes),
)
