"""Tests of the packages ("rooms"): their layers, sizes, names and documentation."""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.house.test_architecture import ROOT, SOURCES, get_module_name

pytestmark = pytest.mark.patient

ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text()
MAX_MODULES = 15
# Folders that may have any number of modules.
EXEMPT_FOLDERS = ("migrations", "commands", "templatetags", "email", "messages")
# Folders in which a library looks for templates.
PRESCRIBED_FOLDERS = ("account",)

SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())
CONTRACTS = SETTINGS["tool"]["importlinter"]["contracts"]
# The layers of each app, highest first, and the layers above and below its rooms.
LAYERS: dict[str, list[str]] = {each["id"]: each.get("layers", []) for each in CONTRACTS}
ROOMS_BETWEEN = {
    "games": ("views | art | templatetags", "guests | checks"),
    "tournament": ("templatetags", "models"),
}
# The column at which the diagram's part for live play begins.
SECOND_COLUMN = 46
DOTTED_NAME = re.compile(r"(games|tournament)(\.[a-z]\w*)+(\.[A-Za-z]\w*)*")
# Settings may name modules of any layer, because Django loads these.
NAMING_EXCEPTION = "tournament.settings"


def get_layer(module: str) -> int:
    """Return the number of a module's layer in its app. Higher layers have larger numbers."""
    app, folder = module.split(".")[:2]
    # A module without a layer gets the highest number.
    return -next((at for at, layer in enumerate(LAYERS[app]) if folder in layer.split(" | ")), 0)


def find_names_above(module: str, source: str) -> list[str]:
    """Return the modules in higher layers of its app that a module names in strings.

    import-linter does not detect imports of such names.
    """
    nodes = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant))
    named = [str(node.value) for node in nodes if DOTTED_NAME.fullmatch(str(node.value))]
    return [
        name
        for name in named
        if name.split(".")[0] == module.split(".")[0] and _is_in_module(name)
        if get_layer(name) > get_layer(module)
    ]


def _is_in_module(name: str) -> bool:
    """Return whether this is the name of a module, or of an object in a module."""
    home = name.rpartition(".")[0]
    return any((ROOT / f"{each.replace('.', '/')}.py").is_file() for each in (name, home))


def test_strings_do_not_name_modules_of_a_higher_layer() -> None:
    modules = {get_module_name(path): path.read_text() for path in SOURCES}
    inner = {
        name: text for name, text in modules.items() if "." in name and name != NAMING_EXCEPTION
    }
    assert {
        name: found for name, text in inner.items() if (found := find_names_above(name, text))
    } == {}


@pytest.mark.parametrize(
    ("module", "name", "expected"),
    [
        ("tournament.people.names", "tournament.web.admin.base.site.LastcardAdminSite", 1),
        ("tournament.apps", "tournament.web.admin.base.site.LastcardAdminSite", 0),
        ("tournament.people.names", "tournament.desk", 0),
        ("games.store.snapshot", "games.play.commit", 1),
    ],
)
def test_string_with_an_upward_reference_is_detected(module: str, name: str, expected: int) -> None:
    assert len(find_names_above(module, f'LATER = "{name}"')) == expected


def list_rooms(app: str) -> list[str]:
    above, below = (LAYERS[app].index(layer) for layer in ROOMS_BETWEEN[app])
    layers: list[str] = LAYERS[app]
    return layers[above + 1 : below]


@pytest.mark.parametrize("app", ["games", "tournament"])
def test_map_lists_each_package_in_order_with_its_summary(app: str) -> None:
    result = re.findall(rf"^\| `{app}\.(\w+)` \| (.+) \|$", ARCHITECTURE, re.MULTILINE)
    assert result == [
        (room, _get_first_sentence(_get_top_module(app, room))) for room in list_rooms(app)
    ]


@pytest.mark.parametrize("app", ["games", "tournament"])
def test_diagram_lists_the_packages_in_order(app: str) -> None:
    column = slice(SECOND_COLUMN, None) if app == "games" else slice(SECOND_COLUMN)
    drawn = "\n".join(line[column] for line in ARCHITECTURE.split("```")[1].splitlines())
    assert [name for name in re.findall(r"\w+", drawn) if name in list_rooms(app)] == list_rooms(
        app
    )


