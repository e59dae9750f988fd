"""Detection of temporary errors, such as an unavailable database or a full disk."""

import errno

from games.process.db import DATABASE_DOWN

DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
# Errors of connections, resources and the system: prefixes of SQLSTATE codes, and names of SQLite
# errors.
POSTGRES_CODES = ("08", "53", "57", "58", "25006")
SQLITE_CODES = ("SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY")


def is_temporary(error: BaseException | None) -> bool:
    """Return whether the request that raised the error may succeed a minute later."""
    if isinstance(error, OSError):
        return error.errno in DISK_FULL
    return isinstance(error, DATABASE_DOWN)


def is_outage(error: BaseException) -> bool:
    """Return whether the error means that the database is unavailable or out of space.

    A full or read-only database or disk counts as an outage. A statement that is wrong or conflicts
    with another one does not.
    """
    if not isinstance(error, DATABASE_DOWN):
        return is_temporary(error)
    cause = error.__cause__
    code = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None)
    return code is None or code.startswith(POSTGRES_CODES + SQLITE_CODES)
