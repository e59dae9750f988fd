"""Limit on a process's share of a processor core, by Linux control groups. Needs root."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
# In microseconds. The period is short, so that waiting for the next one does not affect the
# measurements.
PERIOD = 10_000


@contextmanager
def limit_core(pid: int, percent: int | None) -> Iterator[None]:
    """Limit a process and its threads to `percent` of a core. None means no limit."""
    if percent is None:
        yield
        return
    is_version_1 = (GROUPS / "cpu" / "cpu.cfs_quota_us").exists()
    group = (GROUPS / "cpu" if is_version_1 else GROUPS) / f"lastcard-bench-{pid}"
    group.mkdir()
    try:
        _limit(group, PERIOD * percent // 100, is_version_1=is_version_1)
        (group / "cgroup.procs").write_text(str(pid))
        yield
    finally:
        # The group includes the children of the process.
        for process in (group / "cgroup.procs").read_text().split():
            (group.parent / "cgroup.procs").write_text(process)
        group.rmdir()


def _limit(group: Path, quota: int, *, is_version_1: bool) -> None:
    """Limit the group to `quota` microseconds in each period.

    `is_version_1` selects version 1 of control groups, which mounts each controller separately.
    """
    if is_version_1:
        (group / "cpu.cfs_period_us").write_text(str(PERIOD))
        (group / "cpu.cfs_quota_us").write_text(str(quota))
    else:
        (group / "cpu.max").write_text(f"{quota} {PERIOD}")
