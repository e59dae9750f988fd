"""Versions of PostgreSQL's programs, which may be newer than the server but not older."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from tests.commands import make_environment
from tests.live import get_test_database_url
from tournament.serving.backups import postgres_programs
from tournament.serving.backups.facts import BackupError

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
PATH = os.environ["PATH"]
PROGRAM_SCRIPT = """#!/bin/sh
[ "$1" = --version ] && {{ echo "{name} (PostgreSQL) {version}.3 (Debian)"; exit; }}
{work}
"""
# A program that runs the real pg_restore and adds a setting that only a later version would write.
WRAPPED_RESTORE = """for each; do case "$each" in --file=*) script=${{each#--file=}};; esac; done
{real} "$@" && sed -i '0,/^SET /s//SET of_a_later_version = 0;\\nSET /' "$script"
"""

# A function that installs a program with this name and version, before the real one in PATH.
PutProgram = Callable[..., None]


@pytest.fixture
def install_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PutProgram:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:{PATH}")

    def put_program(name: str, version: int, work: str = 'exec {real} "$@"') -> None:
        work = work.format(real=shutil.which(name, path=PATH))
        program = folder / name
        program.write_text(PROGRAM_SCRIPT.format(name=name, version=version, work=work))
        program.chmod(0o755)

    return put_program


@pytest.fixture
def server_version() -> int:
    """Return the server's major version."""
    connection.ensure_connection()
    return int(connection.connection.info.server_version) // 10_000


@pytest.fixture
def empty_database_url() -> Iterator[str]:
    """Provide the URL of a database without tables."""
    name = f"{connection.settings_dict['NAME']}_elsewhere"
    with psycopg.connect(get_test_database_url(), autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}".encode())
    yield f"{get_test_database_url().rpartition('/')[0]}/{name}"
    with psycopg.connect(get_test_database_url(), autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


def run_manage(folder: Path, url: str, *arguments: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, str(settings.BASE_DIR / "manage.py"), *arguments],
        env=make_environment(folder, url),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def check_dump(_versions: dict[str, int]) -> None:
    postgres_programs.check_can_dump()


def make_installation_advice(version: int) -> str:
    return (
        f"Install the programs of version {version}: apt install postgresql-client-{version}"
        " (from apt.postgresql.org if Debian does not have it)."
    )


def test_backup_with_an_outdated_pg_dump_is_refused(
    install_program: PutProgram, server_version: int
) -> None:
    install_program("pg_dump", server_version - 1)
    with pytest.raises(BackupError) as refused:
        postgres_programs.check_can_dump()
    assert str(refused.value) == (
        f"pg_dump is version {server_version - 1}, but the server is PostgreSQL {server_version}. "
        f"{make_installation_advice(server_version)}"
    )


def test_backup_with_a_newer_pg_dump_is_allowed(
    install_program: PutProgram, server_version: int
) -> None:
    install_program("pg_dump", server_version + 2)
    assert postgres_programs.check_can_dump() == {
        "server": server_version,
        "pg_dump": server_version + 2,
    }


@pytest.mark.parametrize("program", ["pg_restore", "psql"])
def test_restore_with_an_outdated_program_is_refused(
    install_program: PutProgram, server_version: int, program: str
) -> None:
    install_program(program, server_version - 1)
    with pytest.raises(BackupError) as refused:
        postgres_programs.check_can_restore({})
    assert str(refused.value) == (
        f"{program} is version {server_version - 1}, but the server is PostgreSQL {server_version}."
        f" {make_installation_advice(server_version)}"
    )


def test_backup_made_by_a_newer_pg_dump_requires_a_newer_pg_restore(server_version: int) -> None:
    with pytest.raises(BackupError) as refused:
        postgres_programs.check_can_restore({"pg_dump": 99, "server": server_version})
    assert str(refused.value) == (
        f"The backup was made by pg_dump 99, which pg_restore {server_version} cannot read. "
        f"{make_installation_advice(99)}"
    )


def test_backup_without_versions_can_be_restored() -> None:
    postgres_programs.check_can_restore({})


@pytest.mark.parametrize("program", ["pg_dump", "pg_restore", "psql"])
def test_missing_program_is_named_in_the_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str
) -> None:
    for name in {"pg_dump", "pg_restore", "psql"} - {program}:
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    monkeypatch.setenv("PATH", str(tmp_path))
    check = postgres_programs.check_can_restore if program != "pg_dump" else check_dump
    with pytest.raises(BackupError) as refused:
        check({})
    assert str(refused.value) == f"{program} is missing (apt install postgresql-client)."


@pytest.mark.slow
def test_newer_pg_restore_restores_into_an_older_server(
    install_program: PutProgram, server_version: int, tmp_path: Path, empty_database_url: str
) -> None:
    file = tmp_path / "night.backup"
    assert run_manage(tmp_path / "here", get_test_database_url(), "backup", str(file))[0] == 0
    install_program("pg_restore", server_version + 2, WRAPPED_RESTORE)
    code, text = run_manage(tmp_path / "there", empty_database_url, "restore", str(file))
    assert (code, "All of it is as it was saved." in text) == (0, True), text


@pytest.mark.slow
def test_unreadable_dump_is_reported_without_changes(
    install_program: PutProgram, server_version: int, tmp_path: Path, empty_database_url: str
) -> None:
    file = tmp_path / "night.backup"
    assert run_manage(tmp_path / "here", get_test_database_url(), "backup", str(file))[0] == 0
    install_program(
        "pg_restore",
        server_version,
        "echo 'pg_restore: error: unsupported version (1.16)' >&2; exit 1",
    )
    assert run_manage(tmp_path / "there", empty_database_url, "restore", str(file)) == (
        1,
        "CommandError: NOT RESTORED, nothing has changed:"
        " pg_restore: error: unsupported version (1.16)\n",
    )


@pytest.mark.slow
def test_restored_data_that_differs_is_reported(tmp_path: Path, empty_database_url: str) -> None:
    file = tmp_path / "night.backup"
    assert run_manage(tmp_path / "here", get_test_database_url(), "backup", str(file))[0] == 0
    with zipfile.ZipFile(file) as packed:
        manifest, dump = json.loads(packed.read("manifest.json")), packed.read("database")
    manifest["facts"]["rows"]["games_match"] = 7
    with zipfile.ZipFile(file, "w") as packed:
        packed.writestr("manifest.json", json.dumps(manifest))
        packed.writestr("database", dump)
    assert run_manage(tmp_path / "there", empty_database_url, "restore", str(file)) == (
        1,
        "CommandError: RESTORED, BUT DO NOT START THE SITE: some of the data is not what was"
        " saved: rows of games_match.\n",
    )
