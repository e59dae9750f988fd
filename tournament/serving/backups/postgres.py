"""PostgreSQL backups: dump and facts from the same snapshot, restore in one transaction."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from django.db import connection, transaction

from tournament.serving.backups.facts import BackupError, BackupFacts, facts

PATIENCE = 3.0  # Seconds until recently closed connections are gone.
COUNT_OTHER_CONNECTIONS = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
LIST_FUNCTIONS = """
SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
"""


def dump(target: Path) -> BackupFacts:
    """Dump the database from one snapshot into this file, and return the snapshot's facts."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]
        options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}"]
        _run("pg_dump", *options, f"--file={target}")
        return facts("default")


def check_at_rest() -> None:
    """Check that no other process is connected, because it would continue with the old rows.

    Raises BackupError.
    """
    _close_connections()
    end = time.monotonic() + PATIENCE
    while _run("psql", "-AtX", f"--command={COUNT_OTHER_CONNECTIONS}").strip() != "0":
        if time.monotonic() > end:
            raise BackupError("The site is running: stop its processes first.")
        time.sleep(0.1)


def _close_connections() -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]


def fill(database: Path) -> None:
    """Replace all existing tables by those in the file, in one transaction."""
    script = database.with_suffix(".sql")
    script.write_text("".join(_iterate_drops()))
    _close_connections()
    with script.open("a") as out:
        plain = ["pg_restore", "--no-owner", "--no-privileges", "--file=-", str(database)]
        subprocess.run(plain, check=True, stdout=out)  # noqa: S603 - our own file
    _run("psql", "-qX", "--single-transaction", "--set=ON_ERROR_STOP=1", f"--file={script}")


def _iterate_drops() -> Iterator[str]:
    """Yield statements that drop all tables, dependent objects and trigger functions."""
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            yield f"DROP TABLE {connection.ops.quote_name(name)} CASCADE;\n"
        cursor.execute(LIST_FUNCTIONS)
        for (name,) in cursor.fetchall():
            yield f"DROP FUNCTION {name} CASCADE;\n"


def _run(program: str, *options: str) -> str:
    """Run a PostgreSQL program on the site's database, and return its output.

    Raises BackupError.
    """
    arguments, environment = connection.client.settings_to_cmd_args_env(
        connection.settings_dict, []
    )
    command = [program, *options, *arguments[1:]]
    try:
        result = subprocess.run(  # noqa: S603 - our own database's name
            command,
            env={**os.environ, **(environment or {})},
            check=False,
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        raise BackupError(f"{program} is missing (apt install postgresql-client).") from None
    if result.returncode:
        raise BackupError(
            result.stderr.strip()[-500:] or f"{program} ended with {result.returncode}."
        )
    return result.stdout
