"""What clients may send, read strictly: docs/protocol.md describes every message."""

import json
from typing import Any, NoReturn

MAX_BYTES = 8 * 1024
MAX_DEPTH = 8
MAX_ID = 64
MAX_VERSION = 2**31 - 1

# For each type of message its fields and what they must be; all are needed, no other is allowed.
FIELDS: dict[str, dict[str, type]] = {
    "action": {"id": str, "version": int, "action": dict},
    "ping": {"version": int},
    "echo": {"n": int},
    "sync": {},
    "take_over": {},
}


class BadMessage(Exception):
    """Not a message of the protocol; the text says what was wrong and what would be right."""

    def __init__(self, sentence: str, client_id: str | None = None) -> None:
        super().__init__(sentence)
        self.client_id = client_id


def read(text: str) -> dict[str, Any]:
    """The message in `text`, with known fields of the right types; else BadMessage."""
    message = _object(text)
    client_id = message.get("id")
    try:
        _check(message)
    except BadMessage as error:
        error.client_id = client_id if isinstance(client_id, str) else None
        raise
    return message


def _object(text: str) -> dict[str, Any]:
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


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise BadMessage("The message has a key twice; each key may stand once.")
    return found


def _no_constant(name: str) -> NoReturn:
    raise BadMessage(f"{name} is not a JSON number.")


def _check(message: dict[str, Any]) -> None:
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
