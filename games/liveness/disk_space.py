"""Room on PostgreSQL's disk for actions at a table, and not for a beat alone.

A full disk still takes what fits into the pages that it has: a beat does, and an action does
not. Clocks that ran on then would take the time of players who cannot act.
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
    """Where a statement was refused: raises OperationalError until there is room for many.

    SQLite needs no such look: each beat, too, makes its log longer.
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