def _get_top_module(app: str, room: str) -> Path:
    folder = ROOT / app / room
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


def _get_first_sentence(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text())) or ""
    return text.split("\n\n")[0].replace("\n", " ")


@pytest.mark.parametrize("top", ["games", "tournament", "templates"])
def test_no_folder_has_too_many_modules(top: str) -> None:
    folders = [path for path in (ROOT / top).rglob("*") if path.is_dir()]
    crowded = {
        str(folder.relative_to(ROOT)): len(files)
        for folder in folders
        if not set(folder.parts) & {*EXEMPT_FOLDERS, *PRESCRIBED_FOLDERS}
        if len(files := [each for each in folder.iterdir() if _is_module(each)]) > MAX_MODULES
    }
    assert crowded == {}


def _is_module(path: Path) -> bool:
    return path.suffix in (".py", ".html") and path.name != "__init__.py"


# Former module names that did not help readers to find the code.
NON_NOUNS = {
    *("told", "stood", "bringing", "carrying", "giving", "now", "courses", "making_good"),
    *("beating", "apart", "misfit", "going_on", "taking_back", "undoing", "foresight"),
}


def get_subject(path: Path) -> str:
    """Return the name of a module or folder, without the parts that mark it as a test."""
    name = path.name.split(".")[0].replace("-", "_")
    return name.removeprefix("test_").strip("_")


def test_module_names_are_nouns_of_the_field() -> None:
    folders = ("games", "tournament", "tests", "static/js")
    found = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    kept = [path for path in found if path.is_dir() or path.suffix in (".py", ".js")]
    assert [str(path.relative_to(ROOT)) for path in kept if get_subject(path) in NON_NOUNS] == []


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
def test_module_name_that_is_not_a_noun_is_detected(name: str, subject: str) -> None:
    assert get_subject(Path(name)) == subject


# Names that Django prescribes.
PRESCRIBED_CLASSES = ("Command", "Meta", "Media")


def list_public_classes(source: str) -> tuple[list[str], list[str]]:
    """Return the public top-level classes and the public nested classes of a module.

    Classes that Django prescribes are left out.
    """
    tops = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    below = [node for top in tops for node in ast.walk(top) if node is not top]
    return _list_public_names(tops), _list_public_names(
        node for node in below if isinstance(node, ast.ClassDef)
    )


def _list_public_names(nodes: Iterable[ast.ClassDef]) -> list[str]:
    names = [node.name for node in nodes]
    return [name for name in names if name[0] != "_" and name not in PRESCRIBED_CLASSES]


def test_class_names_are_unique() -> None:
    """Allow only nested classes to share a name, because code refers to them as `Stage.State`."""
    homes: dict[str, list[str]] = defaultdict(list)
    inner: set[str] = set()
    for path in SOURCES:
        tops, within = list_public_classes(path.read_text())
        inner |= set(within)
        for name in tops:
            homes[name].append(get_module_name(path))
    assert {name: home for name, home in homes.items() if len(home) > 1 or name in inner} == {}


def test_public_and_nested_classes_are_listed() -> None:
    inner = " class Meta: pass\n class Kind:\n  class Part: pass\n  class _Own: pass\n"
    source = f"class Row:\n{inner}class _Own: pass\nclass Command: pass\n"
    assert list_public_classes(source) == (["Row"], ["Kind", "Part"])


GLOSSARY = (ROOT / "docs" / "glossary.md").read_text()


def test_glossary_lists_each_term_once_with_existing_packages() -> None:
    named = set(re.findall(r"`((?:games|tournament)[\w.]*)`", GLOSSARY))
    there = {get_module_name(path) for path in SOURCES}
    terms = [
        term
        for row in re.findall(r"^\| ([^|]+?) \|", GLOSSARY, re.MULTILINE)
        if row not in ("term", "---")
        for term in row.split(", ")
    ]
    assert (named - there, len(terms)) == (set(), len(set(terms)))
