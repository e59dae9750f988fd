"""Detection of temporary errors: an unavailable database, or a full disk."""

import errno

from games.process.db import DATABASE_DOWN

DISK_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
# Codes for problems with connections, resources, operators and the system, as prefixes of SQLSTATE
# codes and as names of SQLite errors.
POSTGRES_CODES = ("08", "53", "57", "58", "25006")
SQLITE_CODES = ("SQLITE_CANTOPEN", "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY")


def is_temporary(error: BaseException | None) -> bool:
    """Return whether the request may succeed a minute later."""
    if isinstance(error, OSError):
        return error.errno in DISK_FULL
    return isinstance(error, DATABASE_DOWN)


def is_outage(error: BaseException) -> bool:
    """Return whether the error means that the database is unavailable or out of space.

    This includes a full or read-only database or disk, but not a statement that is wrong or
    conflicts with another one.
    """
    if not isinstance(error, DATABASE_DOWN):
        return is_temporary(error)
    cause = error.__cause__
    code = getattr(cause, "sqlstate", None) or getattr(cause, "sqlite_errorname", None)
    return code is None or code.startswith(POSTGRES_CODES + SQLITE_CODES)
