"""Code statistics: sizes of files and functions, comments, tests, annotations.

`python -m bench.figures [FOLDER]` prints a table. With `--write`, it also replaces the table in the
checkout's CONTRIBUTING.md. Migrations are left out. A function's length excludes its docstring. A
line is code if it contains anything except whitespace, comments and docstrings.
"""

import argparse
import ast
import io
import re
import statistics
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef
# The table between the two markers on the page.
MARKS = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- /figures -->)", re.DOTALL)
PAGE = Path("CONTRIBUTING.md")
NOT_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


@dataclass(frozen=True)
class Lines:
    """Numbers of lines of code, comments and docstrings.

    A line with both code and a comment counts as code.
    """

    code: int
    comments: int
    docstrings: int


def list_python_files(*folders: Path) -> list[Path]:
    """Return all Python files below the folders, except migrations."""
    paths = (path for folder in folders for path in folder.rglob("*.py"))
    return sorted(path for path in paths if "migrations" not in path.parts)


def iter_docstring_nodes(tree: ast.AST) -> Iterator[ast.Expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | Function) and ast.get_docstring(node):
            first = node.body[0]
            assert isinstance(first, ast.Expr)
            yield first


def get_line_range(node: ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def count_source_lines(source: str) -> Lines:
    docs = {
        line for node in iter_docstring_nodes(ast.parse(source)) for line in get_line_range(node)
    }
    code: set[int] = set()
    comments: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        line_numbers = range(token.start[0], token.end[0] + 1)
        if token.type == tokenize.COMMENT:
            comments.update(line_numbers)
        elif token.type not in NOT_CODE:
            code.update(line_numbers)
    return Lines(len(code - docs), len(comments - code), len(docs))


def iter_functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def count_function_lines(function: Function) -> int:
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    start = body[0].lineno if body else function.lineno
    return (function.end_lineno or start) - start + 2


def is_annotated(function: Function) -> bool:
    arguments = function.args
    all_arguments = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    checked = [arg for arg in all_arguments if arg.arg not in ("self", "cls")]
    return function.returns is not None and all(arg.annotation for arg in checked)


def format_spread(values: Iterable[int]) -> str:
    """Return the median, the 90th percentile and the maximum of the values as text."""
    ordered = sorted(values)
    p90 = statistics.quantiles(ordered, n=10, method="inclusive")[-1]
    return f"{statistics.median(ordered):.0f} · {p90:.0f} · {ordered[-1]}"


def count_all_lines(sources: Iterable[str]) -> Lines:
    counts = [count_source_lines(source) for source in sources]
    return Lines(
        sum(count.code for count in counts),
        sum(count.comments for count in counts),
        sum(count.docstrings for count in counts),
    )


def compute_figures(root: Path) -> dict[str, str]:
    """Return the figures of the checkout at `root` by name."""
    paths = list_python_files(root / "games", root / "tournament")
    sources = [path.read_text() for path in paths]
    trees = [ast.parse(source) for source in sources]
    all_functions = [function for tree in trees for function in iter_functions(tree)]
    annotated = sum(map(is_annotated, all_functions))
    all_lines = [source.count("\n") for source in sources if source.strip()]
    own = count_all_lines(sources)
    tests = count_all_lines(path.read_text() for path in list_python_files(root / "tests"))
    share = 100 / sum(all_lines)
    direct = (root / "requirements.in").read_text().splitlines()
    return {
        "files": str(len(all_lines)),
        "lines of code": f"{own.code:,}",
        "lines of a file: median · p90 · max": format_spread(all_lines),
        "lines of a function: median · p90 · max": format_spread(
            count_function_lines(function) for function in all_functions
        ),
        "comments · docstrings, %": f"{own.comments * share:.0f} · {own.docstrings * share:.0f}",
        "lines of test per line of code": f"{tests.code / own.code:.2f}",
        "modules of a folder: median · p90 · max": format_spread(
            Counter(path.parent for path in paths).values()
        ),
        "hand-written cases, lines of JSON": _format_line_count(
            root / "tests" / "rules" / "cases", "*.json"
        ),
        "lines of the JavaScript's tests": _format_line_count(root / "tests" / "js", "*.js"),
        "annotated functions, %": f"{annotated * 100 / len(all_functions):.0f}",
        "`Any` in games/ and tournament/": str(sum(map(count_any, trees))),
        "direct dependencies": str(sum(bool(line) and line[0] not in "#-" for line in direct)),
    }


def _format_line_count(folder: Path, names: str) -> str:
    return f"{sum(path.read_text().count(chr(10)) for path in folder.rglob(names)):,}"


def count_any(tree: ast.AST) -> int:
    """Count the uses of `Any` in a syntax tree."""
    return sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(tree))


def format_table(root: Path) -> str:
    """Return the figures of the checkout at `root` as a Markdown table for CONTRIBUTING.md."""
    rows = (f"| {name} | {value} |\n" for name, value in compute_figures(root).items())
    return "".join(("| what | figure |\n|---|---|\n", *rows))


def read_recorded_table(root: Path) -> str:
    """Return the current table in CONTRIBUTING.md of the checkout at `root`."""
    match = MARKS.search((root / PAGE).read_text())
    assert match
    return match[0]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.figures", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path())
    parser.add_argument("--write", action="store_true", help=f"into {PAGE}")
    options = parser.parse_args()
    now = format_table(options.folder)
    if options.write:
        page = options.folder / PAGE
        page.write_text(MARKS.sub(lambda _: now, page.read_text()))
    print(now, end="")


if __name__ == "__main__":
    main()
