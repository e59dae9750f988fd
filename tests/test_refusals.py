"""Tests that each refusal code is declared once and never written as a literal elsewhere."""

import ast
import re
from enum import StrEnum

import pytest

from games.play.codes import PlayCode
from games.rules.hand.refusals import HandCode
from tests.house.offenders import ROOT, map_offenders
from tournament.pure.codes import Code
from tournament.pure.lists.sheets import FileCode

SOURCES = [
    path
    for app in ("games", "tournament")
    for path in sorted((ROOT / app).rglob("*.py"))
    if "migrations" not in path.parts
]
# Functions and exceptions that refuse, each with the position of the code among its arguments.
REFUSE = {
    **dict.fromkeys(("RefusedError", "IllegalActionError", "RefusalReason", "RefusedFileError"), 0),
    **{"_refused": 0, "InvalidBundleError": 0, "refuse": 1},
}


REFUSING = re.compile(rf"\b({'|'.join(REFUSE)})\(")


def list_literal_codes(text: str) -> list[str]:
    """Return the refusal codes that are passed as string literals."""
    if not REFUSING.search(text):
        return []
    found = []
    for call in ast.walk(ast.parse(text)):
        if isinstance(call, ast.Call):
            called = getattr(call.func, "id", getattr(call.func, "attr", ""))
            code = dict(enumerate(call.args)).get(REFUSE.get(called, -1))
            if isinstance(code, ast.Constant):
                found.append(str(code.value))
    return found


def test_codes_are_written_only_where_declared() -> None:
    assert map_offenders(SOURCES, list_literal_codes) == {}


def test_literal_code_is_detected() -> None:
    assert list_literal_codes('raise RefusedError("late", "Too late.")\nrefuse(user, "early")') == [
        "late",
        "early",
    ]


@pytest.mark.parametrize("codes", [Code, FileCode, HandCode, PlayCode])
def test_each_code_is_declared_once_and_used(codes: type[StrEnum]) -> None:
    assert len(codes) == len(codes.__members__), "two names of one code"
    text = " ".join(path.read_text() for path in SOURCES)
    used = {*re.findall(rf"\b{codes.__name__}\.([A-Z_]+)\b", text)}
    assert {code.name for code in codes} == used
