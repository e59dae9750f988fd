"""Tests of the lock files and of their audit."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DJANGO = {"django", "django-tasks"}


def list_pinned_packages(name: str) -> set[tuple[str, str]]:
    """Return each package with its version, except packages for other Pythons or systems."""
    text = (ROOT / name).read_text()
    found = re.findall(r"^([\w.-]+)==(\S+) ([;\\])(.*)", text, flags=re.MULTILINE)
    return {(what, version) for what, version, mark, when in found if not is_excluded(mark, when)}


def is_excluded(mark: str, run: str) -> bool:
    return mark == ";" and "==" in run


def test_newest_django_is_tested_with_the_other_pinned_packages() -> None:
    now, next_ = (
        list_pinned_packages("requirements-dev.txt"),
        list_pinned_packages("requirements-newest.txt"),
    )
    assert {what for what, _version in now ^ next_} == DJANGO
    assert int(dict(next_)["django"].partition(".")[0]) > int(dict(now)["django"].partition(".")[0])


@pytest.mark.parametrize(
    ("refused", "named"),
    [
        ("", []),
        ("--requirement requirements-dev.txt", ["requirements-dev.txt"]),
        ("npm audit", ["package-lock.json"]),
    ],
)
def test_audit_fails_if_a_file_cannot_be_audited(
    tmp_path: Path, refused: str, named: list[str]
) -> None:
    (tmp_path / "pip").touch()  # otherwise make would install it again
    for tool in ("uv", "npm"):
        script = tmp_path / tool
        script.write_text(
            f'#!/bin/sh\necho "{tool} $*"\ncase "{tool} $*" in *"$REFUSED"*) exit 1;; esac'
        )
        script.chmod(0o755)
    found = subprocess.run(
        ["make", "--silent", "audit", f"BIN={tmp_path}"],
        cwd=ROOT,
        env={"PATH": f"{tmp_path}:{os.environ['PATH']}", "REFUSED": refused or "nothing"},
        capture_output=True,
        text=True,
        check=False,
    )
    *commands, last = found.stdout.splitlines()
    audited = [re.search(r"--requirement (\S+)|npm (audit)", line) for line in commands]
    files = ["requirements.txt", "requirements-dev.txt", "requirements-newest.txt", None]
    assert all("--strict" in line for line in commands if "pip-audit" in line)
    if not named:
        assert found.returncode == 0
    else:
        assert found.returncode == 2
        assert last == f"Vulnerable, or not audited: {' '.join(named)}. The lines above say which."
        assert [each and each[1] for each in audited] == files
