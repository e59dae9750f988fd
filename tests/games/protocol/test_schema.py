"""The types of the protocol as a schema and as declarations, and the files made of them."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal, TypedDict, get_args

import pytest

from games.models import Match
from games.protocol import table
from games.protocol.declarations import declarations
from games.protocol.schema import document
from tests.protocol import DOCS, SCHEMA
from tournament.management.commands.protocol_schema import files


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
def test_the_files_are_what_the_types_say(name: str) -> None:
    """Otherwise: manage.py protocol_schema."""
    assert (DOCS / name).read_text() == files()[name]


def test_a_schema_has_a_definition_for_each_type_and_allows_no_other_keys() -> None:
    assert document(FRUIT, 7) == {
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


def test_declarations_let_a_client_ask_each_member_of_a_union_for_the_keys_of_all() -> None:
    assert declarations(document(FRUIT, 1)).partition("\n\n")[2] == (
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


def test_two_types_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="Two types are called Apple"):
        document({"Apple": Pear | Crate, "Fruit": Apple | Pear}, 1)


def test_what_json_does_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="is nothing that the protocol sends"):
        document({"Goods": Crate | Pear}, 1)


@pytest.mark.parametrize(
    ("literal", "values"),
    [
        (table.Phase, Match.Phase.values),
        (table.Ended, ["", *Match.MatchEnding.values]),
        (table.Mode, Match.Viewers.values),
    ],
)
def test_closed_sets_of_values_are_those_of_the_database(
    literal: object, values: list[str]
) -> None:
    assert sorted(get_args(literal)) == sorted(values)


def test_whatever_is_named_is_defined() -> None:
    names = {
        reference.rpartition("/")[2] for reference in references(SCHEMA["definitions"].values())
    }
    assert names - SCHEMA["definitions"].keys() == set()


def references(parts: Iterable[Any]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, dict):
            yield from [part["$ref"]] if "$ref" in part else references(part.values())
        elif isinstance(part, list):
            yield from references(part)
