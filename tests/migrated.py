"""Migrated databases, made once and then copied.

Running all migrations takes ten seconds, and each pytest worker and each separate site needs its
own database.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests import cached_data
from tests.commands import make_environment, manage
from tests.services import Postgres

SOURCE_PATTERNS = ["requirements.txt", "games/migrations/*.py", "tournament/migrations/*.py"]
PREFIX = "test_lastcard_migrated_"


def get_sqlite_file() -> Path:
    """Return the path of a migrated SQLite database."""
    return cached_data.make_cached("sqlite", SOURCE_PATTERNS, _migrate_into)


def _migrate_into(path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        manage(make_environment(Path(folder)), "migrate", "-v0")
        shutil.move(Path(folder) / "lastcard.sqlite3", path)


def start_postgres(*, durable: bool = True) -> Postgres:
    """Create a private PostgreSQL server with a migrated database.

    Raises MissingServiceError if PostgreSQL is not installed.
    """
    return Postgres(durable=durable, like=get_cluster_folder())


def get_cluster_folder() -> Path:
    """Return the data folder of a migrated PostgreSQL cluster, for other servers to copy."""
    return cached_data.make_cached("postgres", SOURCE_PATTERNS, _make_cluster)


def _make_cluster(path: Path) -> None:
    with Postgres(durable=False) as server:
        with tempfile.TemporaryDirectory() as folder:
            manage(make_environment(Path(folder), server.url), "migrate", "-v0")
        server.sql(f"CREATE DATABASE {get_template_name()} TEMPLATE postgres")
        server.stop()
        subprocess.run(["cp", "-a", str(server.data), str(path)], check=True)


def get_template_name() -> str:
    """Return the name of the migrated template database."""
    return PREFIX + cached_data.compute_fingerprint(SOURCE_PATTERNS)


def get_template_database(url: str) -> str:
    """Create the migrated template database on this server if missing, and return its name."""
    name = get_template_name()
    with cached_data.exclusive_lock("template"), psycopg.connect(url, autocommit=True) as server:
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
