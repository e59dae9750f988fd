"""Validating column values from an untrusted file.

A value must have the column's type and be within its limits.
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

# Limits of integers in the database. Columns with fewer bits refuse larger values themselves.
LEAST, MOST = -(2**63), 2**63 - 1
# Exceptions that reading an invalid value can raise.
UNREADABLE = (ValueError, TypeError, AttributeError, LookupError, ArithmeticError, RecursionError)


def read_value(field: Field[Any, Any], value: object) -> object:
    """Return the value of a column in an imported row.

    Raises one of `UNREADABLE` if the column cannot have this value.
    """
    if isinstance(field, ValueField):
        return field.kind.from_json(value)
    if value is None and not field.null:
        raise ValueError(f"{field.name} needs a value")
    if value is None:
        return None
    target = field
    while target.remote_field is not None:
        target = target.target_field  # type: ignore[attr-defined]
    read = next((read for kind, read in _READ if isinstance(target, kind)), None)
    return read(target, value) if read else value


def _read_text(field: Field[Any, Any], value: object) -> str:
    if not isinstance(value, str) or "\0" in value or len(value) > (field.max_length or len(value)):
        raise ValueError(f"{field.name} is not a text that fits")
    value.encode()
    return value


def _read_number(field: Field[Any, Any], value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not LEAST <= value <= MOST:
        raise ValueError(f"{field.name} is not an integer that fits")
    return value


def _read_fraction(field: Field[Any, Any], value: object) -> float:
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{field.name} is not a number")
    return float(value)


def _read_flag(field: Field[Any, Any], value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{field.name} is neither true nor false")
    return value


def _read_moment(field: Field[Any, Any], value: object) -> datetime:
    """Parse a time, within the years that every time zone supports."""
    moment = parse_datetime(str(value))
    if moment is None or timezone.is_naive(moment) or not 1900 <= moment.year <= 9000:
        raise ValueError(f"{field.name} is not a valid time")
    return moment


def _read_bytes(_field: Field[Any, Any], value: object) -> bytes:
    return base64.b64decode(str(value), validate=True)


_READ: tuple[tuple[type[Field[Any, Any]], Callable[[Field[Any, Any], object], object]], ...] = (
    (CharField, _read_text),
    (TextField, _read_text),
    (IntegerField, _read_number),
    (FloatField, _read_fraction),
    (BooleanField, _read_flag),
    (DateTimeField, _read_moment),
    (BinaryField, _read_bytes),
)
