"""Tests of `make fresh`: when it runs the tests, and which results are failures."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import fresh


@pytest.fixture
def digest_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide the path of the file that stores the digest of the last tested installation."""
    digest_file = tmp_path / "tried"
    monkeypatch.setattr(fresh, "TRIED_FILE", digest_file)
    monkeypatch.setattr(fresh, "ROOT", tmp_path)
    (tmp_path / "requirements.txt").write_text("django==5.2\n")
    return digest_file


@pytest.fixture
def steps_taken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Replace the steps with stubs, and provide the list of steps taken."""
    steps = list[str]()
    monkeypatch.setattr(fresh, "install_and_play", lambda root: steps.append("play"))
    monkeypatch.setattr(fresh, "run_tests_in_root", lambda root: steps.append("tests"))
    return steps


def test_unchanged_installation_is_tested_only_once(
    digest_path: Path, steps_taken: list[str]
) -> None:
    fresh.check_installation(digest_path.parent, whole=False)
    fresh.check_installation(digest_path.parent, whole=False)
    assert steps_taken == ["play", "tests", "play"]
    fresh.check_installation(digest_path.parent, whole=True)
    assert steps_taken[3:] == ["play", "tests"]


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.in", "Makefile", ".npmrc"])
def test_changed_installation_triggers_a_new_run(
    digest_path: Path, steps_taken: list[str], name: str
) -> None:
    fresh.check_installation(digest_path.parent, whole=False)
    (digest_path.parent / name).write_text("other")
    fresh.check_installation(digest_path.parent, whole=False)
    assert steps_taken == ["play", "tests"] * 2


def test_changed_readme_line_triggers_a_new_run(
    digest_path: Path, steps_taken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh.check_installation(digest_path.parent, whole=False)
    lines = fresh.read_readme_commands()
    monkeypatch.setattr(
        fresh, "read_readme_commands", lambda: lines._replace(tools="apt install none")
    )
    fresh.check_installation(digest_path.parent, whole=False)
    assert steps_taken == ["play", "tests"] * 2


def test_change_during_the_run_invalidates_the_result(
    digest_path: Path, steps_taken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def change_makefile(root: Path) -> None:
        (root / "Makefile").write_text("other")

    monkeypatch.setattr(fresh, "run_tests_in_root", change_makefile)
    fresh.check_installation(digest_path.parent, whole=False)
    assert not fresh.has_already_passed()


def test_failed_run_does_not_count_as_tested(
    digest_path: Path, steps_taken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_broken_promise(_root: Path) -> None:
        raise fresh.BrokenPromiseError("no")

    monkeypatch.setattr(fresh, "run_tests_in_root", raise_broken_promise)
    with pytest.raises(fresh.BrokenPromiseError):
        fresh.check_installation(digest_path.parent, whole=False)
    assert not digest_path.exists()


@pytest.mark.parametrize(
    "expected",
    ["tests of the JavaScript: Node.js is missing", "a check: this machine has no gettext (apt …)"],
)
def test_missing_component_is_a_failure(monkeypatch: pytest.MonkeyPatch, expected: str) -> None:
    def print_left_out(_root: Path, command: str, **_environment: str) -> dict[str, Any]:
        said_there = (
            f"left out: {expected}" if command.startswith("make") else "left out: all: FAST=1"
        )
        return {"args": [sys.executable, "-c", f"print({said_there!r})"]}

    monkeypatch.setattr(fresh, "build_process_options", print_left_out)
    with pytest.raises(fresh.BrokenPromiseError, match=expected.partition(" (")[0]):
        fresh.run_tests_in_root(Path())


def test_failing_tests_are_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def exit_by_target(_root: Path, command: str, **_environment: str) -> dict[str, Any]:
        return {"args": [sys.executable, "-c", f"raise SystemExit({command.startswith('make')})"]}

    monkeypatch.setattr(fresh, "build_process_options", exit_by_target)
    with pytest.raises(subprocess.CalledProcessError):
        fresh.run_tests_in_root(Path())
