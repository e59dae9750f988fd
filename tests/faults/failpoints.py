"""`manage.py serve` that kills itself: `python failpoints.py serve …`, with FAILPOINTS a folder.

An action or share whose id is `die-N-…` ends the process, as kill -9 does, at the Nth point of its
work; before and after each statement and each commit is a point. A file in the folder remembers
each death, so that the same message sent again to the next process lives.
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

_left: ContextVar[int | None] = ContextVar("points left to live", default=None)
_marker: ContextVar[Path] = ContextVar("what remembers the death")


def point() -> None:
    """One place where the process may die; nothing happens in work that is not to die."""
    left = _left.get()
    if left is None:
        return
    _left.set(left - 1)
    if left == 0 and not _marker.get().exists():
        _marker.get().touch()
        os.kill(os.getpid(), signal.SIGKILL)


def with_points(work: Callable[..., Any]) -> Callable[..., Any]:
    """The same work with a point before it and one after it."""

    @wraps(work)
    def pointed(*arguments: Any, **named: Any) -> Any:
        point()
        result = work(*arguments, **named)
        point()
        return result

    return pointed


def dying(work: Callable[..., Any], id_of: Callable[..., str]) -> Callable[..., Any]:
    """Work that dies at the point which its id names."""

    @wraps(work)
    def armed(*arguments: Any, **named: Any) -> Any:
        name, _, rest = id_of(*arguments, **named).partition("-")
        number = rest.partition("-")[0]
        if name != "die":
            return work(*arguments, **named)
        _marker.set(Path(os.environ["FAILPOINTS"]) / number)
        _left.set(int(number))
        try:
            return work(*arguments, **named)
        finally:
            _left.set(None)

    return armed


def arm() -> None:
    """Put the points where the database is spoken to, and let actions die at them."""
    from django.db.backends.base.base import BaseDatabaseWrapper
    from django.db.backends.utils import CursorWrapper

    from games import services
    from games.live.consumers import TableSocket

    for owner, name in ((CursorWrapper, "execute"), (BaseDatabaseWrapper, "commit")):
        setattr(owner, name, with_points(getattr(owner, name)))
    services.act = dying(services.act, lambda *_, client_id, **__: str(client_id))
    TableSocket._take_share = dying(  # type: ignore[method-assign]
        TableSocket._take_share, lambda _socket, message: str(message["id"])
    )


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
    django.setup()
    arm()
    from django.core.management import execute_from_command_line

    execute_from_command_line(["manage.py", *sys.argv[1:]])
