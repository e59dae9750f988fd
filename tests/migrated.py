"""The migrated database, made once and copied by later tests.

Running all migrations takes ten seconds. Each worker of a run, and each site and server of a
test, needs its own database.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests import kept
from tests.commands import make_environment, manage
from tests.services import Postgres

SOURCE_PATTERNS = ["requirements.txt", "games/migrations/*.py", "tournament/migrations/*.py"]
PREFIX = "test_lastcard_migrated_"


def get_sqlite_file() -> Path:
    """Return an SQLite file with all tables, containing only the rows that migrations write."""
    return kept.make_cached("sqlite", SOURCE_PATTERNS, _migrate_into)


def _migrate_into(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        manage(make_environment(Path(folder)), "migrate", "-v0")
        shutil.move(Path(folder) / "lastcard.sqlite3", path)


def start_postgres(*, durable: bool = True) -> Postgres:
    """Start a private server whose database has all tables.

    Raises MissingServiceError if there is no PostgreSQL.
    """
    return Postgres(durable=durable, like=get_cluster_folder())


def get_cluster_folder() -> Path:
    """Return the folder of a server with all tables, for other servers to copy."""
    return kept.make_cached("postgres", SOURCE_PATTERNS, _make_cluster)


def _make_cluster(path: Path) -> None:
    with Postgres(durable=False) as server:
        with tempfile.TemporaryDirectory() as folder:
            manage(make_environment(Path(folder), server.url), "migrate", "-v0")
        server.sql(f"CREATE DATABASE {get_template_name()} TEMPLATE postgres")
        server.stop()
        subprocess.run(["cp", "-a", str(server.data), str(path)], check=True)


def get_template_name() -> str:
    """Return the name of the migrated template database, to which nothing connects."""
    return PREFIX + kept.compute_fingerprint(SOURCE_PATTERNS)


def get_template_database(url: str) -> str:
    """Return the name of a migrated database on this server, a template for others.

    The database is created if it does not exist.
    """
    name = get_template_name()
    with kept.exclusive_lock("template"), psycopg.connect(url, autocommit=True) as server:
        found = server.execute("SELECT datname FROM pg_database").fetchall()
        if (name,) not in found:
            for (old,) in found:
                if old.startswith(PREFIX):
                    server.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(old)))
            _migrate_in_postgres(server, url, name)
    return name


def _migrate_in_postgres(server: psycopg.Connection, url: str, name: str) -> None:
    unfinished = f"{name}_unfinished"
    server.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(unfinished)))
    there = urlsplit(url)._replace(path=f"/{unfinished}").geturl()
    with tempfile.TemporaryDirectory() as folder:
        manage(make_environment(Path(folder), there), "migrate", "-v0")
    rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
    server.execute(rename.format(sql.Identifier(unfinished), sql.Identifier(name)))
