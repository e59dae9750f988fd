"""Checks that the names in documents, docstrings and comments exist."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from tokenize import COMMENT, generate_tokens

ROOT = Path(__file__).resolve().parents[2]
INLINE_CODE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
FENCED_CODE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
PATH = re.compile(r"(?:[\w.-]+/)*\w[\w.-]*\.(?:py|js|html|md|css|json|toml|txt|in|sh)|(?:[\w-]+/)+")
# A path in Python code. It must contain a folder, because other names may not be paths.
WRITTEN_PATH = re.compile(
    r"(?<![\w./:<{-])(?!node_modules/)(?:[a-z_]\w*/)+[a-z_][\w-]*\.(?:py|js|html|md|css)\b"
)
# A module's file name without a folder.
BARE_FILE_NAME = re.compile(r"(?<![\w./:<{`*-])[a-z_]\w*\.py\b")
# A path in a command.
PATH_ARGUMENT = re.compile(r" (tests/[\w/]+(?:\.\w+)+|docs/\w+\.py)(?=[ `:\n])")
DOTTED_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
MODULE_OR_DOTTED = re.compile(rf"(?:{DOTTED_NAME.pattern})(?:\(.*\))?$")
WORD = re.compile(r"[A-Za-z]\w*_\w+|[A-Z][a-z]+\w*")
# Names of systemd, nginx, PostgreSQL and other software, and of files that are not in the
# repository.
FOREIGN_NAMES = {
    *("InaccessiblePaths", "LimitNOFILE", "server_name", "synchronous_commit", "FormHelper"),
    *("pg_lsclusters", "signing.loads", "lastcard.security", "var/"),
    *("history.json", "manifest.json", "people.jsonl", "list.seats"),
}


@cache
def list_files() -> frozenset[str]:
    """Return the path of every project file, relative to the root. Works without Git."""
    ignored = [Path(line).name for line in (ROOT / ".gitignore").read_text().split()]
    return frozenset(_walk_files(ROOT, [*ignored, ".git"]))


def _walk_files(folder: Path, ignored: list[str]) -> Iterator[str]:
    for path in folder.iterdir():
        if any(fnmatch(path.name, pattern) for pattern in ignored):
            continue
        if path.is_dir():
            yield from _walk_files(path, ignored)
        else:
            yield path.relative_to(ROOT).as_posix()


@cache
def list_path_endings() -> frozenset[str]:
    """Return each path of a file or folder, starting at the root or at any of its folders."""
    return frozenset(
        "/".join(parts[start:end]) + ("/" if end < len(parts) else "")
        for parts in (name.split("/") for name in list_files())
        for start in range(len(parts))
        for end in range(start + 1, len(parts) + 1)
    )


@cache
def map_members() -> dict[str, set[str]]:
    """Return the names that each module, package and class contains, by its short name."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in (ROOT / name for name in list_files() if name.endswith(".py")):
        own = path.parent.name if path.name == "__init__.py" else path.stem
        found[path.parent.name].add(own)
        found[path.parent.parent.name].add(path.parent.name)
        found[own] |= set(iter_names(tree := ast.parse(path.read_text())))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found[node.name] |= set(iter_names(node))
    return found


def iter_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that a module or class defines, imports or uses as attributes."""
    for each in ast.walk(node):
        match each:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield each.name
            case ast.alias():
                yield each.asname or each.name
            case ast.Attribute(attr=name) | ast.Name(id=name, ctx=ast.Store()):
                yield name


@cache
def list_words() -> frozenset[str]:
    """Return all words in the project's code and configuration files."""
    kinds = (".py", ".js", ".html", ".toml", ".json", ".ts", ".css", "Makefile", ".in")
    texts = ((ROOT / name).read_text() for name in list_files() if name.endswith(kinds))
    return frozenset(word for text in texts for word in re.findall(r"\w+", text))


def exists(code: str) -> bool:
    """Return whether the file or name in this inline code exists.

    Code that is not a name, and names of other software, count as existing.
    """
    name = re.sub(r"\(.*\)$", "", code.partition("::")[0]).strip()
    if name in FOREIGN_NAMES:
        return True
    if PATH.fullmatch(name):
        return name in list_path_endings()
    if DOTTED_NAME.fullmatch(name):
        return is_dotted_name(name.split("."))
    return not WORD.fullmatch(name) or name in list_words()


def is_dotted_name(parts: list[str]) -> bool:
    if parts[-2] in map_members():
        return parts[-1] in map_members()[parts[-2]]
    return find_spec(parts[0]) is not None


def list_broken_references(text: str) -> list[str]:
    """Return the names and paths in a page that do not exist."""
    named = [code for code in INLINE_CODE.findall(FENCED_CODE.sub("", text)) if not exists(code)]
    return named + [path for path in PATH_ARGUMENT.findall(text) if path not in list_path_endings()]


def iter_docs_and_comments(source: str) -> Iterator[str]:
    """Yield the docstrings and comments of a Python source."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
    for token in generate_tokens(StringIO(source).readline):
        if token.type == COMMENT:
            yield token.string


def list_missing_names(source: str) -> list[str]:
    """Return the modules and dotted names in docstrings and comments that do not exist."""
    found = []
    for text in iter_docs_and_comments(source):
        named = [code for code in INLINE_CODE.findall(text) if MODULE_OR_DOTTED.match(code)]
        found += [code for code in named if not exists(code)]
        found += [name for name in BARE_FILE_NAME.findall(text) if name not in list_path_endings()]
    return found


def list_missing_paths(source: str) -> list[str]:
    """Return the paths written in a Python source that do not exist."""
    return [path for path in WRITTEN_PATH.findall(source) if path not in list_path_endings()]
