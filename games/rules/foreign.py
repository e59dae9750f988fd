"""Values of JSON that somebody else wrote: each is looked at before it is used.

``where`` begins the sentence of what is wrong, and says in which place of the JSON it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class InvalidJson(ValueError):
    """The JSON is not what is wanted; the message says where and why."""


def need(data: Mapping[str, object], key: str, where: str = "") -> Any:
    """What stands under the key; ``where`` ends with a colon and a blank, or is empty."""
    if key not in data:
        raise InvalidJson(f'{where}missing key "{key}"')
    return data[key]


def is_int(value: object) -> bool:
    """Whether this is a JSON whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def whole(value: object, least: int, where: str) -> int:
    """A whole number that is not below the least."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidJson(f"{where}: {value!r} is not a whole number of at least {least}")
    return value


def wholes(value: object, where: str) -> tuple[int, ...]:
    """A list of whole numbers from 0 on."""
    return tuple(whole(each, 0, where) for each in list_of(value, where))


def seat_of(value: object, seats: int, where: str) -> int:
    """One of so many seats, counted from 0."""
    if not is_int(value) or not 0 <= value < seats:  # type: ignore[operator]
        raise InvalidJson(f"{where}: {value!r} is not a seat: the seats are 0 to {seats - 1}")
    return value  # type: ignore[return-value]


def list_of(value: object, where: str) -> list[Any]:
    """A list of whatever."""
    if not isinstance(value, list):
        raise InvalidJson(f"{where}: expected a list, got {value!r}")
    return value


def object_of(value: object, where: str) -> dict[str, Any]:
    """An object of whatever."""
    if not isinstance(value, dict):
        raise InvalidJson(f"{where}: expected an object, got {value!r}")
    return value


def text_of(value: object, where: str) -> str:
    """A text that can be written to a file."""
    if not isinstance(value, str):
        raise InvalidJson(f"{where}: {value!r} is not text")
    if any("\ud800" <= c <= "\udfff" for c in value):
        raise InvalidJson(f"{where}: {value!r} contains half a character, which no file can hold")
    return value


def bytes_of(value: object, size: int, where: str) -> bytes:
    """So many bytes, written as hexadecimal digits in lower case."""
    text = text_of(value, where)
    if len(text) != 2 * size or not set(text) <= set("0123456789abcdef"):
        raise InvalidJson(f"{where}: expected {size} bytes in lower-case hex, got {value!r}")
    return bytes.fromhex(text)


def check_keys(data: Mapping[str, object], known: frozenset[str], where: str) -> None:
    """Invalid if there is any key but these."""
    for key in data:
        if key not in known:
            raise InvalidJson(f"{where}: {key!r} is not one of {', '.join(sorted(known))}")
