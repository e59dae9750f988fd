"""F68: /readyz reports a pending migration and a read-only database."""

import json
from collections.abc import Iterator

import pytest
from django.conf import settings

from tests.migrated import start_postgres
from tests.own_site import OwnSite
from tests.services import Postgres, wait_for

pytestmark = pytest.mark.slow

OLD_MIGRATION = ("tournament", "0001_release_0_1")


def list_problem_codes(site: OwnSite) -> list[str]:
    """Return the codes of the problems that /readyz reports, and check its status."""
    status, text = site.get("/readyz")
    wrong = json.loads(text)["wrong"]
    assert status == (503 if wrong else 200)
    return [each["code"] for each in wrong]


def test_pending_migration_at_startup_is_logged_and_reported_to_monitors() -> None:
    with OwnSite(migrated=OLD_MIGRATION) as site:
        status, text = site.get("/readyz")
        [wrong] = json.loads(text)["wrong"]
        assert (status, wrong["code"]) == (503, "migrations")
        assert "tournament.0002_row_guards" in wrong["text"]
        assert f"NOT READY (migrations): {wrong['text']}" in site.log.read_text()
        assert site.get("/livez") == (200, '{"wrong": []}\n')
        for secret in (site.environment["SECRET_KEY"], str(site.folder), str(settings.BASE_DIR)):
            assert secret not in text
        site.manage("migrate", "-v0")
        wait_for(lambda: list_problem_codes(site) == [], "all is well")


def test_healthy_startup_logs_nothing() -> None:
    with OwnSite() as site:
        assert list_problem_codes(site) == []
        assert "NOT READY" not in site.log.read_text()


@pytest.fixture
def database() -> Iterator[Postgres]:
    with start_postgres() as service:
        yield service


def test_read_only_database_refuses_cleanly_and_pages_stay_readable(
    database: Postgres,
) -> None:
    site = OwnSite(database.url)
    site.make_user()
    with site:
        assert (list_problem_codes(site), site.sign_in()) == ([], 200)
        set_read_only(database, "on")
        wait_for(lambda: list_problem_codes(site) == ["database-write"], "the code")
        assert site.sign_in() == 503
        assert site.get("/")[0] == 200
        set_read_only(database, "off")
        wait_for(lambda: list_problem_codes(site) == [], "all is well")
        assert site.sign_in() == 200


def set_read_only(database: Postgres, state: str) -> None:
    """Make all new connections read-only ("on") or writable ("off"), as after a failover."""
    database.sql(f"ALTER SYSTEM SET default_transaction_read_only = {state}")
    database.sql("SELECT pg_reload_conf()")
