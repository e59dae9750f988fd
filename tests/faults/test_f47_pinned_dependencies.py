"""F47: only pinned dependencies are installed, each file with its hash."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
MAKEFILE = (ROOT / "Makefile").read_text()
LOCK_FILES = ["requirements.txt", "requirements-dev.txt"]
PINNED_LINE = re.compile(r"[a-z0-9][a-z0-9.-]*==[\w.]+( ; .+)? \\")
HASH_LINE = re.compile(r" {4}--hash=sha256:[0-9a-f]{64}( \\)?")


def list_requirements(lock: str) -> list[list[str]]:
    """Return the lines of each requirement: the version, then the hashes."""
    found: list[list[str]] = []
    for line in (ROOT / lock).read_text().splitlines():
        if not line.lstrip().startswith("#"):
            found += [[line]] if not line.startswith(" ") else []
            found[-1] += [line] if line.startswith(" ") else []
    return found


@pytest.mark.parametrize("lock", [*LOCK_FILES, "requirements-newest.txt"])
def test_every_requirement_is_pinned_with_hashes(lock: str) -> None:
    loose = [
        first
        for first, *hashes in list_requirements(lock)
        if not (PINNED_LINE.fullmatch(first) and hashes and all(map(HASH_LINE.fullmatch, hashes)))
    ]
    assert loose == []


def test_lock_files_cover_all_requirements() -> None:
    for source, lock in zip(["requirements.in", "requirements-dev.in"], LOCK_FILES, strict=True):
        lines = (ROOT / source).read_text().splitlines()
        asked = {re.split(r"[\[=<]", line)[0].lower() for line in lines if line[:1].isalpha()}
        locked = {first.partition("==")[0] for first, *_ in list_requirements(lock)}
        assert asked - locked == set()


def test_makefile_installs_require_hashes() -> None:
    installs = [line for line in MAKEFILE.splitlines() if "pip install" in line]
    assert len(installs) == 4
    assert [line for line in installs if "--require-hashes" not in line] == []
