"""Tests that what documents mention exists: files, headings, names, commands and make targets."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, get_commands, load_command_class

from tests.house import documented

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
# The changelog may mention names that no longer exist.
for_current_documents = pytest.mark.parametrize(
    "path", [path for path in DOCUMENTS if path.name != "CHANGELOG.md"], ids=lambda path: path.name
)
INDEX = ROOT / "docs" / "README.md"
for_each_document = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)


@for_each_document
def test_links_lead_to_project_files(path: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", path.read_text())
    assert [link for link in links if not (path.parent / link).exists()] == []


@for_each_document
def test_section_links_lead_to_existing_headings(path: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", path.read_text())
    there = {name: list_anchors(path.parent / name if name else path) for name, _ in links}
    assert [(name, part) for name, part in links if part not in there[name]] == []


def list_anchors(path: Path) -> set[str]:
    text = path.read_text()
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    named = {re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-")) for heading in headings}
    return named | set(re.findall(r'<a id="([^"]+)"', text))


def test_pages_are_few_and_all_are_in_the_index() -> None:
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {INDEX.name}
    assert len(pages) < 20
    assert pages - set(re.findall(r"\]\(([\w-]+\.md)\)", INDEX.read_text())) == set()
    assert "(docs/README.md)" in (ROOT / "README.md").read_text()


@for_current_documents
def test_names_in_backticks_exist(path: Path) -> None:
    assert documented.list_broken_references(path.read_text()) == []


def test_outdated_name_in_a_page_is_detected() -> None:
    true = "`tests/house/documented.py` `store.commit` `Position.view(seat)` `games.rules`"
    # These names are split, because the words of this file count as existing.
    false = [f"{'services'}/play.py", "store.commits", "Position.sight(seat)", "games.rools"]
    false.append("Snapshot"[:-1])
    said = " ".join(f"`{name}`" for name in false)
    assert documented.list_broken_references(f"{true} {said}") == false


@pytest.mark.patient
def test_paths_in_sources_exist() -> None:
    sources = [name for name in documented.list_files() if name.endswith((".py", ".js"))]
    message = {name: documented.list_missing_paths((ROOT / name).read_text()) for name in sources}
    assert {name: paths for name, paths in message.items() if paths} == {}


@pytest.mark.patient
def test_names_mentioned_in_sources_exist() -> None:
    sources = [name for name in documented.list_files() if name.endswith(".py")]
    ours = [name for name in sources if name.startswith(("games/", "tournament/"))]
    message = {name: documented.list_missing_names((ROOT / name).read_text()) for name in ours}
    assert {name: names for name, names in message.items() if names} == {}


def test_outdated_name_in_a_docstring_is_detected() -> None:
    true = 'def f():\n    """`store.commit`, documented.py, `7.5`, `state`."""\n'
    false = '"""`store.commits()`."""\n# As in `rools.py`, or mail of long_gone.py.\n'
    found = [documented.list_missing_names(source) for source in (true, false)]
    assert found == [[], ["store.commits()", "rools.py", "long_gone.py"]]


@for_each_document
def test_management_commands_exist(path: Path) -> None:
    named = set(re.findall(r"manage\.py(?:`: `| )([a-z_]+)", path.read_text()))
    assert named - set(get_commands()) == set()


@for_current_documents
def test_management_commands_accept_their_documented_options(path: Path) -> None:
    assert list(iter_refused_commands(path.read_text())) == []


def test_outdated_command_option_is_detected() -> None:
    page = "```sh\n.venv/bin/python manage.py restore {} FILE\n```"
    assert list(iter_refused_commands(page.format("--replace"))) == []
    [refused] = iter_refused_commands(page.format("--over"))
    assert refused == "restore --over FILE: Error: unrecognized arguments: --over"


def iter_refused_commands(text: str) -> Iterator[str]:
    """Yield each command in a page's code blocks that `manage.py` refuses, with the reason."""
    for line in re.findall(
        r"\bpython manage\.py ([^\n;|&)]+)", "".join(documented.FENCED_CODE.findall(text))
    ):
        name, *given = shlex.split(re.sub(r"\$\(.*", "NOW", line), comments=True)
        command = load_command_class(get_commands()[name], name)
        try:
            command.create_parser("manage.py", name).parse_args(given)
        except CommandError as refused:
            yield f"{line}: {refused}"


@for_each_document
def test_make_targets_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:`|^|-- )make ([a-z-]+)", path.read_text(), re.MULTILINE))
    assert named - targets == set()


def test_every_direct_dependency_has_its_reason() -> None:
    names = {
        re.split(r"[=<>\[ ]", line)[0].lower()
        for file in ("requirements.in", "requirements-dev.in")
        for line in (ROOT / file).read_text().splitlines()
        if line and not line.startswith(("#", "-r"))
    }
    names |= set(json.loads((ROOT / "package.json").read_text())["devDependencies"])
    text = (ROOT / "docs" / "dependencies.md").read_text().lower()
    assert [name for name in sorted(names) if name not in text] == []


def test_npm_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (ROOT / "package-lock.json").read_text()
