"""Checks of values in JSON from untrusted sources.

Error messages begin with ``location``, which is the position of the value in the JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class InvalidJsonError(ValueError):
    """The JSON does not have the expected form. The message says where and why."""


def required_value(data: Mapping[str, object], key: str, location: str = "") -> Any:
    """Return the value under ``key``.

    ``location`` ends with a colon and a space, or is empty.

    Raises InvalidJsonError if the key is missing.
    """
    if key not in data:
        raise InvalidJsonError(f'{location}missing key "{key}"')
    return data[key]


def is_int(value: object) -> bool:
    """Return whether the value is an integer and not a boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


def integer_of(value: object, least: int, location: str) -> int:
    """Return ``value`` if it is an integer of at least ``least``.

    Raises InvalidJsonError otherwise.
    """
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidJsonError(f"{location}: {value!r} is not a whole number of at least {least}")
    return value


def integers_of(value: object, location: str) -> tuple[int, ...]:
    """Return ``value`` as a tuple if it is a list of integers of at least 0.

    Raises InvalidJsonError otherwise.
    """
    return tuple(integer_of(each, 0, location) for each in list_of(value, location))


def seat_of(value: object, seats: int, location: str) -> int:
    """Return ``value`` if it is an integer from 0 to ``seats`` - 1.

    Raises InvalidJsonError otherwise.
    """
    if not is_int(value) or not 0 <= value < seats:  # type: ignore[operator]
        raise InvalidJsonError(
            f"{location}: {value!r} is not a seat: the seats are 0 to {seats - 1}"
        )
    return value  # type: ignore[return-value]


def list_of(value: object, location: str) -> list[Any]:
    """Return ``value`` if it is a list. Its items are not checked.

    Raises InvalidJsonError otherwise.
    """
    if not isinstance(value, list):
        raise InvalidJsonError(f"{location}: expected a list, got {value!r}")
    return value


def object_of(value: object, location: str) -> dict[str, Any]:
    """Return ``value`` if it is an object. Its values are not checked.

    Raises InvalidJsonError otherwise.
    """
    if not isinstance(value, dict):
        raise InvalidJsonError(f"{location}: expected an object, got {value!r}")
    return value


def text_of(value: object, location: str) -> str:
    """Return ``value`` if it is a string that can be encoded as UTF-8.

    Raises InvalidJsonError otherwise.
    """
    if not isinstance(value, str):
        raise InvalidJsonError(f"{location}: {value!r} is not text")
    if any("\ud800" <= c <= "\udfff" for c in value):
        raise InvalidJsonError(
            f"{location}: {value!r} contains half a character, which no file can hold"
        )
    return value


def bytes_of(value: object, size: int, location: str) -> bytes:
    """Decode ``value``, which must consist of ``size`` bytes in lower-case hexadecimal digits.

    Raises InvalidJsonError if it does not.
    """
    text = text_of(value, location)
    if len(text) != 2 * size or not set(text) <= set("0123456789abcdef"):
        raise InvalidJsonError(
            f"{location}: expected {size} bytes in lower-case hex, got {value!r}"
        )
    return bytes.fromhex(text)


def check_keys(data: Mapping[str, object], known: frozenset[str], location: str) -> None:
    """Check that the object has only known keys.

    Raises InvalidJsonError if it has any others.
    """
    for key in data:
        if key not in known:
            raise InvalidJsonError(f"{location}: {key!r} is not one of {', '.join(sorted(known))}")
