"""House rules that a machine can hold: imports point one way, files and functions stay small."""

import ast
import re
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(
    path
    for app in ("games", "tournament")
    for path in (ROOT / app).rglob("*.py")
    if "migrations" not in path.parts
)
PURE = ["seating", "standings", "qualifying", "brackets", "eligibility"]
RULE_SETS = ["ocho", "uno-500", "ocho-cards", "uno-400", "uno-assignment", "crazy-eights"]
OUTSIDE_WORLD = ["asyncio", "datetime", "os", "pathlib", "socket", "subprocess", "time"]

# Whoever is in the first group imports nothing from the second.
FORBIDDEN = [
    (r"games\.", r"tournament\b"),
    (r"games\.rules\b", r"games\.(?!rules\b)|django|channels"),
    (r"(games|tournament)\.models\b", r".*\.(services|queries|views|admin|consumers|forms|hub)\b"),
    # Our own urls: `django.urls.reverse` says where a link leads, and knows no view.
    (r"(games|tournament)\.(services|queries)\b", r"(?!django).*\.(views|admin|consumers|forms)\b"),
    (r"(games|tournament)\.(services|queries)\b", r"(games|tournament)\.(routing|urls)\b"),
    (r"(games|tournament)\.(views|forms)\b", r".*\.(admin|consumers)\b"),
    (r"(games|tournament)\.consumers\b", r".*\.(views|admin|forms|models)\b"),
    # But where the apps are set up: some of what a library tells, it tells by a signal alone.
    (
        r"(?!tournament\.apps$)(games|tournament)\b",
        r"django\.(db\.models\.signals|dispatch)|.*\.signals\b",
    ),
]


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(source: str) -> Iterator[str]:
    """Every module that the source imports, with the names taken from it: `a.b` and `a.b.c`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield str(node.module)
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def broken_rules(module: str, source: str) -> list[str]:
    return [
        f"{module} imports {name}"
        for importer, forbidden in FORBIDDEN
        if re.match(importer, module)
        for name in imports(source)
        if re.match(forbidden, name)
    ]


def functions(path: Path) -> Iterator[tuple[str, int]]:
    """Name and length in lines of each function; its docstring does not count."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            start = body[0].lineno if body else node.lineno
            yield f"{path.relative_to(ROOT)}:{node.name}", (node.end_lineno or start) - start + 2


def test_imports_point_one_way():
    broken = [
        line for path in SOURCES for line in broken_rules(module_name(path), path.read_text())
    ]
    assert broken == []


@pytest.mark.parametrize(
    ("module", "source", "broken"),
    [
        ("games.services", "from tournament.models import Event", 2),
        ("games.models", "from games import services", 1),
        ("tournament.services.rounds", "import tournament.views", 1),
        ("tournament.models.event", "from django.db.models.signals import post_save", 2),
        ("tournament.accounts", "from allauth.account.signals import password_set", 2),
        ("tournament.apps", "from allauth.account.signals import password_set", 0),
        ("tournament.views.event", "from tournament.services import register", 0),
        ("games.rules.position", "from games import services", 1),
        ("games.rules.position", "from games.rules import cards", 0),
    ],
)
def test_a_wrong_import_would_be_found(module, source, broken):
    assert len(broken_rules(module, source)) == broken


@pytest.mark.parametrize(
    "path", sorted((ROOT / "games" / "rules").glob("*.py")), ids=lambda path: path.name
)
def test_rules_need_the_standard_library_alone_and_no_outside_world(path):
    for name in imports(path.read_text()):
        top = name.partition(".")[0]
        assert name.startswith("games.rules") or name == "games" or top in sys.stdlib_module_names
        assert top not in OUTSIDE_WORLD


@pytest.mark.parametrize("name", PURE)
def test_pure_modules_know_neither_database_nor_django(name):
    source = (ROOT / "tournament" / f"{name}.py").read_text()
    impure = re.compile(rf"(django|channels|games|tournament\.(?!{'|'.join(PURE)}))\b")
    assert [found for found in imports(source) if impure.match(found)] == []


def test_models_do_nothing_behind_the_back_of_services():
    found = [
        name
        for path in SOURCES
        if re.search(r"models\b", module_name(path))
        for name, _ in functions(path)
        if name.endswith((":save", ":delete"))
    ]
    assert found == []


def test_no_rule_asks_for_the_name_of_a_rule_set():
    asks = re.compile(r"\.key\s*(==|!=|in\b)|ruleset\s*(==|!=)")
    found = [path.name for path in (ROOT / "games").rglob("*.py") if asks.search(path.read_text())]
    assert found == []


def test_files_are_short():
    long = {
        str(path.relative_to(ROOT)): lines
        for path in [*SOURCES, *(ROOT / "static").rglob("*.js"), *(ROOT / "tests").rglob("*.py")]
        if (lines := len(path.read_text().splitlines())) > 420
    }
    assert long == {}


def test_functions_are_short():
    lengths = sorted(length for path in SOURCES for _, length in functions(path))
    assert statistics.median(lengths) <= 7
    assert sum(length < 25 for length in lengths) >= 0.9 * len(lengths)


def test_the_browser_knows_no_rules():
    for path in (ROOT / "static").rglob("*.js"):
        text = path.read_text()
        assert [key for key in RULE_SETS if f'"{key}"' in text] == [], path.name
        assert not re.search(r"legal|canPlay|isPlayable", text), path.name


@pytest.mark.parametrize("path", sorted((ROOT / "templates").rglob("*.html")), ids=lambda p: p.name)
def test_templates_keep_to_the_content_security_policy(path):
    html = re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", "", path.read_text(), flags=re.DOTALL)
    assert not re.search(r"<[^>]*\s(style|on[a-z]+)\s*=", html)
    assert not re.search(r"<style\b", html)
    for tag in re.findall(r"<script\b[^>]*>", html):
        assert "src=" in tag or 'type="application/json"' in tag, tag
    assert not re.search(r"""(src|href)=["'](https?:)?//""", html), "nothing from other hosts"
