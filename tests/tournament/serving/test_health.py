"""Health checks of a process, for monitoring programs."""

import asyncio
import json
from datetime import timedelta
from typing import Any
from urllib.request import Request

import pytest
from django.db import OperationalError
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from games.process import Process
from games.process.liveness import Liveness
from tests.live import LiveSite
from tests.own_site import fetch_response
from tournament import asgi
from tournament.models import Letter
from tournament.serving import health

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]
HEALTHY_RESPONSE: tuple[int, Any] = (200, {"wrong": []})


def request_health(path: str, process: Process, method: str = "GET") -> tuple[int, Any]:
    """Return the status and the JSON of the response, or "" as the JSON if the body is empty."""
    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    scope = {"type": "http", "path": path, "method": method, "headers": []}
    asyncio.run(asgi.Site(process)(scope, None, send))
    start, body = said
    assert (b"cache-control", b"no-store") in start["headers"]
    return start["status"], json.loads(body["body"]) if body["body"] else ""


@pytest.mark.parametrize("path", ["/livez", "/readyz", "/healthz"])
def test_healthy_site_reports_no_problems(process: Process, path: str) -> None:
    assert request_health(path, process) == HEALTHY_RESPONSE
    assert request_health(path, process, "HEAD") == (200, "")


def test_stalled_ticker_fails_the_liveness_check(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Liveness, "seconds_since_cycle", 31.4)
    text = "The clocks have been stopped for 31 s."
    assert request_health("/livez", process) == (503, {"wrong": [{"code": "ticker", "text": text}]})
    assert request_health("/readyz", process) == HEALTHY_RESPONSE


def test_process_with_a_recent_tick_is_alive(process: Process) -> None:
    process.part(Liveness).mark_cycle()
    assert request_health("/livez", process) == HEALTHY_RESPONSE


def test_low_disk_space_is_reported(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "MIN_FREE_BYTES", 10**18)
    status, sentence = request_health("/readyz", process)
    assert (status, [wrong["code"] for wrong in sentence["wrong"]]) == (503, ["disk"])


def test_slow_database_is_reported(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "PATIENCE", 0.0)
    text = "The database is not responding."
    assert request_health("/readyz", process) == (
        503,
        {"wrong": [{"code": "database", "text": text}]},
    )


def test_database_that_does_not_respond_to_the_clocks_is_reported(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Liveness, "seconds_since_answer", 7.4)
    text = "The database has not responded to the clocks for 7 s."
    assert request_health("/readyz", process) == (
        503,
        {"wrong": [{"code": "database", "text": text}]},
    )
    assert request_health("/livez", process) == HEALTHY_RESPONSE


def test_unreadable_database_is_reported(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_outage() -> list[str]:
        raise OperationalError("could not connect to db.example.edu")

    monkeypatch.setattr(health, "list_pending_migrations", raise_outage)
    text = "The database cannot be read."
    assert request_health("/readyz", process) == (
        503,
        {"wrong": [{"code": "database", "text": text}]},
    )


def test_concurrent_requests_share_one_check(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []

    def record_check() -> list[Any]:
        looks.append("once")
        return []

    monkeypatch.setattr(health, "check_writing", record_check)

    async def request_together() -> None:
        readiness = process.part(health.Readiness)
        await asyncio.gather(*(readiness.find_faults(process) for _ in range(20)))

    asyncio.run(request_together())
    assert looks == ["once"]


def test_pending_migrations_are_named(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    pending = ["games.0003_pauses", "tournament.0003_venues"]
    monkeypatch.setattr(health, "list_pending_migrations", lambda: pending)
    text = (
        "Migrations not applied, run manage.py migrate: games.0003_pauses, tournament.0003_venues."
    )
    assert request_health("/readyz", process) == (
        503,
        {"wrong": [{"code": "migrations", "text": text}]},
    )


def test_no_migrations_are_pending_in_this_checkout() -> None:
    assert health.list_pending_migrations() == []


def test_running_ticker_is_alive(live_site: LiveSite, process: Process) -> None:
    assert fetch_response(Request(f"{live_site.url}/livez")) == (200, '{"wrong": []}\n')
    assert process.part(Liveness).seconds_since_answer < 5


def test_any_host_may_request_the_health_check(live_site: LiveSite) -> None:
    request = Request(f"{live_site.url}/readyz", headers={"Host": "10.0.0.7"})
    assert fetch_response(request)[0] == 200


def test_problems_that_do_not_stop_play_are_warnings_without_a_503(
    process: Process, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    monkeypatch.setattr(health, "check_queues", lambda: [])
    status, found = request_health("/readyz", process)
    text = "Redis is unavailable: tables hear of changes late, and limits count per process."
    assert (status, found["wrong"]) == (200, [])
    assert found["warnings"] == [{"code": "redis", "text": text}]


def test_undelivered_emails_are_a_warning(process: Process) -> None:
    now = timezone.now()
    Letter.objects.create(sender="s", subject="s", written_at=now, due=now, until=now, error="451")
    status, sentence = request_health("/readyz", process)
    assert (status, [each["code"] for each in sentence["warnings"]]) == (200, ["mails"])


def test_unclaimed_task_is_a_warning_about_the_worker(process: Process) -> None:
    task = DBTaskResult.objects.create(
        task_path="x.y", queue_name="mail", backend_name="default", args_kwargs={}
    )
    DBTaskResult.objects.filter(pk=task.pk).update(
        enqueued_at=timezone.now() - timedelta(seconds=61)
    )
    status, sentence = request_health("/readyz", process)
    assert (status, [each["code"] for each in sentence["warnings"]]) == (200, ["worker"])
