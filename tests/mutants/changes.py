"""Changes that mutmut can make in function bodies, one at a time.

Texts for people and their values, other strings, annotations and calls of `cast` stay unchanged.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

import libcst as cst
from libcst.metadata import (
    CodeRange,
    MetadataWrapper,
    PositionProvider,
    WhitespaceInclusivePositionProvider,
)
from mutmut.mutation.mutators import mutation_operators, operator_string

OPERATORS = [(kind, change) for kind, change in mutation_operators if change is not operator_string]
EXCLUDED_FUNCTIONS = {
    "_",
    "ngettext",
    "pgettext",
    "gettext",
    "gettext_lazy",
    "gettext_noop",
    "cast",
}
NOT_CODE = (cst.Annotation, cst.Decorator, cst.Parameters)


@dataclass(frozen=True)
class Mutant:
    """Single change to a file.

    * `path`: relative to the root of the project.
    * `lines`: the first and the last changed line.
    * `before`, `after`: the changed code.
    * `source`: the new source of the whole file.
    """

    path: str
    lines: tuple[int, int]
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{self.path}:{self.lines[0]}: {_shorten(self.before)} → {_shorten(self.after)}"


def _shorten(code: str) -> str:
    return " ".join(code.split())


class _Finder(cst.CSTVisitor):
    """Visitor that collects every change in a module: the node and its replacement."""

    METADATA_DEPENDENCIES = (PositionProvider, WhitespaceInclusivePositionProvider)

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.found: list[tuple[CodeRange, CodeRange, cst.CSTNode, cst.CSTNode]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, NOT_CODE) or _is_text(node):
            return False
        if self.depth:
            self._change(node)
        self.depth += isinstance(node, cst.FunctionDef | cst.Lambda)
        return True

    def on_leave(self, original_node: cst.CSTNode) -> None:
        self.depth -= isinstance(original_node, cst.FunctionDef | cst.Lambda)

    def _change(self, node: cst.CSTNode) -> None:
        for kind, change in OPERATORS:
            if isinstance(node, kind):
                for new in change(node):
                    exact = self.get_metadata(WhitespaceInclusivePositionProvider, node)
                    self.found.append((exact, self.get_metadata(PositionProvider, node), node, new))


def _is_text(node: cst.CSTNode) -> bool:
    """Return whether a node is a text marked for translation, with or without values."""
    if isinstance(node, cst.BinaryOperation):
        return isinstance(node.operator, cst.Modulo) and _is_text(node.left)
    if not isinstance(node, cst.Call):
        return False
    func = node.func
    if isinstance(func, cst.Attribute) and func.attr.value == "format":
        return _is_text(func.value)
    return isinstance(func, cst.Name) and func.value in EXCLUDED_FUNCTIONS


def find_mutants(root: Path, path: str) -> list[Mutant]:
    """Return all changes that can be made to a file, in line order."""
    source = (root / path).read_text()
    wrapper = MetadataWrapper(cst.parse_module(source))
    finder = _Finder()
    wrapper.visit(finder)
    starts = _list_line_starts(source)
    mutants: dict[str, Mutant] = {}
    for exact, seen, old, new in finder.found:
        begin, end = (starts[at.line - 1] + at.column for at in (exact.start, exact.end))
        before, after = (wrapper.module.code_for_node(node) for node in (old, new))
        changed = source[:begin] + after + source[end:]
        if source[begin:end] == before and changed != source:
            lines = (seen.start.line, seen.end.line)
            mutants.setdefault(changed, Mutant(path, lines, before, after, changed))
    return list(mutants.values())


def _list_line_starts(source: str) -> list[int]:
    """Return the character position at which each line starts."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def draw_sample(mutants: dict[str, list[Mutant]], size: int, seed: int) -> list[Mutant]:
    """Return about `size` random mutants.

    Each file contributes in proportion to its share of all mutants, but at least one.
    """
    chance = random.Random(seed)
    total = sum(map(len, mutants.values()))
    chosen = []
    for path in sorted(mutants):
        share = max(1, round(size * len(mutants[path]) / total))
        usable = _iter_shuffled(mutants[path], chance)
        chosen += [next(usable, None) for _ in range(share)]
    return [mutant for mutant in chosen if mutant]


def _iter_shuffled(mutants: Sequence[Mutant], chance: random.Random) -> Iterator[Mutant]:
    for mutant in chance.sample(mutants, len(mutants)):
        if map_functions(mutant.source, mutant.path) is not None:
            yield mutant


def map_functions(source: str, path: str) -> dict[tuple[str, int], CodeType] | None:
    """Return each function's code, by its name and its index among functions with that name.

    Returns None if the source is not valid Python. That happens if mutmut drops an argument that
    the syntax requires.
    """
    try:
        module = compile(source, path, "exec")
    except SyntaxError:
        return None
    found: dict[tuple[str, int], CodeType] = {}
    for code in _iter_nested_code(module):
        number = sum(name == code.co_qualname for name, _ in found)
        found[code.co_qualname, number] = code
    return found


def _iter_nested_code(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _iter_nested_code(constant)
