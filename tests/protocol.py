"""Validation of real messages against docs/protocol.schema.json."""

import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

import fastjsonschema

DOCS = Path(__file__).resolve().parent.parent / "docs"
SCHEMA = json.loads((DOCS / "protocol.schema.json").read_text())


def validate(name: str, data: Any) -> Any:
    """Validate the data against the definition with this name, and return it.

    Data of a tagged union is validated against the definition for its tag, because an error about
    the whole union would not name the cause.

    Raises JsonSchemaValueException if the data is invalid.
    """
    if name in ("ServerMessage", "ClientMessage", "EventMessage", "Event"):
        name = map_members_by_tag(name)[data["type" if name != "Event" else "event"]]
    if name == "View":
        validate("CommentaryView" if "open" in data["view"] else "TableView", data["view"])
        validate_events(data["events"])
    return make_validator(name)(data)


def validate_events(events: Iterable[Any]) -> None:
    for event in events:
        validate("Event", event)


@cache
def make_validator(name: str) -> Callable[[Any], Any]:
    schema = {**SCHEMA, "$ref": f"#/definitions/{name}"}
    check: Callable[[Any], Any] = fastjsonschema.compile(schema)
    return check


@cache
def map_members_by_tag(union: str) -> dict[str, str]:
    """Return the names of a union's members by tag."""
    names = [member["$ref"].rpartition("/")[2] for member in SCHEMA["definitions"][union]["anyOf"]]
    return {get_tag(name): name for name in names}


def get_tag(name: str) -> str:
    properties = SCHEMA["definitions"][name]["properties"]
    (value,) = properties["event" if "event" in properties else "type"]["enum"]
    return str(value)
