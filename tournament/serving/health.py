"""Health checks of this process for monitoring programs, answered without Django's sessions.

* /livez reports whether the process is alive. A 503 means that it hangs and should be restarted.
* /readyz reports whether the process can do its work. A 503 lists the faults, as codes and as
  sentences without secrets; a restart would not help. Faults that do not stop play (Redis, the
  worker, emails) are reported as warnings with status 200.
"""

import asyncio
import json
import logging
import os
import shutil
import time
from datetime import timedelta
from typing import Any, TypedDict

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from redis.asyncio import from_url
from redis.exceptions import RedisError, ResponseError

from games import services
from games.process import Process
from games.process.asgi import Scope
from games.process.components import Component
from games.process.liveness import Liveness
from tournament.models import Letter, WriteCheck

logger = logging.getLogger(__name__)

# Seconds without a tick after which the ticker counts as stopped. The ticker never waits this long
# for an unavailable database.
STOPPED_SECONDS = 30.0
PATIENCE = 2.0
# Seconds without a response after which the database is reported. The ticker queries it twice a
# second.
UNANSWERED_SECONDS = 5.0
# Seconds for which the result of a check is reused.
REUSE_SECONDS = 2.0
OVERDUE_SECONDS = 60
MIN_FREE_BYTES = 50_000_000
PATHS = ("/livez", "/readyz", "/healthz")
# Faults in WRONG stop play. Faults in WARNINGS need attention, but play continues.
WRONG = ("database", "database-write", "migrations", "disk")
WARNINGS = ("redis", "worker", "mails")


class HealthFault(TypedDict):
    """A fault, with `code` for programs and `text` for people."""

    code: str
    text: str


class Readiness(Component):
    """The latest results of checks on the services that this process depends on."""

    def __init__(self) -> None:
        self._check_lock = asyncio.Lock()
        self._checked_at = float("-inf")
        self._wrong: list[HealthFault] = []
        self._warnings: list[HealthFault] = []
        self._migrated = False

    @property
    def last_faults(self) -> list[HealthFault]:
        """The faults found by the last check, errors before warnings.

        Safe to read in any thread.
        """
        return [*self._wrong, *self._warnings]

    async def find_warnings(self, process: Process) -> list[HealthFault]:
        """Return the faults that need attention but do not stop play."""
        await self.find_faults(process)
        return self._warnings

    async def find_faults(self, process: Process) -> list[HealthFault]:
        """Return the faults that stop play. They are at most REUSE_SECONDS old."""
        async with self._check_lock:
            if time.monotonic() - self._checked_at > REUSE_SECONDS:
                database = await self._check_database(process) or check_clocks(process)
                self._wrong = [*database, *check_disk()]
                self._warnings = [*await check_redis(), *await self._check_queues(process)]
                self._checked_at = time.monotonic()
            return self._wrong

    async def _check_database(self, process: Process) -> list[HealthFault]:
        try:
            async with asyncio.timeout(PATIENCE):
                return await process.database.run(self._check_schema_and_writes)
        except TimeoutError:
            return [{"code": "database", "text": "The database is not responding."}]

    async def _check_queues(self, process: Process) -> list[HealthFault]:
        """Return the faults of the queues, or none while the database does not respond."""
        if self._wrong:
            return []
        try:
            async with asyncio.timeout(PATIENCE):
                return await process.database.run(check_queues)
        except (TimeoutError, DatabaseError):
            return []

    def _check_schema_and_writes(self) -> list[HealthFault]:
        """Check for unapplied migrations. If there are none, check for write access.

        Before the migrations are applied, the table for testing writes may not exist.
        """
        try:
            names = [] if self._migrated else list_pending_migrations()
            self._migrated = not names
            return report_migrations(names) if names else check_writing()
        except DatabaseError as error:
            logger.error("The database is not ready: %s", error)
            return [{"code": "database", "text": "The database cannot be read."}]


