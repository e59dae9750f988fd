"""Tests of the check that refuses compiled rules that are older than their source."""

import os
from pathlib import Path

import pytest
from django.core.checks import registry

from games.checks import OUTDATED, check_compiled_rules


def make_rules_folder(folder: Path, source: int, compiled: int | None) -> Path:
    """Add a module and its compiled version with these modification times to the folder."""
    times = {"engine.py": source, "state.py": 5, "engine.cpython-311.so": compiled}
    for name, at in times.items():
        if at is not None:
            (folder / name).touch()
            os.utime(folder / name, (at, at))
    return folder


@pytest.mark.parametrize(
    ("source", "compiled", "problems"),
    [(9, None, []), (9, 9, []), (9, 10, []), (9, 8, [OUTDATED]), (4, 4, [OUTDATED])],
)
def test_compiled_rules_older_than_any_source_are_reported(
    tmp_path: Path, source: int, compiled: int | None, problems: list[str]
) -> None:
    assert [
        message.id
        for message in check_compiled_rules(None, make_rules_folder(tmp_path, source, compiled))
    ] == problems


def test_compiled_rules_are_checked_before_every_command() -> None:
    found: set[object] = set(registry.registry.get_checks())
    assert check_compiled_rules in found
