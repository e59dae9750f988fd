"""JSON schema of the protocol's types.

Only the types used by the protocol are supported: TypedDicts and unions of them, lists, objects
with arbitrary keys or with some keys of another type, literals, strings, integers, booleans and
null.
"""

from collections.abc import Iterator, Mapping
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from games.protocol.partial import Some

# A JSON schema, or a part of one.
Schema = dict[str, Any]

PLAIN = {str: "string", int: "integer", bool: "boolean", NoneType: "null"}


def build_schema(named: Mapping[str, object], version: int) -> Schema:
    """Return the JSON schema (draft 7) of these types and of all types that they refer to.

    Raises ValueError if two types have the same name, and TypeError if a type is not supported.
    """
    types = dict(_list_named_types(named))
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "The protocol of Lastcard's sockets",
        "version": version,
        "definitions": {name: _build_definition(types[name], named) for name in sorted(types)},
    }


def _list_named_types(named: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the name and the type of every definition.

    A union has the name given in `named`. A TypedDict has its own name.
    """
    definitions: dict[str, object] = {}
    waiting = list(named.items())
    while waiting:
        name, hint = waiting.pop()
        if definitions.setdefault(name, hint) != hint:
            raise ValueError(f"Two types are called {name}.")
        yield name, hint
        inside = get_type_hints(hint).values() if is_typeddict(hint) else get_args(hint)
        parts = [part for one in inside for part in _find_typed_dicts(one)]
        waiting += [
            (part.__name__, part) for part in parts if definitions.get(part.__name__) != part
        ]


def _find_typed_dicts(hint: object) -> Iterator[type]:
    """Yield the TypedDicts inside a type, or the type itself if it is one."""
    if isinstance(hint, type) and is_typeddict(hint):
        yield hint
    else:
        for member in get_args(hint):
            yield from _find_typed_dicts(member)


def _build_definition(hint: object, named: Mapping[str, object]) -> Schema:
    if not is_typeddict(hint):
        return {"anyOf": [_build_schema(member, named) for member in get_args(hint)]}
    hints = get_type_hints(hint)
    return {
        "type": "object",
        "properties": {key: _build_schema(value, named) for key, value in hints.items()},
        "required": sorted(hint.__required_keys__),  # type: ignore[attr-defined]
        "additionalProperties": False,
    }


def _build_schema(hint: object, named: Mapping[str, object]) -> Schema:
    for name, named_hint in named.items():
        if hint == named_hint:
            return _build_reference(name)
    if isinstance(hint, type) and is_typeddict(hint):
        return _build_reference(hint.__name__)
    if isinstance(hint, type) and hint in PLAIN:
        return {"type": PLAIN[hint]}
    return _compose_schema(hint, named)


def _build_reference(name: str) -> Schema:
    return {"$ref": f"#/definitions/{name}"}


def _compose_schema(hint: object, named: Mapping[str, object]) -> Schema:
    arguments = get_args(hint)
    match get_origin(hint):
        case origin if origin is Some:
            return {**_build_definition(arguments[0], named), "required": []}
        case origin if origin is Literal:
            return {"enum": list(arguments)}
        case origin if origin in (Union, UnionType):
            return {"anyOf": [_build_schema(member, named) for member in arguments]}
        case origin if origin is list:
            return {"type": "array", "items": _build_schema(arguments[0], named)}
        case origin if origin is dict and arguments[0] is str:
            return {"type": "object", "additionalProperties": _build_schema(arguments[1], named)}
    raise TypeError(f"{hint!r} is not supported in the protocol.")
