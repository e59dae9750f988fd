"""What of an error says that it passes by itself: the database is away, a disk is full."""

import errno

from games.process.db import DATABASE_AWAY

FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
# Trouble with connection, resources, operator, system, as SQLSTATE and SQLite name it.
OF_POSTGRES = ("08", "53", "57", "58", "25006")
OF_SQLITE = ("SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY")


def passes(error: BaseException | None) -> bool:
    """Whether trying again in a minute may help."""
    if isinstance(error, OSError):
        return error.errno in FULL
    return isinstance(error, DATABASE_AWAY)


def says_away(error: BaseException) -> bool:
    """Whether it says that the database is away, or it or a disk is full or can only be read.

    A statement that is wrong, or met another one, says no such thing.
    """
    if not isinstance(error, DATABASE_AWAY):
        return passes(error)
    cause = error.__cause__
    said = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None)
    return said is None or said.startswith(OF_POSTGRES + OF_SQLITE)
