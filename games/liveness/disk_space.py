"""Check that PostgreSQL's disk has room for actions at a table, not only for heartbeats.

A full disk still accepts writes that fit into existing pages: a beat does, an action does
not. If clocks kept running, they would use up the time of players who cannot act.
"""

from django.db import ProgrammingError, connection, transaction

from games.process import here

# About a megabyte in the place where the tables are. It is written to no log of changes.
TRY = (
    "SET LOCAL temp_tablespaces = ''",
    "CREATE TEMPORARY TABLE room AS SELECT generate_series(1, 30000)",
    "DROP TABLE room",
)


def check_room() -> None:
    """Check that there is disk space again after a refused statement.

    Raises OperationalError until there is room for many statements. SQLite needs no such
    check, because each beat makes its log longer too.
    """
    database = here().database
    if database.refused and connection.vendor == "postgresql":
        _try()
    database.refused = False


def _try() -> None:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in TRY:
                cursor.execute(statement)
    except ProgrammingError:
        pass  # this site may make no such table: it has to rely on what it writes
