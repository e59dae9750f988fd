"""The migrated database, made once: whoever tests next begins with a copy.

To carry out all migrations takes ten seconds, and each worker of a run needs a database of its own.
Names say what made it; on SQLite it is kept from run to run, on PostgreSQL by its server.
"""

import fcntl
import hashlib
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
from psycopg import sql

from tests.commands import environment, manage

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache" / "migrated"
MADE_FROM = ["requirements.txt", "games/migrations/*.py", "tournament/migrations/*.py"]
PREFIX = "test_lastcard_migrated_"


def fingerprint() -> str:
    """Changes with every migration, ours or of a package."""
    files = sorted(path for pattern in MADE_FROM for path in ROOT.glob(pattern))
    whole = b"".join(path.name.encode() + path.read_bytes() for path in files)
    return hashlib.sha256(whole).hexdigest()[:16]


def sqlite_file() -> Path:
    """An SQLite file with all tables, and nothing in them but what migrations write."""
    made = KEPT / f"{fingerprint()}.sqlite3"
    with _alone():
        if not made.exists():
            for old in KEPT.glob("*.sqlite3"):
                old.unlink()
            _migrate_into(made)
    return made


def _migrate_into(made: Path) -> None:
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        manage(environment(Path(folder)), "migrate", "-v0")
        shutil.move(Path(folder) / "lastcard.sqlite3", made)


def postgres_database(url: str) -> str:
    """The name of such a database on this server, to be the template of others."""
    name = PREFIX + fingerprint()
    with _alone(), psycopg.connect(url, autocommit=True) as server:
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
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        manage(environment(Path(folder), there), "migrate", "-v0")
    rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
    server.execute(rename.format(sql.Identifier(unfinished), sql.Identifier(name)))


@contextmanager
def _alone() -> Iterator[None]:
    """Workers begin together: one migrates, and the others wait for it."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
