"""`manage.py serve` that kills itself at a planned point.

It is run as `python failpoints.py serve …`, with FAILPOINTS set to a folder. The file "plan" in
this folder names an operation and a number. The next such operation ends the process at that point,
as kill -9 would. There is a point before and after each statement and each commit. The plan is
deleted beforehand, so that the same operation survives in the next process. An operation that
reaches its end writes the number of points that it has passed into "points".
"""

import os
import signal
import sys
from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import Any

import django

OPERATIONS = ("act", "commit_share", "open_share", "run_due_step")

_passed_points: ContextVar[int | None] = ContextVar(
    "points that this work has passed", default=None
)
_fatal_point: ContextVar[int] = ContextVar("the point at which it dies")


def mark_point() -> None:
    """Mark a point at which the process may die; do nothing in an operation without a plan."""
    passed = _passed_points.get()
    if passed is None:
        return
    if passed == _fatal_point.get():
        os.kill(os.getpid(), signal.SIGKILL)
    _passed_points.set(passed + 1)


def add_failpoints(work: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap `work` with one failpoint before and one after the call."""

    @wraps(work)
    def run_with_failpoints(*arguments: Any, **named: Any) -> Any:
        mark_point()
        result = work(*arguments, **named)
        mark_point()
        return result

    return run_with_failpoints


def make_work_die(name: str, work: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    """Wrap `work` so that it dies at the point that the plan names."""

    @wraps(work)
    def run_armed(*arguments: Any, **named: Any) -> Any:
        plan = folder / "plan"
        if not plan.exists() or not (planned := plan.read_text()).startswith(f"{name} "):
            return work(*arguments, **named)
        plan.unlink()
        _fatal_point.set(int(planned.split()[1]))
        _passed_points.set(0)
        try:
            return work(*arguments, **named)
        finally:
            (folder / "points").write_text(str(_passed_points.get()))
            _passed_points.set(None)

    return run_armed


def install_failpoints(folder: Path) -> None:
    """Add failpoints around all database calls, and let planned operations die at them."""
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

    from games import services
    from games.matches import requests

    for owner, name in ((CursorWrapper, "execute"), (BaseDatabaseWrapper, "commit")):
        setattr(owner, name, add_failpoints(getattr(owner, name)))
    for name in OPERATIONS:
        # Sockets call `act` in games.requests directly.
        room = requests if name == "act" else services
        setattr(room, name, make_work_die(name, getattr(room, name), folder))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
    django.setup()
    install_failpoints(Path(os.environ["FAILPOINTS"]))
    from django.core.management import execute_from_command_line

    execute_from_command_line(["manage.py", *sys.argv[1:]])
