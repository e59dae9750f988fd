"""Right to write: account or guest, session and seat must match at the moment of writing.

A statement that includes the check rejects a user who has just signed out, and costs no query.
"""

from dataclasses import dataclass
from functools import cache
from typing import Any

from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

from games.models import Seat
from games.seats import Holder


class RightsLostError(Exception):
    """The sign-in or the seat has ended; nothing was written."""


@dataclass(frozen=True, slots=True)
class Rights:
    """A seat and the person who acts for it.

    `seat` is a key. The person is an account with its password's hash, or a guest, for whom
    `password` is "". `session` is the person's session.
    """

    seat: int
    holder: Holder
    password: str
    session: str

    def hold(self) -> bool:
        """Return whether seat, person and session still belong together, using one query."""
        with connection.cursor() as cursor:
            cursor.execute(self.condition, self.values())
            return cursor.fetchone() is not None

    def check(self) -> None:
        """Check that the rights still hold.

        Raises RightsLostError if they do not.
        """
        if not self.hold():
            raise RightsLostError

    @property
    def condition(self) -> str:
        """A query that finds something where the rights hold, also as a part of another one."""
        return (
            _write_guest_condition() if isinstance(self.holder, str) else _write_account_condition()
        )

    def values(self) -> list[Any]:
        """Return the current values for the placeholders of `condition`."""
        proof = [] if isinstance(self.holder, str) else [self.password]
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        return [self.seat, self.holder, *proof, self.session, now]


@cache
def _write_account_condition() -> str:
    users = get_user_model()._meta.db_table
    return (
        f'SELECT 1 FROM "{Seat._meta.db_table}" seat JOIN "{users}" account '  # noqa: S608
        "ON account.id = seat.user_id WHERE seat.id = %s AND account.id = %s "
        f"AND account.is_active AND account.password = %s AND {_write_session_condition()}"
    )


@cache
def _write_guest_condition() -> str:
    seats = Seat._meta.db_table
    session = _write_session_condition()
    return f'SELECT 1 FROM "{seats}" seat WHERE seat.id = %s AND seat.guest = %s AND {session}'  # noqa: S608


def _write_session_condition() -> str:
    sessions = Session._meta.db_table
    return f'EXISTS (SELECT 1 FROM "{sessions}" WHERE session_key = %s AND expire_date > %s)'  # noqa: S608
