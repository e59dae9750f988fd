"""Fixtures for all tests; browser fixtures are in tests/browser/conftest.py."""

import gc
import os
import shutil
import signal
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.template import Context, Template
from django.test import TransactionTestCase
from django.utils import timezone
from django.utils.safestring import SafeString
from pytest_django import DjangoDbBlocker, Settings

from games.process import Process
from games.process.asgi import App
from tests import collected, migrated, seeded, services
from tests.guards import open_unguarded_cursor
from tests.live import LiveSite, SiteProcess, build_application
from tests.tournament.helpers import make_event_row
from tournament.models import Event, User

# No deadline, because the machine may be busy. A failing example prints how to reproduce it.
hypothesis.settings.register_profile(
    "lastcard",
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
    print_blob=True,
    derandomize=False,
)
# `make nightly` uses `far` and `make test` uses `few`. Other runs use Hypothesis's default of 100
# examples.
for name, examples in {"far": 500, "few": 15}.items():
    usual = hypothesis.settings.get_profile("lastcard")
    hypothesis.settings.register_profile(name, usual, max_examples=examples)
hypothesis.settings.load_profile("lastcard")

HAS_FAILED = pytest.StashKey[bool]()
FILLED_BY_MIGRATIONS = {"django_content_type", "auth_permission"}


def explain_missing_service(mark: str) -> str:
    """Return why tests with this mark cannot run here, or an empty string if they can."""
    if mark == "postgres" and connection.vendor != "postgresql":
        return "needs PostgreSQL: set DATABASE_URL"
    if mark == "redis" and not settings.REDIS_URL:
        return "needs Redis: set REDIS_URL"
    if mark == "timed" and os.environ.get("SLOW_MACHINE"):
        return "needs a quick machine"
    if find := services.BROWSERS.get(mark):
        try:
            find()
        except services.MissingServiceError as reason:
            return f"needs {reason}"
    return ""


def uses_database(item: pytest.Item) -> bool:
    fixtures = {"db", "transactional_db"} & set(getattr(item, "fixturenames", ()))
    return bool(fixtures or item.get_closest_marker("django_db"))


def is_real_time(item: pytest.Item) -> bool:
    """Return whether this test depends on real time: on a browser, sockets or other processes."""
    fixtures = {"live_site", "open_page"} & set(getattr(item, "fixturenames", ()))
    return bool(fixtures or item.get_closest_marker("browser") or item.get_closest_marker("slow"))


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "run what fails in real time (a browser, sockets, processes) once more; it is named"
    parser.addoption("--second-try", action="store_true", help=text)
    text = "try each numbered fault as often as its promise says; a table at the end tells"
    parser.addoption("--long", action="store_true", help=text)
    text = "leave out files that have none of these words, such as marks that are asked for"
    parser.addoption("--naming", type=lambda words: words.split(","), default=[], help=text)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip test files that contain none of the words in `--naming`.

    This saves `make test`, which runs pytest five times, from loading every file in every run.
    """
    words = config.getoption("--naming")
    if not words or not collection_path.name.startswith("test_") or collection_path.is_dir():
        return None
    text = collection_path.read_text()
    return None if any(word in text for word in words) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Slow tests run first, because other workers would have to wait for a slow test at the end.
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    for item in items:
        if uses_database(item):
            item.add_marker("database")
        if config.getoption("--second-try") and is_real_time(item):
            item.add_marker(pytest.mark.flaky(reruns=1))
    for mark in ("postgres", "redis", "timed", *services.BROWSERS):
        if reason := explain_missing_service(mark):
            for item in items:
                if item.get_closest_marker(mark):
                    item.add_marker(pytest.mark.skip(reason=reason))


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    # With the default thresholds, garbage collection takes a tenth of the time.
    gc.set_threshold(50_000, 20, 20)
    # Background jobs ignore SIGINT. Services would inherit this, but must stop on SIGINT.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    seeded.replace_randomness()
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = seeded.get_hypothesis_seed()


def pytest_collection_finish() -> None:
    gc.freeze()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    seeded.stream.begin(item.nodeid)
    with skip_if_service_is_missing():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None, object, object]:
    with skip_if_service_is_missing():
        return (yield)


@contextmanager
def skip_if_service_is_missing() -> Iterator[None]:
    """Skip a test that starts a service whose program is not installed."""
    try:
        yield
    except services.MissingServiceError as missing:
        pytest.skip(f"needs {missing}")


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Make a shared fixture's random values independent of the test that first requests it."""
    if request.scope == "function":
        return (yield)
    with seeded.stream.use_named(f"{request.node.nodeid} {fixturedef.argname}"):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Mark a failed test, so that browser fixtures save screenshots of its pages."""
    report = yield
    if report.failed and report.when == "call":
        item.stash[HAS_FAILED] = True
    return report


def pytest_report_header() -> list[str]:
    redis = "yes" if settings.REDIS_URL else "no"
    return [
        f"database: {connection.vendor}, Redis: {redis}",
        f"{seeded.SEED_VARIABLE}={seeded.SEED}",
    ]


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings: None) -> bool:
    """Prepare a copy of a migrated database, so that migrations run only once for all workers.

    Return whether pytest-django should use an existing database.
    """
    if connection.vendor == "postgresql":
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated.get_template_database(
            os.environ["DATABASE_URL"]
        )
        return False
    shutil.copyfile(migrated.get_sqlite_file(), connection.settings_dict["TEST"]["NAME"])
    return True


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Close the connections that server threads have left open.

    PostgreSQL cannot drop a database with open connections.
    """
    yield
    if connection.vendor == "postgresql":
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL alone has it


