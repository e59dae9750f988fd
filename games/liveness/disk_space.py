"""Check that PostgreSQL has enough disk space for actions, not only for heartbeats.

On a full disk, writes that fit into existing pages still succeed. A heartbeat fits, but an action
does not. Without this check, clocks would keep running for players who cannot act.
"""

from django.db import ProgrammingError, connection, transaction

from games.process import here

# These statements use about a megabyte in the tablespace of the tables, and write nothing to the
# WAL.
TRIAL_STATEMENTS = (
    "SET LOCAL temp_tablespaces = ''",
    "CREATE TEMPORARY TABLE room AS SELECT generate_series(1, 30000)",
    "DROP TABLE room",
)


def check_disk_space() -> None:
    """Check that there is enough disk space again after the database refused a statement.

    SQLite needs no such check, because each heartbeat makes its log longer.

    Raises OperationalError until there is space for many statements.
    """
    database = here().database
    if database.refused and connection.vendor == "postgresql":
        _create_trial_table()
    database.refused = False


def _create_trial_table() -> None:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in TRIAL_STATEMENTS:
                cursor.execute(statement)
    except ProgrammingError:
        pass  # the site's database user may not create tables
