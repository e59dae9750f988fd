"""PostgreSQL's client programs, and checks of their versions against the server and a backup."""

import os
import re
import subprocess
from pathlib import Path

from django.db import connection

from tournament.serving.backups.facts import BackupError

VERSION = re.compile(r"\) (\d+)")


def run_program(program: str, *options: str) -> str:
    """Run a PostgreSQL program on the site's database, and return its output.

    Raises BackupError if it fails.
    """
    found, environment = connection.client.settings_to_cmd_args_env(connection.settings_dict, [])
    return _run_command([program, *options, *found[1:]], environment or {})


def convert(dumped: Path, script: Path) -> None:
    """Convert a dump to an SQL script.

    Raises BackupError if that fails.
    """
    options = ["--no-owner", "--no-privileges", f"--file={script}"]
    _run_command(["pg_restore", *options, str(dumped)], {})


def _run_command(command: list[str], environment: dict[str, str]) -> str:
    program = command[0]
    try:
        done = subprocess.run(  # noqa: S603 - our own database's name and files
            command,
            env={**os.environ, **environment},
            check=False,
            capture_output=True,
            text=True,
        )
    except FileNotFoundError:
        raise BackupError(f"{program} is missing (apt install postgresql-client).") from None
    if done.returncode:
        raise BackupError(done.stderr.strip()[-500:] or f"{program} ended with {done.returncode}.")
    return done.stdout


def check_can_dump() -> dict[str, int]:
    """Check that pg_dump is not older than the server, and return both major versions.

    Raises BackupError if it is.
    """
    versions = {"server": _find_server_version(), "pg_dump": _find_version("pg_dump")}
    _check_not_older("pg_dump", versions["pg_dump"], versions["server"])
    return versions


def check_can_restore(versions: dict[str, int]) -> None:
    """Check that pg_restore and psql are new enough to restore a backup.

    Neither may be older than the server, and pg_restore may not be older than the pg_dump that made
    the backup. `versions` is what `check_can_dump` returned when the backup was made. It is empty
    for backups made by earlier releases. Raises BackupError if a program is too old.
    """
    server = _find_server_version()
    restoring = _find_version("pg_restore")
    if restoring < versions.get("pg_dump", 0):
        raise BackupError(
            f"The backup was made by pg_dump {versions['pg_dump']}, which pg_restore {restoring}"
            f" cannot read. {_make_installation_advice(versions['pg_dump'])}"
        )
    _check_not_older("pg_restore", restoring, server)
    _check_not_older("psql", _find_version("psql"), server)


def _check_not_older(program: str, version: int, server: int) -> None:
    if version < server:
        raise BackupError(
            f"{program} is version {version}, but the server is PostgreSQL {server}."
            f" {_make_installation_advice(server)}"
        )


def _make_installation_advice(version: int) -> str:
    return (
        f"Install the programs of version {version}: apt install postgresql-client-{version}"
        " (from apt.postgresql.org if Debian does not have it)."
    )


def _find_version(program: str) -> int:
    """Return the program's major version.

    The connection options are passed too, because Debian's wrapper chooses a program version that
    matches the server.
    """
    text = run_program(program, "--version")
    if (found := VERSION.search(text)) is None:
        raise BackupError(f"{program} does not tell its version: {text.strip()[:200]}")
    return int(found[1])


def _find_server_version() -> int:
    connection.ensure_connection()
    return int(connection.pg_version) // 10_000  # type: ignore[attr-defined]
