"""Detection of temporary errors: the database is away, or a disk is full."""

import errno

from games.process.db import DATABASE_AWAY

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
# Trouble with connection, resources, operator, system, as SQLSTATE and SQLite name it.
OF_POSTGRES = ("08", "53", "57", "58", "25006")
OF_SQLITE = ("SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY")


def passes(error: BaseException | None) -> bool:
    """Return whether trying again in a minute may help."""
    if isinstance(error, OSError):
        return error.errno in FULL
    return isinstance(error, DATABASE_AWAY)


def is_outage(error: BaseException) -> bool:
    """Return whether the error means that the database is away or out of space.

    This includes a database or disk that is full or read-only. It does not include a statement
    that is wrong or conflicts with another one.
    """
    if not isinstance(error, DATABASE_AWAY):
        return passes(error)
    cause = error.__cause__
    said = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None)
    return said is None or said.startswith(OF_POSTGRES + OF_SQLITE)
