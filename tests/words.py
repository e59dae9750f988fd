"""Search for user-visible texts in Python code that cannot be translated."""

import ast
import re
from collections.abc import Collection, Iterator

GETTEXT_FUNCTIONS = {"_", "gettext", "ngettext", "pgettext", "npgettext"}
MARKING_FUNCTIONS = GETTEXT_FUNCTIONS | {
    "gettext_noop",
    "gettext_lazy",
    "ngettext_lazy",
    "pgettext_lazy",
}
# Errors whose messages only developers and operators read.
DEVELOPER_ERRORS = {
    "AssertionError",
    "InvalidMessageError",
    "ChanceError",
    "EndlessHandError",
    "RecordMismatchError",
    "Invalid",
    "KeyError",
    "InvalidActionError",
    "RuntimeError",
    "TypeError",
    "TypedDict",
    "TypeVar",
    "ValueError",
}
# Several words, or a single capitalized word.
TEXT = re.compile(r"(?=.*[^\W\d_]{2})(\S+\s+\S.*|[A-Z][a-z]+[.!?:]?)", re.DOTALL)


def list_unmarked_texts(source: str, untranslated_names: Collection[str] = ()) -> list[str]:
    """Return the texts in the source that are not marked for translation.

    Strings of variables and arguments named in `untranslated_names` are ignored.
    """
    reader = _TextCollector(untranslated_names)
    reader.visit(ast.parse(source))
    return reader.found


def find_texts_at_import(source: str) -> list[int]:
    """Return the line numbers of texts that are translated before the user's language is known."""
    message = GETTEXT_FUNCTIONS - {"_"} if "gettext_lazy as _" in source else GETTEXT_FUNCTIONS
    return [
        call.lineno
        for call in _find_calls_at_import(ast.parse(source))
        if _get_name(call.func) in message
    ]


def find_assembled_texts(source: str) -> list[int]:
    """Return the line numbers of marked texts that are assembled at run time.

    No catalogue can contain such a text.
    """
    calls = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call))
    marks = [call for call in calls if _get_name(call.func) in MARKING_FUNCTIONS]
    return [call.lineno for call in marks if any(map(_is_assembled, call.args))]


def _is_assembled(argument: ast.expr) -> bool:
    return isinstance(argument, ast.JoinedStr | ast.BinOp) or (
        isinstance(argument, ast.Call) and _get_name(argument.func) in ("format", "join", "replace")
    )


def _get_name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _is_logged(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and _get_name(function.value) == "logger"


def _find_calls_at_import(node: ast.AST) -> Iterator[ast.Call]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(child, ast.Call):
            yield child
        yield from _find_calls_at_import(child)


class _TextCollector(ast.NodeVisitor):
    """Collector of unmarked texts that ignores types and docstrings."""

    def __init__(self, untranslated_names: Collection[str]) -> None:
        self.untranslated_names = {"__all__", *untranslated_names}
        self.found: list[str] = []

    def visit_Call(self, node: ast.Call) -> None:
        name = _get_name(node.func)
        if (
            name not in MARKING_FUNCTIONS
            and name not in DEVELOPER_ERRORS
            and not _is_logged(node.func)
        ):
            self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if not any(_get_name(target) in self.untranslated_names for target in node.targets):
            self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value and _get_name(node.target) not in self.untranslated_names:
            self.visit(node.value)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in self.untranslated_names:
            self.visit(node.value)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for part in (*node.args.defaults, *filter(None, node.args.kw_defaults), *node.body):
            self.visit(part)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(ast.FunctionDef(**dict(ast.iter_fields(node))))

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)  # a key, or the name of a type

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        parts = [part.value if isinstance(part, ast.Constant) else "·" for part in node.values]
        self._collect_text("".join(map(str, parts)))
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str):
            self._collect_text(node.value)

    def _collect_text(self, text: str) -> None:
        if TEXT.fullmatch(text.strip()):
            self.found.append(text)
