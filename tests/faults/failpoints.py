"""`manage.py serve` that kills itself: `python failpoints.py serve …`, with FAILPOINTS a folder.

The file "plan" in it names a work and a number: the next such work ends the process, as kill -9
does, at that point; before and after each statement and each commit is a point. The plan is gone
by then, so that the same work in the next process lives. A work that lives to its end writes into
"points" how many it has passed.
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

WORKS = ("act", "commit_share", "open_share", "run_due")

_passed: ContextVar[int | None] = ContextVar("points that this work has passed", default=None)
_last: ContextVar[int] = ContextVar("the point at which it dies")


def point() -> None:
    """One place where the process may die; nothing happens in work that is not to die."""
    passed = _passed.get()
    if passed is None:
        return
    if passed == _last.get():
        os.kill(os.getpid(), signal.SIGKILL)
    _passed.set(passed + 1)


def add_failpoints(work: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap `work` with one failpoint before it and one after it."""

    @wraps(work)
    def run_with_failpoints(*arguments: Any, **named: Any) -> Any:
        point()
        result = work(*arguments, **named)
        point()
        return result

    return run_with_failpoints


def make_work_die(name: str, work: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    """Work that dies where the plan says so."""

    @wraps(work)
    def run_armed(*arguments: Any, **named: Any) -> Any:
        plan = folder / "plan"
        if not plan.exists() or not (planned := plan.read_text()).startswith(f"{name} "):
            return work(*arguments, **named)
        plan.unlink()
        _last.set(int(planned.split()[1]))
        _passed.set(0)
        try:
            return work(*arguments, **named)
        finally:
            (folder / "points").write_text(str(_passed.get()))
            _passed.set(None)

    return run_armed


def arm(folder: Path) -> None:
    """Put the points where the database is spoken to, and let works die at them."""
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

    from games import services

    for owner, name in ((CursorWrapper, "execute"), (BaseDatabaseWrapper, "commit")):
        setattr(owner, name, add_failpoints(getattr(owner, name)))
    for name in WORKS:
        setattr(services, name, make_work_die(name, getattr(services, name), folder))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
    django.setup()
    arm(Path(os.environ["FAILPOINTS"]))
    from django.core.management import execute_from_command_line

    execute_from_command_line(["manage.py", *sys.argv[1:]])
