"""Tests of the schema and the declarations that are generated from the protocol's types."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypedDict, get_args

import pytest

from games.models import Match
from games.protocol import table
from games.protocol.declarations import build_declarations
from games.protocol.schema import build_schema
from tests.protocol import DOCS, SCHEMA
from tournament.management.commands.protocol_schema import generate_files


class Apple(TypedDict):
    kind: Literal["apple"]
    weights: list[int]


class Pear(TypedDict):
    kind: Literal["pear"]
    eaten: dict[str, bool | None]


class Crate(TypedDict):
    marks: set[int]


FRUIT = {"Fruit": Apple | Pear}


@pytest.mark.parametrize("name", ["protocol.schema.json", "protocol.d.ts"])
def test_schema_files_match_the_types(name: str) -> None:
    """Check that the files are up to date. Run `manage.py protocol_schema` to update them."""
    assert (DOCS / name).read_text() == generate_files()[name]


def test_schema_defines_each_type_and_allows_no_extra_keys() -> None:
    assert build_schema(FRUIT, 7) == {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "The protocol of Lastcard's sockets",
        "version": 7,
        "definitions": {
            "Apple": {
                "type": "object",
                "properties": {
                    "kind": {"enum": ["apple"]},
                    "weights": {"type": "array", "items": {"type": "integer"}},
                },
                "required": ["kind", "weights"],
                "additionalProperties": False,
            },
            "Fruit": {
                "anyOf": [{"$ref": "#/definitions/Apple"}, {"$ref": "#/definitions/Pear"}],
            },
            "Pear": {
                "type": "object",
                "properties": {
                    "kind": {"enum": ["pear"]},
                    "eaten": {
                        "type": "object",
                        "additionalProperties": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
                    },
                },
                "required": ["eaten", "kind"],
                "additionalProperties": False,
            },
        },
    }


def test_union_members_declare_the_keys_of_all_members() -> None:
    assert build_declarations(build_schema(FRUIT, 1)).partition("\n\n")[2] == (
        "declare namespace Protocol {\n"
        "  interface Apple {\n"
        '    "kind": "apple";\n'
        '    "weights": number[];\n'
        '    "eaten"?: undefined;\n'
        "  }\n"
        "\n"
        "  type Fruit = Apple | Pear;\n"
        "\n"
        "  interface Pear {\n"
        '    "kind": "pear";\n'
        '    "eaten": Record<string, boolean | null>;\n'
        '    "weights"?: undefined;\n'
        "  }\n"
        "}\n"
    )


def test_duplicate_type_names_are_refused() -> None:
    with pytest.raises(ValueError, match="Two types are called Apple"):
        build_schema({"Apple": Pear | Crate, "Fruit": Apple | Pear}, 1)


def test_types_without_a_json_equivalent_are_refused() -> None:
    with pytest.raises(TypeError, match="is not supported in the protocol"):
        build_schema({"Goods": Crate | Pear}, 1)


@pytest.mark.parametrize(
    ("literal", "values"),
    [
        (table.Phase, Match.Phase.values),
        (table.Ended, ["", *Match.MatchEnding.values]),
        (table.Mode, Match.Viewers.values),
    ],
)
def test_enumerations_match_the_database_choices(literal: object, values: list[str]) -> None:
    assert sorted(get_args(literal)) == sorted(values)


def test_every_reference_has_a_definition() -> None:
    names = {
        reference.rpartition("/")[2]
        for reference in iter_references(SCHEMA["definitions"].values())
    }
    assert names - SCHEMA["definitions"].keys() == set()


def iter_references(parts: Iterable[Any]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, dict):
            yield from [part["$ref"]] if "$ref" in part else iter_references(part.values())
        elif isinstance(part, list):
            yield from iter_references(part)
