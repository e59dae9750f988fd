"""What clients may send, read strictly: docs/protocol.md describes every message."""

import json
from typing import Any, NoReturn, cast, get_args, get_type_hints

from games.protocol import ClientMessage

MAX_BYTES = 8 * 1024
MAX_DEPTH = 8
MAX_ID = 64
MAX_VERSION = 2**31 - 1

# What clients send, before it is known to be a message.
Foreign = dict[str, Any]


def _fields(message: type) -> tuple[str, dict[str, type]]:
    """The type of a message and its fields; what is inside an action is read by the rules."""
    hints = get_type_hints(message)
    (kind,) = get_args(hints.pop("type"))
    return kind, {name: hint if hint in (str, int) else dict for name, hint in hints.items()}


# For each type of message its fields and what they must be; all are needed, no other is allowed.
FIELDS = dict(map(_fields, get_args(ClientMessage)))


class BadMessage(Exception):
    """Not a message of the protocol; the text says what was wrong and what would be right."""

    def __init__(self, sentence: str, client_id: str | None = None) -> None:
        super().__init__(sentence)
        self.client_id = client_id


def read(text: str) -> ClientMessage:
    """The message in `text`, with known fields of the right types; else BadMessage."""
    message = _object(text)
    client_id = message.get("id")
    try:
        _check(message)
    except BadMessage as error:
        error.client_id = client_id if isinstance(client_id, str) else None
        raise
    return cast(ClientMessage, message)


def _object(text: str) -> Foreign:
    if _depth(text) > MAX_DEPTH:
        raise BadMessage(f"The message is nested more than {MAX_DEPTH} deep.")
    try:
        text.encode()
        message = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
        json.dumps(message, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise BadMessage("The message has half of a surrogate pair, which is no text.") from error
    except ValueError as error:
        raise BadMessage(f"The message is not JSON: {error}.") from error
    if not isinstance(message, dict):
        raise BadMessage('The message must be a JSON object such as {"type": "sync"}.')
    return message


def _depth(text: str) -> int:
    """An upper bound on nesting, counted before any parser sees the text."""
    depth = deepest = 0
    for char in text:
        if char in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif char in "]}":
            depth -= 1
    return deepest


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise BadMessage("The message has a key twice; each key may stand once.")
    return found


def _no_constant(name: str) -> NoReturn:
    raise BadMessage(f"{name} is not a JSON number.")


def _check(message: Foreign) -> None:
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise BadMessage(f'"type" must be one of: {", ".join(FIELDS)}.')
    fields = FIELDS[kind]
    if extra := message.keys() - fields.keys() - {"type"}:
        raise BadMessage(f"A message {kind!r} has no {min(extra)!r}.")
    for name, wanted in fields.items():
        if type(message.get(name)) is not wanted:
            raise BadMessage(f"A message {kind!r} needs {name!r} as {_in_json(wanted)}.")
    if "version" in fields and not 0 <= message["version"] <= MAX_VERSION:
        raise BadMessage('"version" must be the version of the last view.')
    if "id" in fields and not _good_id(message["id"]):
        raise BadMessage(f'"id" must have 1 to {MAX_ID} printable characters.')


def _good_id(client_id: str) -> bool:
    return 1 <= len(client_id) <= MAX_ID and client_id.isprintable()


def _in_json(wanted: type) -> str:
    return {str: "a text", int: "a whole number", dict: "an object"}[wanted]
