"""Tests of the template database, which the current migrations create."""

import sqlite3
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests import cached_data, migrated


def list_rows(file: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as database:
        return database.execute(query).fetchall()


def test_migrated_database_has_all_migrations_and_no_users() -> None:
    done = list_rows(
        migrated.get_sqlite_file(), "SELECT app || '/migrations/' || name FROM django_migrations"
    )
    ours = {
        str(path.relative_to(cached_data.ROOT).with_suffix(""))
        for app in ("games", "tournament")
        for path in (cached_data.ROOT / app / "migrations").glob("0*.py")
    }
    assert ours <= {name for (name,) in done}
    assert list_rows(migrated.get_sqlite_file(), "SELECT count(*) FROM tournament_user") == [(0,)]


def test_new_migration_changes_the_template_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_data, "ROOT", tmp_path)
    (tmp_path / "requirements.txt").write_text("Django==5.2\n")
    before = migrated.get_template_name()
    (tmp_path / "games" / "migrations").mkdir(parents=True)
    (tmp_path / "games" / "migrations" / "0001_first.py").write_text("")
    assert migrated.get_template_name() != before


def test_private_server_starts_with_all_tables_and_a_template() -> None:
    with migrated.start_postgres(durable=False) as server, psycopg.connect(server.url) as database:
        assert database.execute("SELECT count(*) FROM tournament_user").fetchone() == (0,)
        assert migrated.get_template_database(server.url) == migrated.get_template_name()
        assert migrated.get_template_name() in list_database_names(database)
    assert not server.folder.exists()


def list_database_names(database: psycopg.Connection) -> set[str]:
    return {name for (name,) in database.execute("SELECT datname FROM pg_database")}
