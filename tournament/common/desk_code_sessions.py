"""Detection of actions in sessions that were opened with a desk code.

The activity log, the event history and emails mention the desk code, because another person at the
desk may have used it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# A function that queries the session. It is called only when an action is logged.
_account_finder: ContextVar[Callable[[], int | None]] = ContextVar("by_desk_code")


@contextmanager
def mark_desk_code_session(find_account: Callable[[], int | None]) -> Iterator[None]:
    """Mark actions within this context as possibly taken in a session with a desk code.

    `find_account` returns the id of the account that signed in with a desk code, or None.
    """
    token = _account_finder.set(find_account)
    try:
        yield
    finally:
        _account_finder.reset(token)


def is_acting_by_desk_code(account: int | None) -> bool:
    """Return whether the current action is by this account, in a session with a desk code."""
    find_account = _account_finder.get(None)
    return account is not None and find_account is not None and find_account() == account
