"""The protocol's JSON schema as a TypeScript declaration file, used to check the client."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from games.protocol.schema import Schema

TYPES = {"string": "string", "integer": "number", "boolean": "boolean", "null": "null"}
HEAD = "// Made by `manage.py protocol_schema` from games/protocol; not to be edited.\n"


def build_declarations(document: Schema) -> str:
    """Return `declare namespace Protocol`, with an interface or type for each definition.

    Each member of a union also declares the keys of the other members, as never present. A client
    can therefore read a key before it has checked which member an object is.
    """
    definitions = document["definitions"]
    absent = _find_absent_keys(definitions)
    bodies = [
        _declare_type(name, definition, absent.get(name, []))
        for name, definition in definitions.items()
    ]
    return f"{HEAD}\ndeclare namespace Protocol {{\n{chr(10).join(bodies)}}}\n"


def _find_absent_keys(definitions: Mapping[str, Schema]) -> dict[str, list[str]]:
    """Return, for each member of a union, the keys that only the other members have."""
    absent: dict[str, set[str]] = {}
    for union in definitions.values():
        members = [_read_name(each) for each in union.get("anyOf", [])]
        keys = {key for name in members for key in definitions[name]["properties"]}
        for name in members:
            absent.setdefault(name, set()).update(keys - definitions[name]["properties"].keys())
    return {name: sorted(keys) for name, keys in absent.items()}


def _declare_type(name: str, definition: Schema, absent: list[str]) -> str:
    if "anyOf" in definition:
        return f"  type {name} = {_write_type(definition)};\n"
    lines = [*_list_key_lines(definition), *(f"{json.dumps(key)}?: undefined" for key in absent)]
    return f"  interface {name} {{\n{''.join(f'    {line};{chr(10)}' for line in lines)}  }}\n"


def _list_key_lines(definition: Schema) -> Iterator[str]:
    for key, value in definition["properties"].items():
        mark = "" if key in definition["required"] else "?"
        yield f"{json.dumps(key)}{mark}: {_write_type(value)}"


def _write_type(schema: Schema) -> str:
    if "$ref" in schema:
        return _read_name(schema)
    if "anyOf" in schema:
        return " | ".join(_write_type(member) for member in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if schema["type"] == "array":
        item = _write_type(schema["items"])
        return f"({item})[]" if " " in item else f"{item}[]"
    if "properties" in schema:
        return f"{{ {'; '.join(_list_key_lines(schema))} }}"
    if schema["type"] == "object":
        return f"Record<string, {_write_type(schema['additionalProperties'])}>"
    return TYPES[schema["type"]]


def _read_name(reference: Mapping[str, Any]) -> str:
    return str(reference["$ref"]).rpartition("/")[2]
