"""Tests that `.ci/run` lists missing programs before it starts."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.typed import sure

SCRIPT = Path(__file__).resolve().parents[2] / ".ci" / "run"
BASH = shutil.which("bash") or "/bin/bash"


@pytest.fixture
def bare_machine(tmp_path: Path) -> Path:
    """Provide a PATH with almost no commands, for a user who is not root."""
    for name in ("dirname", "ls"):
        (tmp_path / name).symlink_to(sure(shutil.which(name)))
    for name, body in {"id": "echo 1000", "apt-get": "echo called >&2; exit 100"}.items():
        (tmp_path / name).write_text(f"#!{BASH}\n{body}\n")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def test_non_root_user_sees_what_to_install(bare_machine: Path) -> None:
    done = subprocess.run(
        [BASH, SCRIPT], env={"PATH": str(bare_machine)}, capture_output=True, text=True, check=False
    )
    needed = done.stderr.strip().rpartition(": ")[2]
    assert done.returncode == 1
    assert done.stderr.startswith("To install what is missing, .ci/run must be started as root")
    assert {
        *("make", "nodejs", "redis-server"),
        *("chromium-headless-shell", "firefox-esr", "webkit2gtk-driver", "xvfb"),
    } <= set(needed.split())


@pytest.mark.parametrize(
    "name", ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
)
def test_any_chromium_based_browser_is_accepted(bare_machine: Path, name: str) -> None:
    (bare_machine / name).symlink_to("/bin/true")
    done = subprocess.run(
        [BASH, SCRIPT], env={"PATH": str(bare_machine)}, capture_output=True, text=True, check=False
    )
    assert "chromium" not in done.stdout + done.stderr
