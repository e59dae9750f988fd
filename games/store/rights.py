"""Who writes: account, session and seat must belong together at the moment of the writing.

A statement that asks it itself is refused at once who has signed out just now, and costs no query.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

from games.models import Seat


class NoRight(Exception):
    """The sign-in or the seat has ended; nothing was written."""


@dataclass(frozen=True, slots=True)
class Rights:
    """A seat (by key), and account (with its password's hash) and session that act for it."""

    seat: int
    user: int
    password: str
    session: str

    def hold(self) -> bool:
        """Whether they still belong together. One query."""
        with connection.cursor() as cursor:
            cursor.execute(condition(), self.values())
            return cursor.fetchone() is not None

    def check(self) -> None:
        """Raises NoRight."""
        if not self.hold():
            raise NoRight

    def values(self) -> list[Any]:
        """What the marks of `condition` stand for, now."""
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        return [self.seat, self.user, self.password, self.session, now]


@cache
def condition() -> str:
    """A query that finds something where the rights hold, also as a part of another one."""
    seats, users = Seat._meta.db_table, get_user_model()._meta.db_table
    sessions = Session._meta.db_table
    return (
        f'SELECT 1 FROM "{seats}" seat JOIN "{users}" account ON account.id = seat.user_id '  # noqa: S608
        "WHERE seat.id = %s AND account.id = %s AND account.is_active AND account.password = %s "
        f'AND EXISTS (SELECT 1 FROM "{sessions}" WHERE session_key = %s AND expire_date > %s)'
    )
