"""Limit on a process's share of a core, by Linux control groups. Needs root."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

GROUPS = Path("/sys/fs/cgroup")
# In microseconds. Short, so that waiting for the next period hardly affects measurements.
PERIOD = 10_000


@contextmanager
def limit_core(pid: int, percent: int | None) -> Iterator[None]:
    """Limit a process to `percent` % of a core during the `with` block. None means no limit."""
    if percent is None:
        yield
        return
    is_version_1 = (GROUPS / "cpu" / "cpu.cfs_quota_us").exists()
    group = (GROUPS / "cpu" if is_version_1 else GROUPS) / f"lastcard-bench-{pid}"
    group.mkdir()
    try:
        _write_cpu_limit(group, PERIOD * percent // 100, is_version_1=is_version_1)
        (group / "cgroup.procs").write_text(str(pid))
        yield
    finally:
        # Children of the process are in the same group.
        for process in (group / "cgroup.procs").read_text().split():
            (group.parent / "cgroup.procs").write_text(process)
        group.rmdir()


def _write_cpu_limit(group: Path, quota: int, *, is_version_1: bool) -> None:
    """Limit the group to `quota` microseconds in each period."""
    if is_version_1:
        (group / "cpu.cfs_period_us").write_text(str(PERIOD))
        (group / "cpu.cfs_quota_us").write_text(str(quota))
    else:
        (group / "cpu.max").write_text(f"{quota} {PERIOD}")
