"""Rooms: each knows only those below it, none is a heap. docs/architecture.md has the map."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.house.test_architecture import PURE, ROOT, SOURCES, imports, module_name

pytestmark = pytest.mark.patient

MAP = (ROOT / "docs" / "architecture.md").read_text()
MOST_MODULES = 15
# Lists of their own kind: a command, a migration, a fault or a library of tags each.
LISTS = ("migrations", "commands", "templatetags", "email", "messages")
# Where the library that shows them looks for them, all in one folder.
PRESCRIBED = ("account",)

# What leads from outside into the rooms, and what puts the site together: they know every room.
OUTSIDE = re.compile(
    r"tournament(\.(admin|api|apps|asgi|demo|management|serving|settings|templatetags|urls|wsgi)\b|$)"
    r"|games(\.(admin|art|management|templatetags|urls|views)\b|$)"
)
PAGES = re.compile(r"tournament\.\w+(\.\w+)?\.(admin|forms|live|pages)\b")
# Below all rooms: pure parts, rows, the door between seats and players, who practises.
BELOW = re.compile(
    rf"tournament\.(models\b|{'|'.join(PURE)}|oversight\.rights_table|planning\.simulation)"
    r"|games\.(rules|protocol|seats|guests|checks)\b"
)


def rooms(app: str) -> list[str]:
    """Return the rooms of an app from the map, the lowest first."""
    return re.findall(rf"^\| `{app}\.(\w+)` \|", MAP, re.MULTILINE)[::-1]


ORDER = {app: rooms(app) for app in ("games", "tournament")}


def room(module: str) -> str:
    return module.split(".")[1]


def level(module: str) -> int:
    """Three floors: what is pure or stored, the rooms, and what shows them."""
    if OUTSIDE.match(module) or PAGES.match(module):
        return 2
    return 0 if BELOW.match(module) else 1


def upward(module: str, source: str) -> list[str]:
    """Return a module's imports from a higher floor, or from a higher room of its own floor."""
    app, floor = module.split(".")[0], level(module)
    names = [name for name in imports(source) if re.match(rf"{app}\.\w+", name)]
    names = [name for name in names if not _is_folder(name)]
    return [
        f"{module} imports {name}"
        for name in names
        if (level(name) > floor)
        or (level(name) == floor == 1 and _height(app, name) > _height(app, module))
    ]


def _is_folder(name: str) -> bool:
    """Return whether the name is a room itself.

    An import from a room also lists the names that it takes, so the room itself can be left out.
    """
    return name.count(".") == 1 and (ROOT / name.replace(".", "/")).is_dir()


def _height(app: str, module: str) -> int:
    """Where its room stands; -1 for a name that only looks like one of a module."""
    return ORDER[app].index(room(module)) if room(module) in ORDER[app] else -1


def test_rooms_know_only_those_below_them() -> None:
    found = [
        line
        for path in SOURCES
        if level(module := module_name(path)) < 2
        for line in upward(module, path.read_text())
    ]
    assert found == []


@pytest.mark.parametrize(
    ("module", "source", "found"),
    [
        ("tournament.results.services", "from tournament.rounds.services import start", 2),
        ("tournament.rounds.services", "from tournament.results.services import enter", 0),
        ("tournament.rounds.services", "from tournament.web.admin.rounds.rounds import draw", 2),
        ("tournament.rounds.services", "from tournament.pure.arrangement.costs import cost", 0),
        ("tournament.models.event", "from tournament.common.locks import lock_event", 2),
        ("games.play.commit", "from games.sockets.base import Socket", 2),
        ("games.store.change", "from games.play import commit", 1),
    ],
)
def test_a_look_upward_would_be_found(module: str, source: str, found: int) -> None:
    assert len(upward(module, source)) == found


@pytest.mark.parametrize("app", ["games", "tournament"])
def test_the_map_has_each_room_with_the_sentence_that_stands_at_its_top(app: str) -> None:
    told = dict(re.findall(rf"^\| `{app}\.(\w+)` \| (.+) \|$", MAP, re.MULTILINE))
    there = {
        room(module_name(path)): path
        for path in SOURCES
        if len(path.relative_to(ROOT).parts) in (2, 3) and _is_room(app, path)
    }
    assert told == {name: _sentence(path) for name, path in there.items()}


