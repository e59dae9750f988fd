"""Simulation of a slow machine: each process of a command gets only a share of a core.

`python -m tests.throttling 40 COMMAND ...` puts the command and each of its descendants into its
own control group, which may use 40 % of a core. This needs root, and Linux with control groups.
"""

import contextlib
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

from tests.services import MissingServiceError

CONTROL_GROUPS = Path("/sys/fs/cgroup")
PERIOD_MICROSECONDS = 100_000
POLL_SECONDS = 0.2


@contextlib.contextmanager
def parent_group(percent: int) -> Iterator[Path]:
    """Provide a parent folder for control groups, and remove it afterwards.

    Raises MissingServiceError if this process may not create control groups.
    """
    first = (CONTROL_GROUPS / "cpu" / "cpu.cfs_quota_us").exists()
    parent = CONTROL_GROUPS / "cpu" if first else CONTROL_GROUPS
    try:
        folder = Path(tempfile.mkdtemp(prefix="lastcard-throttled-", dir=parent))
    except OSError as error:
        raise MissingServiceError(f"control groups that may be changed ({error})") from error
    try:
        if not first:
            allow_limits(parent, folder)
        yield folder
    finally:
        remove_groups(folder, parent)


def allow_limits(parent: Path, folder: Path) -> None:
    """Enable CPU limits for the groups in `folder` (version 2 of control groups only)."""
    try:
        for group in (parent, folder):
            (group / "cgroup.subtree_control").write_text("+cpu")
    except OSError as error:
        raise MissingServiceError(f"control groups that limit a processor ({error})") from error


def remove_groups(folder: Path, parent: Path) -> None:
    """Move any running processes back to the parent group, and remove the groups."""
    for group in [*(each for each in folder.iterdir() if each.is_dir()), folder]:
        with contextlib.suppress(OSError):
            for pid in (group / "cgroup.procs").read_text().split():
                with contextlib.suppress(OSError):
                    (parent / "cgroup.procs").write_text(pid)
        with contextlib.suppress(OSError):
            group.rmdir()


def limit_process(folder: Path, pid: int, percent: int) -> None:
    """Limit this process to `percent` % of a core. Do nothing if it has ended."""
    group = folder / str(pid)
    with contextlib.suppress(OSError):
        group.mkdir()
        quota = PERIOD_MICROSECONDS * percent // 100
        if (group / "cpu.cfs_quota_us").exists():
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_MICROSECONDS))
            (group / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (group / "cpu.max").write_text(f"{quota} {PERIOD_MICROSECONDS}")
        (group / "cgroup.procs").write_text(str(pid))


def find_descendants(pid: int) -> set[int]:
    """Return the ids of all descendants of this process."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    found, left = set[int](), [pid]
    while left:
        below = children.get(left.pop(), [])
        found.update(below)
        left += below
    return found


def limit_descendants(folder: Path, percent: int, ended: threading.Event) -> None:
    """Limit each descendant of this process to `percent` % of a core, until `ended` is set."""
    limited = set[int]()
    while not ended.wait(POLL_SECONDS):
        running = find_descendants(os.getpid())
        for pid in running - limited:
            limit_process(folder, pid, percent)
        for pid in limited - running:
            with contextlib.suppress(OSError):
                (folder / str(pid)).rmdir()
        limited = running


def run(percent: int, command: list[str]) -> int:
    """Run the command with limited processes and return its exit code."""
    ended = threading.Event()
    with parent_group(percent) as folder:
        holding = threading.Thread(target=limit_descendants, args=(folder, percent, ended))
        holding.start()
        try:
            return subprocess.run(command, check=False).returncode
        finally:
            ended.set()
            holding.join()


if __name__ == "__main__":
    sys.exit(run(int(sys.argv[1]), sys.argv[2:]))
