"""Tests that the scripts are type-checked against the protocol."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.protocol import SCHEMA, map_members_by_tag

ROOT = Path(__file__).resolve().parents[2]
TSC = ROOT / "node_modules" / "typescript" / "bin" / "tsc"
CHECKED_PATHS = ["static/js", "docs/protocol.d.ts", "jsconfig.json"]
# Variables whose values are parts of the protocol, with their types. Each entry is tested
# separately, because after an error, the type `any` hides further ones.
MESSAGE_TYPES = {
    "view": ["TableView", "CommentaryView"],
    "match": ["MatchFacts"],
    "seat|mine": ["SeatAtTable"],
    "may": ["May"],
    "clock": ["Clock"],
    "entry": ["LogLine"],
    "penalty": ["OwedPenalty"],
    "data|sheet": ["SheetView"],
    "row": ["SheetRow"],
    "event": sorted(map_members_by_tag("Event").values()),
    "message": sorted(
        {
            *map_members_by_tag("ServerMessage").values(),
            *map_members_by_tag("EventMessage").values(),
        }
    ),
    "now": ["ReplayStep"],
    "deal": ["DealFacts"],
    "list": ["DealList"],
}

pytestmark = pytest.mark.skipif(
    not TSC.exists() or shutil.which("node") is None, reason="Node.js or its packages are missing"
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in CHECKED_PATHS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, tmp_path / name)
    return tmp_path


def list_type_errors(project: Path) -> set[tuple[str, int]]:
    """Return the file and the line of each error that tsc finds."""
    command = ["node", str(TSC), "--project", "jsconfig.json"]
    said = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False).stdout
    return {(file, int(line)) for file, line in re.findall(r"^(\S+?)\((\d+),", said, re.MULTILINE)}


def test_scripts_match_their_types(copy: Path) -> None:
    assert list_type_errors(copy) == set()


@pytest.mark.slow
@pytest.mark.patient
@pytest.mark.parametrize("names", MESSAGE_TYPES)
def test_misspelt_key_is_a_type_error(copy: Path, names: str) -> None:
    keys = [
        key for name in MESSAGE_TYPES[names] for key in SCHEMA["definitions"][name]["properties"]
    ]
    reads = re.compile(rf"\b(?:{names})\??\.(?:{'|'.join(keys)})\b(?!\()")
    wrong = {place for path in iter_scripts(copy) for place in misspell_keys(copy, path, reads)}
    assert wrong
    assert wrong - list_type_errors(copy) == set()


def iter_scripts(project: Path) -> Iterator[Path]:
    for folder in ("fair", "table", "replay", "pages"):
        yield from (project / "static" / "js" / folder).glob("*.js")


def misspell_keys(project: Path, path: Path, reads: re.Pattern[str]) -> Iterator[tuple[str, int]]:
    """Misspell the keys that match `reads` in a script's code, and yield the places."""
    lines = path.read_text().splitlines()
    for number, line in enumerate(lines):
        if not line.lstrip().startswith(("*", "/")) and reads.search(line):
            lines[number] = reads.sub(r"\g<0>Misspelt", line)
            yield str(path.relative_to(project)), number + 1
    path.write_text("\n".join(lines) + "\n")


def test_key_removed_from_the_protocol_is_a_type_error(copy: Path) -> None:
    declared = copy / "docs" / "protocol.d.ts"
    declared.write_text(declared.read_text().replace('"draw_label": string;', ""))
    found = list_type_errors(copy)
    assert {Path(file).name for file, _ in found} >= {"centre.js", "controls.js", "words.js"}
