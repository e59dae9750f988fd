"""Codes of refusals are stable: each is declared once, and none stands where it is given."""

import ast
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import pytest

from games.play.codes import PlayCode
from games.rules.hand.refusals import CODES
from tournament.common.codes import Code

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {
    path: path.read_text(encoding="utf-8")
    for app in ("games", "tournament")
    for path in (ROOT / app).rglob("*.py")
    if "migrations" not in path.parts
}
REFUSE = {"Refused", "Refusal", "_refused", "BadBundle"}


def written_out(tree: ast.AST) -> Iterator[str]:
    """The codes that are given as bare texts."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call):
            called = getattr(call.func, "id", getattr(call.func, "attr", ""))
            if called in REFUSE and call.args and isinstance(call.args[0], ast.Constant):
                yield str(call.args[0].value)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_code_stands_where_it_is_declared_alone(path: Path) -> None:
    bare = [*written_out(ast.parse(SOURCES[path]))]
    if path.is_relative_to(ROOT / "games" / "rules"):
        assert {*bare} <= CODES.keys()
    else:
        assert bare == []


@pytest.mark.parametrize("codes", [Code, PlayCode])
def test_each_code_is_declared_once_and_given_somewhere(codes: type[StrEnum]) -> None:
    assert len(codes) == len(codes.__members__), "two names of one code"
    used = {*re.findall(rf"\b{codes.__name__}\.([A-Z_]+)\b", " ".join(SOURCES.values()))}
    assert {code.name for code in codes} == used


def test_each_code_of_the_rules_is_given_somewhere() -> None:
    given = " ".join(text for path, text in SOURCES.items() if "rules" in path.parts)
    assert [code for code in CODES if given.count(f'"{code}"') < 2] == []
