"""The database that tests begin with is the one that the migrations of now make."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests import migrated


def rows(file: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as database:
        return database.execute(query).fetchall()


def test_it_has_every_migration_and_nobody() -> None:
    done = rows(
        migrated.sqlite_file(), "SELECT app || '/migrations/' || name FROM django_migrations"
    )
    ours = {
        str(path.relative_to(migrated.ROOT).with_suffix(""))
        for app in ("games", "tournament")
        for path in (migrated.ROOT / app / "migrations").glob("0*.py")
    }
    assert ours <= {name for (name,) in done}
    assert rows(migrated.sqlite_file(), "SELECT count(*) FROM tournament_user") == [(0,)]


def test_another_migration_makes_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrated, "ROOT", tmp_path)
    (tmp_path / "requirements.txt").write_text("Django==5.2\n")
    before = migrated.fingerprint()
    (tmp_path / "games" / "migrations").mkdir(parents=True)
    (tmp_path / "games" / "migrations" / "0001_first.py").write_text("")
    assert migrated.fingerprint() != before
