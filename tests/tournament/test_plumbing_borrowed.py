"""Texts of libraries that we translate are theirs, word for word."""

import ast
from pathlib import Path

from tests import pseudo
from tournament.plumbing import borrowed

WITH_CONTEXT = {"pgettext_lazy", "npgettext_lazy"}


def marked(source: str) -> list[tuple[str | None, str]]:
    """Context and text of each call that marks one."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    found = []
    for call in calls:
        first, *more = [ast.literal_eval(argument) for argument in call.args]
        named = ast.unparse(call.func) in WITH_CONTEXT
        found.append((first, more[0]) if named else (None, first))
    return found


def test_every_borrowed_text_is_one_that_a_library_says() -> None:
    theirs = {(each.msgctxt, each.msgid) for each in pseudo.libraries("django")}
    texts = marked(Path(borrowed.__file__).read_text())
    assert len(texts) == len(borrowed.BORROWED)
    assert [each for each in texts if each not in theirs] == []
