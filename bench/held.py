"""Limits on a process's share of a core, set with Linux control groups; needs root."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
# Short, so that the waits for the next one are not what is measured. In microseconds.
PERIOD = 10_000


@contextmanager
def held(pid: int, percent: int | None) -> Iterator[None]:
    """Limit a process and its threads to `percent` of a core; None means no limit."""
    if percent is None:
        yield
        return
    first = (GROUPS / "cpu" / "cpu.cfs_quota_us").exists()
    group = (GROUPS / "cpu" if first else GROUPS) / f"lastcard-bench-{pid}"
    group.mkdir()
    try:
        _limit(group, PERIOD * percent // 100, first=first)
        (group / "cgroup.procs").write_text(str(pid))
        yield
    finally:
        for one in (group / "cgroup.procs").read_text().split():  # includes its child processes
            (group.parent / "cgroup.procs").write_text(one)
        group.rmdir()


def _limit(group: Path, quota: int, *, first: bool) -> None:
    """Limit the group to `quota` microseconds in each period.

    `first` selects control groups version 1, whose controllers are mounted one by one.
    """
    if first:
        (group / "cpu.cfs_period_us").write_text(str(PERIOD))
        (group / "cpu.cfs_quota_us").write_text(str(quota))
    else:
        (group / "cpu.max").write_text(f"{quota} {PERIOD}")
