"""The page /metrics, for Prometheus. It requires METRICS_TOKEN or a signed-in superuser.

Each process reports its own counts. Figures from the database are the same in every process, and
are omitted while the database is unavailable.
"""

import secrets
import shutil
import time
from collections.abc import Iterable, Iterator
from datetime import timedelta
from hmac import compare_digest
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db import connection
from django.db.models import Count, DateTimeField, ExpressionWrapper, F, Min, Q
from django.db.models.functions import Greatest
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_tasks_db.models import DBTaskResult
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from games import facts
from games.models import Match, Outage
from games.process import Process, here
from games.process.asgi import App, Scope
from games.process.db import DATABASE_DOWN
from games.process.figures import ProcessFigures
from games.process.tracing import trace_as
from tournament.mail.letters import SEND_LIMIT
from tournament.models import Letter
from tournament.serving.backups.services import find_newest_backup_time
from tournament.serving.health import WARNINGS, WRONG, Readiness

PATH = "/metrics"
TYPE = "text/plain; version=0.0.4; charset=utf-8"
# The ticker checks clocks twice a second, so a clock that is this overdue is late.
LATE = timedelta(seconds=2)
POOL = {
    "pool_size": "Database connections of this process",
    "pool_available": "Idle database connections of this process",
    "requests_waiting": "Threads waiting for a database connection",
}


class SiteFigures:
    """Figures for one response: stored data, this process's database connections, and faults."""

    def __init__(self, faults: Iterable[str]) -> None:
        self._faults = set(faults)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield _make_fault_family(self._faults)
        free = shutil.disk_usage(settings.VAR_DIR).free
        yield _make_gauge("disk_free_bytes", "Free bytes on the disk of var/", free)
        yield from _collect_pool()
        yield from _collect_backups()
        yield from self._collect_stored()

    def _collect_stored(self) -> list[GaugeMetricFamily]:
        """Collect all figures that need the database, or none if it is unavailable."""
        if "database" in self._faults:
            return []
        try:
            return [*_collect_tables(), *_collect_emails(), _collect_tasks()]
        except DATABASE_DOWN:
            return []


def _collect_tables() -> Iterator[GaugeMetricFamily]:
    now = timezone.now()
    active = Match.objects.filter(phase__in=[Match.Phase.PLAYING, Match.Phase.BETWEEN])
    # A failed match is retried only after half a minute. Until then, only its turn clock shows
    # that it is late.
    late = Q(due__lt=now - LATE) | Q(turn_until__lt=now - facts.OVERDUE)
    late_matches = active.filter(late, paused_at=None)
    yield _make_gauge("tables_in_play", "Matches in play", active.count())
    yield _make_gauge("clocks_late", "Matches in play with an overdue clock", late_matches.count())
    yield _make_gauge("outages", "Outages since the site was set up", Outage.objects.count())


def _make_fault_family(faults: set[str]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(
        "lastcard_faults", "1 if /readyz of this process reports the fault", labels=["code"]
    )
    for code in (*WRONG, *WARNINGS):
        family.add_metric([code], code in faults)
    return family


def _make_gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"lastcard_{name}", text, value=value)


def _collect_emails() -> Iterator[GaugeMetricFamily]:
    """Collect the number of waiting emails, and the seconds since the first of them was due.

    A failed attempt to send an email does not make it due later. Resending it by hand does.
    """
    waiting = Letter.objects.filter(due__isnull=False)
    last_attempt = ExpressionWrapper(F("until") - SEND_LIMIT, DateTimeField())
    first = waiting.aggregate(first=Min(Greatest("written_at", last_attempt)))["first"]
    overdue = timezone.now() - first if first else timedelta()
    seconds = max(0.0, overdue.total_seconds())
    yield _make_gauge("mails_waiting", "Emails waiting to be sent", waiting.count())
    yield _make_gauge(
        "mails_overdue_seconds", "Seconds since the first waiting email was due", seconds
    )


def _collect_backups() -> Iterator[GaugeMetricFamily]:
    """Collect the age of the newest backup, if there is a backup folder."""
    newest = find_newest_backup_time(Path(settings.BACKUP_FOLDER))
    if newest is not None:
        text = "Age of the newest backup in BACKUP_FOLDER"
        yield _make_gauge("backup_age_seconds", text, max(0.0, time.time() - newest))


def _collect_tasks() -> GaugeMetricFamily:
    family = GaugeMetricFamily(
        "lastcard_tasks", "Tasks by queue and state", labels=["queue", "state"]
    )
    rows = DBTaskResult.objects.order_by().values_list("queue_name", "status")
    for queue, status, number in rows.annotate(Count("pk")):
        family.add_metric([queue, status.lower()], number)
    return family


def _collect_pool() -> Iterator[GaugeMetricFamily]:
    """Collect the figures of PostgreSQL's connection pool. There are none for SQLite."""
    pool = getattr(connection, "pool", None)
    if pool is None:
        return
    stats = pool.get_stats()
    for name, text in POOL.items():
        yield _make_gauge(f"database_{name}", text, stats.get(name, 0))


def collect_families(process: Process) -> Iterator[Metric]:
    """Yield all figures of this process and of the site. This runs database queries.

    Faults are those found by the last check.
    """
    yield from process.part(ProcessFigures).registry.collect()
    yield from SiteFigures(fault["code"] for fault in process.part(Readiness).last_faults).collect()


def render_exposition(process: Process) -> bytes:
    """Return the metrics in Prometheus's text format."""
    return generate_latest(_CollectedFigures([*collect_families(process)]))


class _CollectedFigures(CollectorRegistry):
    """A registry of figures that have already been collected."""

    def __init__(self, metrics: Iterable[Metric]) -> None:
        super().__init__()
        self._metrics = metrics

    def collect(self) -> Iterable[Metric]:
        return self._metrics


def has_token(scope: Scope) -> bool:
    """Return whether the request has METRICS_TOKEN. Always false if no token is set."""
    token = settings.METRICS_TOKEN
    header = dict(scope["headers"]).get(b"authorization", b"")
    return bool(token) and compare_digest(header, f"Bearer {token}".encode())


async def respond(process: Process, send: Any) -> None:
    """Respond to a request that has the token.

    The request does not go through Django, so any host and scheme is accepted.
    """
    await process.part(Readiness).find_faults(process)
    body = await process.database.run(render_exposition, process)
    headers = [
        (b"content-type", TYPE.encode()),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Show the metrics to superusers who may enter the desk. Other users get 404."""
    if not (request.user.is_superuser and admin.site.has_permission(request)):
        raise Http404
    return HttpResponse(
        render_exposition(here()), content_type=TYPE, headers={"Cache-Control": "no-store"}
    )


def count_requests(app: App) -> App:
    """Return ASGI middleware that records the duration and status of each page.

    It also gives each request an id, which identifies its lines in the log.
    """

    async def serve_counted(scope: Scope, receive: Any, send: Any) -> None:
        start, request_id = time.perf_counter(), secrets.token_hex(6)

        async def send_with_id(message: Any) -> None:
            if message["type"] == "http.response.start":
                took = time.perf_counter() - start
                here().part(ProcessFigures).count_page(message["status"], took)
                headers = [*message.get("headers", []), (b"x-request-id", request_id.encode())]
                message = {**message, "headers": headers}
            await send(message)

        with trace_as(request_id):
            await app(scope, receive, send_with_id)

    return serve_counted
