"""PostgreSQL backups: a dump and facts from the same snapshot, and restore in one transaction."""

import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

from django.db import connection, transaction

from tournament.serving.backups import postgres_programs
from tournament.serving.backups.facts import BackupError, BackupFacts, collect_facts

PATIENCE = 3.0  # Maximum seconds to wait for connections that were just closed.
COUNT_OTHER_CONNECTIONS = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
AND backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
LIST_FUNCTIONS = """
SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace
AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
"""
# PREAMBLE matches the beginning of each line before a script's first change to the database.
# SETTING matches the lines among them that set a parameter.
PREAMBLE = re.compile(rb"\n|--|SET |SELECT pg_catalog\.set_config|\\restrict ")
SETTING = re.compile(rb"SET (\w+) =")


def dump(target: Path) -> BackupFacts:
    """Dump one snapshot of the database to this file, and return the snapshot's facts."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SELECT pg_export_snapshot()")
        snapshot = cursor.fetchone()[0]
        options = ["--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}"]
        postgres_programs.run_program("pg_dump", *options, f"--file={target}")
        return collect_facts("default")


def check_site_stopped() -> None:
    """Check that no other process is connected to the database.

    Such a process would continue to use the old rows. Raises BackupError if there is one.
    """
    _close_connections()
    end = time.monotonic() + PATIENCE
    while (
        postgres_programs.run_program(
            "psql", "-AtX", f"--command={COUNT_OTHER_CONNECTIONS}"
        ).strip()
        != "0"
    ):
        if time.monotonic() > end:
            raise BackupError("The site is running: stop its processes first.")
        time.sleep(0.1)


def _close_connections() -> None:
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]


def restore(database: Path) -> None:
    """Replace all existing tables with those of a dump, in one transaction."""
    drops, script = database.with_suffix(".drops"), database.with_suffix(".sql")
    drops.write_text("".join(_iterate_drops()))
    postgres_programs.convert(database, script)
    _comment_out_unknown_settings(script)
    _close_connections()
    options = ["-qX", "--single-transaction", "--set=ON_ERROR_STOP=1"]
    postgres_programs.run_program("psql", *options, f"--file={drops}", f"--file={script}")


def _comment_out_unknown_settings(script: Path) -> None:
    """Comment out the settings that this server does not support, at the beginning of a script.

    A newer pg_restore writes settings that were introduced with its own version.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_settings")
        known = {name.encode() for (name,) in cursor.fetchall()}
    with script.open("r+b") as file:
        while PREAMBLE.match(line := file.readline()):
            if (found := SETTING.match(line)) and found[1] not in known:
                file.seek(-len(line), os.SEEK_CUR)
                file.write(b"-- " + line[3:])


def _iterate_drops() -> Iterator[str]:
    """Yield statements that drop all tables, their dependent objects and all trigger functions."""
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names(cursor):
            yield f"DROP TABLE {connection.ops.quote_name(name)} CASCADE;\n"
        cursor.execute(LIST_FUNCTIONS)
        for (name,) in cursor.fetchall():
            yield f"DROP FUNCTION {name} CASCADE;\n"
