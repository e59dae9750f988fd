"""Tests that databases from before release 0.1 can be upgraded.

The migrations of that release replaced all earlier ones.
"""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from tests.own_site import OwnSite

# A site with a running round of eight players, in the last version before release 0.1.
OLD_SCHEMA = Path(__file__).with_name("before_0_1.sql")


@pytest.mark.slow
def test_site_with_a_running_round_can_be_upgraded() -> None:
    with closing(sqlite3.connect(":memory:")) as before:
        before.executescript(OLD_SCHEMA.read_text())
        site = OwnSite(migrated=())
        with closing(sqlite3.connect(site.folder / "lastcard.sqlite3")) as database:
            before.backup(database)
    site.manage("migrate", "-v0")
    site.manage("migrate", "--check", "-v0")
    with site:
        status, wrong = site.get("/readyz")
        assert (status, json.loads(wrong)["wrong"]) == (200, [])
        status, page = site.get("/e/autumn-open/tables/")
        assert (status, "Hari 7" in page) == (200, True)


@pytest.mark.django_db
@pytest.mark.sql
def test_database_with_earlier_migrations_needs_none_of_their_replacements() -> None:
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(name__in=["0001_release_0_1", "0002_release_0_1"]).delete()
    recorder.migration_qs.filter(name="0002_row_guards").delete()
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
