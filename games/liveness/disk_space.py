"""Check that PostgreSQL has enough disk space for actions, not only for heartbeats.

A full disk still accepts writes that fit into existing pages. A beat fits, but an action does
not. If clocks kept running then, they would use up the time of players who cannot act.
"""

from django.db import ProgrammingError, connection, transaction

from games.process import here

# These statements need about a megabyte in the tables' own tablespace and write nothing to the WAL.
TRY = (
    "SET LOCAL temp_tablespaces = ''",
    "CREATE TEMPORARY TABLE room AS SELECT generate_series(1, 30000)",
    "DROP TABLE room",
)


def check_room() -> None:
    """Check that there is disk space again after a statement was refused.

    Raises OperationalError until there is room for many statements. SQLite needs no such check,
    because each beat also makes its log longer.
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
        pass  # the site's database user may not create tables