def empty_tables(_case: TransactionTestCase) -> None:
    """Empty the tables like Django's flush, but a hundred times faster.

    Keep the rows that migrations create.
    """
    with transaction.atomic(), open_unguarded_cursor() as cursor:
        for table in connection.introspection.django_table_names(include_views=False):
            if table not in FILLED_BY_MIGRATIONS:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")


@pytest.fixture(scope="module")
def shared_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Provide a transaction for rows that all tests of a module share.

    Each test's own changes are rolled back.
    """
    with (
        django_db_blocker.unblock(),
        Process().enter(),
        transaction.atomic(),
        pytest.MonkeyPatch.context() as patch,
    ):
        # Each test runs in this transaction, so Django must not close the connection after a test.
        patch.setattr(connection, "close", lambda: None)
        yield
        transaction.set_rollback(True)


@pytest.fixture(autouse=True, scope="session")
def empty_tables_quickly() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", empty_tables)
        yield


@pytest.fixture(autouse=True, scope="session")
def stop_recording_widgets(django_test_environment: None) -> Iterator[None]:
    """Keep Django's test client from recording the templates of form widgets.

    The client copies the context of each rendered template, which is slow for long lists of
    options.
    """
    remembered = Template._render  # type: ignore[attr-defined]

    def render(self: Template, context: Context) -> SafeString:
        inside = (self.name or "").startswith("django/forms/")
        return self.nodelist.render(context) if inside else remembered(self, context)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Template, "_render", render)
        yield


@pytest.fixture(autouse=True, scope="session")
def rebuild_leaderboards_for_each_request() -> Iterator[None]:
    """Rebuild leaderboards for each request instead of caching them.

    Most tests commit nothing, so no poke would invalidate a cached leaderboard.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tournament.web.live.boards.MAX_AGE_SECONDS", 0.0)
        yield


@pytest.fixture(autouse=True)
def process() -> Iterator[Process]:
    """Provide a new `Process` for each test, without the caches of other tests."""
    own = Process()
    with own.enter():
        yield own
        own.close()
    cache.clear()


@pytest.fixture(scope="session")
def collected_static() -> Path:
    """Provide a folder with compressed static files with hashed names, as on a real site."""
    return collected.copy_static_files(Path(settings.VAR_DIR) / "collected" / "static")


def get_real_storages() -> dict[str, Any]:
    from tournament.settings import STORAGES

    return STORAGES


@pytest.fixture
def wrap_site() -> Callable[[App], App]:
    """Provide a function that wraps the live site's application. The default changes nothing."""
    return lambda site: site


@pytest.fixture
def live_site(
    transactional_db: None,
    settings: Settings,
    collected_static: Path,
    monkeypatch: pytest.MonkeyPatch,
    wrap_site: Callable[[App], App],
) -> Iterator[LiveSite]:
    """Provide the whole site on a port, with pages, sockets and ticker.

    It uses the test's database. Public pages are not cached, so that a test sees each change at
    once.
    """
    monkeypatch.setattr("tournament.serving.page_cache.KEPT_LONGEST", 0)
    settings.STORAGES, settings.STATIC_ROOT = get_real_storages(), collected_static
    site = LiveSite(wrap_site(build_application()))
    site.start()
    yield site
    site.stop()


@pytest.fixture
def site_process(transactional_db: None, collected_static: Path) -> Iterator[SiteProcess]:
    """Provide the site in a separate process, on the test's database.

    The test may `crash()` it and `start()` it again.
    """
    with SiteProcess(collected_static) as site:
        yield site


@pytest.fixture
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit reviews to a few simulated deals, for tests that do not depend on their results."""
    for name in ("LOOK", "CHOOSE", "COMPARE", "LEAST"):
        monkeypatch.setattr(f"games.rules.bots.luck.{name}", 2)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], datetime]:
    """Provide a function that sets the time, in seconds after tests.games.viewing.START."""
    from tests.games.viewing import seconds_after_start

    def set_time(seconds: float) -> datetime:
        monkeypatch.setattr(timezone, "now", lambda: seconds_after_start(seconds))
        return seconds_after_start(seconds)

    set_time(0)
    return set_time


@pytest.fixture
def event_defaults() -> dict[str, Any]:
    """Provide the default options of `event`. A folder's conftest may override them."""
    return {"eligibility_required": True}


@pytest.fixture
def event(request: pytest.FixtureRequest, event_defaults: dict[str, Any]) -> Event:
    """Provide an event with one organizer, as in `pytest.mark.event(players=8, title="Cup")`.

    If `players` is given, even as 0, services create and publish the event. Otherwise, only its
    row is created.
    """
    mark = request.node.get_closest_marker("event")
    return make_event_row(**(mark.kwargs if mark else event_defaults))


@pytest.fixture
def organizer(event: Event) -> User:
    return event.organizers.get()
