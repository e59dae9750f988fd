"""What the documents promise is there: files behind links, commands, make targets, settings."""

import json
import re
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs").glob("*.md")),
]
each_document = pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)


@each_document
def test_links_lead_to_files_of_the_project(path: Path) -> None:
    links = re.findall(r"\]\((?!https?:|#)([^)#\s]+)", path.read_text())
    assert [link for link in links if not (path.parent / link).exists()] == []


@each_document
def test_management_commands_exist(path: Path) -> None:
    named = set(re.findall(r"manage\.py(?:`: `| )([a-z_]+)", path.read_text()))
    assert named - set(get_commands()) == set()


@each_document
def test_make_targets_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"(?:`|^|-- )make ([a-z-]+)", path.read_text(), re.MULTILINE))
    assert named - targets == set()


def test_every_setting_is_in_the_table() -> None:
    source = (ROOT / "tournament" / "settings.py").read_text()
    read = set(re.findall(r'(?:environ\.get|environ|flag|listed)[(\[]\s*"([A-Z_]+)"', source))
    table = set(re.findall(r"`([A-Z_]+)`", (ROOT / "docs" / "deploy.md").read_text()))
    assert read - table == set()


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


def test_the_lock_of_npm_names_no_registry() -> None:
    assert '"resolved"' not in (ROOT / "package-lock.json").read_text()
