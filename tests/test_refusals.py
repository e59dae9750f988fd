"""Stable codes of refusals: declared once, never written as a literal where they are raised."""

import ast
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import pytest

from games.play.codes import PlayCode
from games.rules.hand.refusals import HandCode
from tournament.pure.codes import Code
from tournament.pure.lists.sheets import FileCode

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {
    path: path.read_text(encoding="utf-8")
    for app in ("games", "tournament")
    for path in (ROOT / app).rglob("*.py")
    if "migrations" not in path.parts
}
# Who refuses, and where the code stands; a socket names the message before it.
REFUSE = {
    **dict.fromkeys(("RefusedError", "IllegalActionError", "RefusalReason", "RefusedFileError"), 0),
    **{"_refused": 0, "InvalidBundleError": 0, "refuse": 1},
}


def written_out(tree: ast.AST) -> Iterator[str]:
    """Yield the codes that are passed as literal text."""
    for call in ast.walk(tree):
        if isinstance(call, ast.Call):
            called = getattr(call.func, "id", getattr(call.func, "attr", ""))
            code = dict(enumerate(call.args)).get(REFUSE.get(called, -1))
            if isinstance(code, ast.Constant):
                yield str(code.value)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_code_stands_where_it_is_declared_alone(path: Path) -> None:
    assert [*written_out(ast.parse(SOURCES[path]))] == []


@pytest.mark.parametrize("codes", [Code, FileCode, HandCode, PlayCode])
def test_each_code_is_declared_once_and_given_somewhere(codes: type[StrEnum]) -> None:
    assert len(codes) == len(codes.__members__), "two names of one code"
    used = {*re.findall(rf"\b{codes.__name__}\.([A-Z_]+)\b", " ".join(SOURCES.values()))}
    assert {code.name for code in codes} == used
