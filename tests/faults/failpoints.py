"""`manage.py serve` with failpoints, at which the process can kill itself.

It is run as `python failpoints.py serve …`, with FAILPOINTS set to a folder. There is a failpoint
before and after each statement and each commit. The folder's file "plan" names an operation and the
number of a failpoint. The next such operation kills the process at that failpoint, as kill -9
would. The plan is deleted first, so the operation succeeds in the next process. When an operation
finishes, the number of failpoints that it passed is written to the file "points".
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

_passed_count: ContextVar[int | None] = ContextVar(
    "number of failpoints that this operation has passed", default=None
)
_fatal_number: ContextVar[int] = ContextVar("number of the failpoint that kills the process")


def pass_failpoint() -> None:
    """Kill the process if this is the planned failpoint; do nothing outside a planned operation."""
    passed = _passed_count.get()
    if passed is None:
        return
    if passed == _fatal_number.get():
        os.kill(os.getpid(), signal.SIGKILL)
    _passed_count.set(passed + 1)


def add_failpoints(work: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap `work` with a failpoint before and after the call."""

    @wraps(work)
    def run_with_failpoints(*arguments: Any, **named: Any) -> Any:
        pass_failpoint()
        result = work(*arguments, **named)
        pass_failpoint()
        return result

    return run_with_failpoints


def wrap_operation(name: str, work: Callable[..., Any], folder: Path) -> Callable[..., Any]:
    """Wrap the operation `name` so that it runs with the failpoint planned for it, if any."""

    @wraps(work)
    def run_armed(*arguments: Any, **named: Any) -> Any:
        plan = folder / "plan"
        if not plan.exists() or not (planned := plan.read_text()).startswith(f"{name} "):
            return work(*arguments, **named)
        plan.unlink()
        _fatal_number.set(int(planned.split()[1]))
        _passed_count.set(0)
        try:
            return work(*arguments, **named)
        finally:
            (folder / "points").write_text(str(_passed_count.get()))
            _passed_count.set(None)

    return run_armed


def install_failpoints(folder: Path) -> None:
    """Add failpoints to all database calls, and wrap the operations that a plan may name."""
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

    from games import services
    from games.matches import requests

    for owner, name in ((CursorWrapper, "execute"), (BaseDatabaseWrapper, "commit")):
        setattr(owner, name, add_failpoints(getattr(owner, name)))
    for name in OPERATIONS:
        # Sockets call `act` in games.matches.requests directly.
        room = requests if name == "act" else services
        setattr(room, name, wrap_operation(name, getattr(room, name), folder))


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
    django.setup()
    install_failpoints(Path(os.environ["FAILPOINTS"]))
    from django.core.management import execute_from_command_line

    execute_from_command_line(["manage.py", *sys.argv[1:]])
