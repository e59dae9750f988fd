"""Actions taken in a session that a desk code opened.

The log, the event history and emails say so, because someone at the desk may have used the code.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

# Asked only when something is written, because the answer takes the session from the database.
_find_account: ContextVar[Callable[[], int | None]] = ContextVar("by_desk_code")


@contextmanager
def mark_desk_deeds(find_account: Callable[[], int | None]) -> Iterator[None]:
    """Mark what an account does inside as done with a desk code.

    `find_account` returns the account's key, or None if no desk code opened the session.
    """
    before = _find_account.set(find_account)
    try:
        yield
    finally:
        _find_account.reset(before)


def acts_by_desk_code(account: int | None) -> bool:
    """Return whether this account (by key) is acting now, signed in with a desk code."""
    find_account = _find_account.get(None)
    return account is not None and find_account is not None and find_account() == account
