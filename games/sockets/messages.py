"""Strict parser for the messages that clients may send.

docs/protocol.md describes every message.
"""

import json
import re
from typing import Any, NoReturn, cast, get_args, get_type_hints

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.protocol import ClientMessage

MAX_BYTES = 8 * 1024
MAX_DEPTH = 8
MAX_ID = 64
MAX_VERSION = 2**31 - 1

# Client input that has not been validated yet.
Foreign = dict[str, Any]


def _list_fields(message: type) -> tuple[str, dict[str, type]]:
    """Return the name of a message's type, and the type of each of its other fields.

    Objects are not described further, because the rules parse the content of an action.
    """
    hints = get_type_hints(message)
    (kind,) = get_args(hints.pop("type"))
    return kind, {name: hint if hint in (str, int) else dict for name, hint in hints.items()}


# Types of the fields that are allowed in each type of message.
FIELDS = dict(map(_list_fields, get_args(ClientMessage)))
OPTIONAL = frozenset[str]().union(*(each.__optional_keys__ for each in get_args(ClientMessage)))
NEEDED = {
    str: gettext_noop("{kind!r} messages must include {key!r} as a string."),
    int: gettext_noop("{kind!r} messages must include {key!r} as an integer."),
    dict: gettext_noop("{kind!r} messages must include {key!r} as an object."),
}


class InvalidMessageError(Exception):
    """The client sent an invalid message. The text says what is wrong and how to correct it."""

    def __init__(self, sentence: str, client_id: str | None = None) -> None:
        super().__init__(sentence)
        self.client_id = client_id


# Usual form of the messages that every client sends every few seconds.
_PING = re.compile(rb'\{"type": ?"ping", ?"version": ?(0|[1-9]\d{0,9})\}')
_ECHO = re.compile(rb'\{"type": ?"echo", ?"n": ?(0|[1-9]\d{0,9})\}')


def parse_simple(text: bytes) -> ClientMessage | None:
    """Return a ping or an echo that has the usual form, or None for any other text.

    `read` parses all other messages.
    """
    if (matched := _PING.fullmatch(text)) and (version := int(matched[1])) <= MAX_VERSION:
        return {"type": "ping", "version": version}
    matched = _ECHO.fullmatch(text)
    return {"type": "echo", "n": int(matched[1])} if matched else None


def read(text: str) -> ClientMessage:
    """Parse a message, and check that it has only allowed fields of the right types.

    Raises InvalidMessageError if it is not valid.
    """
    message = _parse_object(text)
    client_id = message.get("id")
    try:
        _check_message(message)
    except InvalidMessageError as error:
        error.client_id = client_id if isinstance(client_id, str) else None
        raise
    return cast(ClientMessage, message)


def _parse_object(text: str) -> Foreign:
    if text.count("[") + text.count("{") > MAX_DEPTH and _bound_depth(text) > MAX_DEPTH:
        raise InvalidMessageError(
            _("The message is nested more than {most} levels deep.").format(most=MAX_DEPTH)
        )
    try:
        text.encode()
        message = json.loads(
            text, object_pairs_hook=_reject_duplicate_keys, parse_constant=_reject_constant
        )
        if "\\u" in text:
            json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        text = _("The message contains half of a surrogate pair, which isn’t valid text.")
        raise InvalidMessageError(text) from error
    except ValueError as error:
        text = _("The message isn’t valid JSON: {error}.")
        raise InvalidMessageError(text.format(error=error)) from error
    if not isinstance(message, dict):
        text = _("The message must be a JSON object such as {example}.")
        raise InvalidMessageError(text.format(example='{"type": "sync"}'))
    return message


def _bound_depth(text: str) -> int:
    """Return an upper bound on the nesting depth, without parsing the text."""
    depth = deepest = 0
    for char in text:
        if char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def _reject_duplicate_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise InvalidMessageError(_("The message repeats a key. Each key may appear only once."))
    return data


def _reject_constant(name: str) -> NoReturn:
    raise InvalidMessageError(_("{name} isn’t a JSON number.").format(name=name))


def _check_message(message: Foreign) -> None:
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        text = _("“type” must be one of: {types}.")
        raise InvalidMessageError(text.format(types=", ".join(FIELDS)))
    fields = FIELDS[kind]
    if extra := message.keys() - fields.keys() - {"type"}:
        text = _("{kind!r} messages don’t take {key!r}.")
        raise InvalidMessageError(text.format(kind=kind, key=min(extra)))
    for name, expected_type in fields.items():
        if name in OPTIONAL and name not in message:
            continue
        if type(message.get(name)) is not expected_type:
            raise InvalidMessageError(_(NEEDED[expected_type]).format(kind=kind, key=name))
    if "version" in fields and not 0 <= message["version"] <= MAX_VERSION:
        raise InvalidMessageError(_("“version” must be the version of the latest view."))
    if "id" in fields and not _is_valid_id(message["id"]):
        text = _("“id” must be 1 to {most} printable characters long.")
        raise InvalidMessageError(text.format(most=MAX_ID))


def _is_valid_id(client_id: str) -> bool:
    return 1 <= len(client_id) <= MAX_ID and client_id.isprintable()
