"""Tests of release 0.1, whose migrations replaced all earlier ones.

A database to which the earlier ones were applied can still be upgraded.
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

# A site with a running round of eight players, on the last version that had them.
OLD_SCHEMA = Path(__file__).with_name("before_0_1.sql")


@pytest.mark.slow
def test_site_with_a_running_round_survives_the_upgrade() -> None:
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
def test_no_migration_remains_after_upgrading_from_any_earlier_one() -> None:
    recorder = MigrationRecorder(connection)
    recorder.migration_qs.filter(name__in=["0001_release_0_1", "0002_release_0_1"]).delete()
    recorder.migration_qs.filter(name="0002_row_guards").delete()
    executor = MigrationExecutor(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