def _is_room(app: str, path: Path) -> bool:
    module = module_name(path)
    top = path.name == "__init__.py" or len(path.relative_to(ROOT).parts) == 2
    return module.startswith(f"{app}.") and top and level(module) == 1


def _sentence(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    return text.split("\n\n")[0].replace("\n", " ")


@pytest.mark.parametrize("top", ["games", "tournament", "templates"])
def test_no_folder_is_a_heap(top: str) -> None:
    folders = [path for path in (ROOT / top).rglob("*") if path.is_dir()]
    heaps = {
        str(folder.relative_to(ROOT)): len(files)
        for folder in folders
        if not set(folder.parts) & {*LISTS, *PRESCRIBED}
        if len(files := [each for each in folder.iterdir() if _is_module(each)]) > MOST_MODULES
    }
    assert heaps == {}


def _is_module(path: Path) -> bool:
    return path.suffix in (".py", ".html") and path.name != "__init__.py"


# Words that name no thing of the field: each was a module once, and nobody looked there.
NO_NOUNS = {
    *("told", "stood", "bringing", "carrying", "giving", "now", "courses", "making_good"),
    *("beating", "apart", "misfit", "going_on", "taking_back", "undoing", "foresight"),
}


def named(path: Path) -> str:
    """Return the subject in the name of a module or folder; a test's is what it tests."""
    name = path.name.split(".")[0].replace("-", "_")
    return name.removeprefix("test_").strip("_")


def test_a_module_has_a_noun_of_the_field_as_its_name() -> None:
    folders = ("games", "tournament", "tests", "static/js")
    found = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    kept = [path for path in found if path.is_dir() or path.suffix in (".py", ".js")]
    assert [str(path.relative_to(ROOT)) for path in kept if named(path) in NO_NOUNS] == []


@pytest.mark.parametrize(
    ("name", "subject"),
    [
        ("told.py", "told"),
        ("test_going_on.py", "going_on"),
        ("taking-back.test.js", "taking_back"),
        ("_now.py", "now"),
        ("knowing.py", "knowing"),
    ],
)
def test_a_name_that_is_no_noun_would_be_found(name: str, subject: str) -> None:
    assert named(Path(name)) == subject


# What Django looks for by these names.
PRESCRIBED_CLASSES = ("Command", "Meta", "Media")


def public_classes(source: str) -> tuple[list[str], list[str]]:
    """Names of a module's own classes, and of those within them; not what Django asks for."""
    tops = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    below = [node for top in tops for node in ast.walk(top) if node is not top]
    return _public(tops), _public(node for node in below if isinstance(node, ast.ClassDef))


def _public(nodes: Iterable[ast.ClassDef]) -> list[str]:
    names = [node.name for node in nodes]
    return [name for name in names if name[0] != "_" and name not in PRESCRIBED_CLASSES]


def test_a_class_name_means_one_thing() -> None:
    """A class within another is called by both names (`Stage.State`): only those may be alike."""
    homes: dict[str, list[str]] = defaultdict(list)
    inner: set[str] = set()
    for path in SOURCES:
        tops, within = public_classes(path.read_text())
        inner |= set(within)
        for name in tops:
            homes[name].append(module_name(path))
    assert {name: home for name, home in homes.items() if len(home) > 1 or name in inner} == {}


def test_classes_are_found_by_their_names() -> None:
    inner = " class Meta: pass\n class Kind:\n  class Part: pass\n  class _Own: pass\n"
    source = f"class Row:\n{inner}class _Own: pass\nclass Command: pass\n"
    assert public_classes(source) == (["Row"], ["Kind", "Part"])


GLOSSARY = (ROOT / "docs" / "glossary.md").read_text()


def test_the_glossary_names_rooms_that_there_are_and_each_term_once() -> None:
    named = set(re.findall(r"`((?:games|tournament)[\w.]*)`", GLOSSARY))
    there = {module_name(path) for path in SOURCES}
    terms = [
        term
        for row in re.findall(r"^\| ([^|]+?) \|", GLOSSARY, re.MULTILINE)
        if row not in ("term", "---")
        for term in row.split(", ")
    ]
    assert (named - there, len(terms)) == (set(), len(set(terms)))