def list_pending_migrations() -> list[str]:
    """Return the migrations that the database lacks, such as games.0003_pauses."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _backwards in plan]


def report_migrations(names: list[str]) -> list[HealthFault]:
    text = f"Migrations not applied, run manage.py migrate: {', '.join(names)}."
    return [{"code": "migrations", "text": text}]


def check_writing() -> list[HealthFault]:
    """Check that the database accepts writes. On a full disk, only reading may still work."""
    try:
        services.check_disk_space()
        WriteCheck.objects.update_or_create(pk=1, defaults={"at": timezone.now()})
    except DatabaseError as error:
        logger.error("The database cannot be written to: %s", error)
        return [{"code": "database-write", "text": "The database cannot be written to."}]
    return []


def check_clocks(process: Process) -> list[HealthFault]:
    """Report a database that has not responded to the clocks for several seconds.

    This also detects a table that another process has locked.
    """
    seconds = process.part(Liveness).seconds_since_answer
    if seconds < UNANSWERED_SECONDS:
        return []
    text = f"The database has not responded to the clocks for {seconds:.0f} s."
    return [{"code": "database", "text": text}]


def check_disk() -> list[HealthFault]:
    """Check that var/ is writable and has enough room.

    It contains the SQLite database and the worker's lock.
    """
    if not os.access(settings.VAR_DIR, os.W_OK):
        return [{"code": "disk", "text": "var/ is not writable."}]
    if shutil.disk_usage(settings.VAR_DIR).free >= MIN_FREE_BYTES:
        return []
    text = f"Less than {MIN_FREE_BYTES // 1_000_000} MB is free in var/."
    return [{"code": "disk", "text": text}]


async def check_redis() -> list[HealthFault]:
    """Check that Redis accepts writes, if the site uses it.

    A ping is not enough, because Redis responds to it even with a full disk or memory. Without
    Redis, tables notice changes only in the regular sweep.
    """
    if not settings.REDIS_URL:
        return []
    client = from_url(settings.REDIS_URL, socket_connect_timeout=1, socket_timeout=1)
    try:
        await client.set(f"{settings.SITE_PREFIX}:ready", 1, ex=60)
    except ResponseError as error:
        text = f"Redis refuses writes ({error}): limits count per process until it accepts them."
        return [{"code": "redis", "text": text}]
    except (OSError, RedisError):
        text = "Redis is unavailable: tables hear of changes late, and limits count per process."
        return [{"code": "redis", "text": text}]
    finally:
        await client.aclose()
    return []


def check_queues() -> list[HealthFault]:
    """Report tasks that no worker has started, and overdue emails."""
    now = timezone.now()
    faults: list[HealthFault] = []
    since = now - timedelta(seconds=OVERDUE_SECONDS)
    if DBTaskResult.objects.ready().filter(queue_name="mail", enqueued_at__lt=since).exists():
        text = f"No worker has picked up an email task for {OVERDUE_SECONDS} s: is one running?"
        faults.append({"code": "worker", "text": text})
    tried = Letter.objects.filter(due__isnull=False).exclude(error="").count()
    if tried:
        text = f"{tried} emails could not be sent at the first attempt: check the mail server."
        faults.append({"code": "mails", "text": text})
    return faults


def check_ticker(process: Process) -> list[HealthFault]:
    seconds = process.part(Liveness).seconds_since_cycle
    if seconds < STOPPED_SECONDS:
        return []
    return [{"code": "ticker", "text": f"The clocks have been stopped for {seconds:.0f} s."}]


async def respond(process: Process, scope: Scope, send: Any) -> None:
    """Respond to a request for one of PATHS, with 200, or with 503 and the faults."""
    live = scope["path"] == "/livez"
    wrong = check_ticker(process) if live else await process.part(Readiness).find_faults(process)
    content = {"wrong": wrong}
    if not live and (warnings := await process.part(Readiness).find_warnings(process)):
        content["warnings"] = warnings
    body = json.dumps(content).encode() + b"\n"
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    status = 503 if wrong else 200
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})


async def log_faults(process: Process) -> None:
    """Log the faults at startup, before visitors notice them."""
    for fault in await process.part(Readiness).find_faults(process):
        logger.error("NOT READY (%s): %s", fault["code"], fault["text"])
    for warning in await process.part(Readiness).find_warnings(process):
        logger.warning("%s: %s", warning["code"], warning["text"])
