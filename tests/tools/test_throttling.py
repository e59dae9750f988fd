"""Tests of simulated slow machines, in which each process has a limited share of the CPU."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import check, nightly, throttling
from tests.services import MissingServiceError, wait_for

BUSY_SCRIPT = "import time; begun = time.monotonic()\nwhile time.process_time() < 0.5: pass\n"
BUSY_SCRIPT += "print(time.monotonic() - begun)"


@pytest.fixture
def control_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Provide a folder in place of the cgroup v2 file system."""
    monkeypatch.setattr(throttling, "CONTROL_GROUPS", tmp_path)
    return tmp_path


def test_each_process_has_its_own_control_group(control_groups: Path) -> None:
    with throttling.parent_group(40) as folder:
        assert (control_groups / "cgroup.subtree_control").read_text() == "+cpu"
        for pid in (7, 8):
            throttling.limit_process(folder, pid, 40)
            assert (folder / str(pid) / "cpu.max").read_text() == "40000 100000"
            assert (folder / str(pid) / "cgroup.procs").read_text() == str(pid)


def test_find_descendants_returns_only_descendants() -> None:
    sleep = f"{sys.executable} -c 'import time; time.sleep(60)'"
    with subprocess.Popen(["sh", "-c", f"{sleep}; true"]) as shell:
        wait_for(lambda: len(throttling.find_descendants(shell.pid)) == 1, "the shell's child")
        [child] = throttling.find_descendants(shell.pid)
        assert {shell.pid, child} <= throttling.find_descendants(os.getpid())
        assert throttling.find_descendants(child) == set()
        shell.kill()
        os.kill(child, 9)


@pytest.mark.slow
def test_throttled_command_returns_its_exit_code() -> None:
    try:
        with throttling.parent_group(20):
            pass
    except MissingServiceError as missing:
        pytest.skip(f"needs {missing}")
    slowed = [
        sys.executable,
        "-m",
        "tests.throttling",
        "20",
        sys.executable,
        "-c",
        f"{BUSY_SCRIPT}; exit(3)",
    ]
    done = subprocess.run(slowed, cwd=check.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert float(done.stdout) > 1.2


def test_missing_control_groups_are_tolerated(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(throttling, "CONTROL_GROUPS", tmp_path / "none")
    checks = check.Checks()
    nightly.slow_machine(checks)
    assert [line.partition(":")[0] for line in checks.excused] == [nightly.SLOW_MACHINE]
    assert checks.print_summary(in_ci=True) == 0
