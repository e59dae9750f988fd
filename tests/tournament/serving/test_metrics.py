"""The page /metrics for Prometheus, and access to it."""

import asyncio
import re
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.request import Request

import pytest
from django.contrib.auth import get_user_model
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from games.process import Process
from games.process.figures import ProcessFigures
from games.services import start_match
from tests.games.helpers import begin, make_match
from tests.games.windows import open_window
from tests.live import SiteProcess
from tests.own_site import fetch_response
from tournament import asgi
from tournament.mail.letters import SEND_LIMIT
from tournament.models import Letter

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]
TOKEN = b"only for this test"


def request_metrics(process: Process, *headers: tuple[bytes, bytes]) -> tuple[int, str]:
    said: list[Any] = []

    async def send(message: Any) -> None:
        said.append(message)

    body = [{"type": "http.request", "body": b""}]

    async def receive() -> Any:
        return body.pop() if body else await asyncio.Event().wait()

    scope = {
        "type": "http",
        "path": "/metrics",
        "raw_path": b"/metrics",
        "query_string": b"",
        "method": "GET",
        "headers": [(b"host", b"localhost"), *headers],
        "client": ("127.0.0.1", 1),
    }
    asyncio.run(asgi.Site(process)(scope, receive, send))
    return said[0]["status"], b"".join(each["body"] for each in said[1:]).decode()


def get_metric(text: str, name: str) -> float:
    [found] = re.findall(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    return float(found)


def test_request_with_the_token_gets_metrics(process: Process, settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN.decode()
    start_match(make_match(people=2))
    process.part(ProcessFigures).count_answer("action", 0.03)
    process.part(ProcessFigures).count_refusal("stale")
    status, text = request_metrics(process, (b"authorization", b"Bearer " + TOKEN))
    assert status == 200
    assert get_metric(text, 'lastcard_answer_seconds_bucket{le="0.05",message="action"}') == 1
    assert get_metric(text, 'lastcard_answer_seconds_bucket{le="0.02",message="action"}') == 0
    assert get_metric(text, 'lastcard_refusals_total{code="stale"}') == 1
    assert get_metric(text, "lastcard_tables_in_play") == 1
    assert get_metric(text, "lastcard_clocks_late") == 0
    assert get_metric(text, "lastcard_sockets") == 0
    assert get_metric(text, "lastcard_mails_waiting") == 0
    assert get_metric(text, "process_resident_memory_bytes") > 10_000_000


@pytest.mark.parametrize("token", [b"", b"Bearer ", b"Bearer wrong"])
def test_request_without_the_token_is_refused(
    process: Process, settings: Settings, token: bytes
) -> None:
    settings.METRICS_TOKEN = TOKEN.decode()
    assert request_metrics(process, (b"authorization", token))[0] == 404


def test_metrics_are_disabled_without_a_configured_token(
    process: Process, settings: Settings
) -> None:
    settings.METRICS_TOKEN = ""
    assert request_metrics(process, (b"authorization", b"Bearer "))[0] == 404


def test_superuser_sees_the_metrics_page_and_an_organizer_does_not() -> None:
    make = get_user_model().objects.create_user
    for name, powers, status in (("root", True, 200), ("staff", False, 404)):
        client = Client()
        user = make(name, f"{name}@college.example", is_staff=True, is_superuser=powers)
        client.force_login(user)
        assert client.get("/metrics").status_code == status


def test_page_requests_are_counted_by_status(process: Process) -> None:
    request_metrics(process)
    labels = {"status": "404"}
    registry = process.part(ProcessFigures).registry
    assert registry.get_sample_value("lastcard_page_seconds_count", labels) == 1


@pytest.mark.slow
def test_metrics_count_the_actions_of_a_match(
    collected_static: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("METRICS_TOKEN", TOKEN.decode())
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    first, second = (match.seats.get(number=number).user for number in (0, 1))
    with (
        SiteProcess(collected_static) as site,
        open_window(site, match, first) as one,
        open_window(site, match, second) as two,
    ):
        one.wait_for("view")
        assert one.act({"play": "R1"})["type"] == "ack"
        two.wait_for_view(turn=1)
        assert two.act({"play": "R3"})["type"] == "ack"
        assert two.act({"play": "R4"})["type"] == "refused"
        headers = {"Authorization": f"Bearer {TOKEN.decode()}", "Host": "anything.example"}
        status, text = fetch_response(Request(f"{site.url}/metrics", headers=headers))
    assert status == 200
    assert get_metric(text, 'lastcard_answer_seconds_count{message="action"}') == 2
    assert sum(map(float, re.findall(r"^lastcard_refusals_total{.*} (\S+)$", text, re.M))) == 1
    assert get_metric(text, "lastcard_sockets") == 2
    assert get_metric(text, "lastcard_show_seconds_count") >= 2


def test_readyz_fault_is_exported_as_a_metric(
    process: Process, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.METRICS_TOKEN = TOKEN.decode()
    monkeypatch.setattr("tournament.serving.health.MIN_FREE_BYTES", 1 << 62)
    _status, text = request_metrics(process, (b"authorization", b"Bearer " + TOKEN))
    assert get_metric(text, 'lastcard_faults{code="disk"}') == 1
    assert get_metric(text, 'lastcard_faults{code="database"}') == 0
    assert get_metric(text, "lastcard_disk_free_bytes") > 0


def test_only_database_metrics_are_missing_while_the_database_is_unreachable(
    process: Process, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_outage(*_given: Any) -> None:
        raise OperationalError("the server has gone")

    settings.METRICS_TOKEN = TOKEN.decode()
    monkeypatch.setattr("tournament.serving.metrics._collect_emails", raise_outage)
    status, text = request_metrics(process, (b"authorization", b"Bearer " + TOKEN))
    assert (status, get_metric(text, "lastcard_sockets")) == (200, 0)
    assert "lastcard_tables_in_play" not in text


@pytest.mark.parametrize(
    ("written", "until", "waited"),
    [
        (
            timedelta(minutes=17),
            SEND_LIMIT - timedelta(minutes=17),
            17 * 60,
        ),  # failed and will be retried
        (timedelta(days=3), SEND_LIMIT, 0),  # just resent by hand
        (timedelta(seconds=90), timedelta(minutes=8), 90),  # an emailed code
    ],
)
def test_retries_do_not_shorten_the_delay_of_an_email(
    process: Process, settings: Settings, written: timedelta, until: timedelta, waited: int
) -> None:
    settings.METRICS_TOKEN = TOKEN.decode()
    now = timezone.now()
    times = {"written_at": now - written, "until": now + until, "due": now + timedelta(minutes=9)}
    Letter.objects.create(sender="s", subject="s", error="451", **times)
    text = request_metrics(process, (b"authorization", b"Bearer " + TOKEN))[1]
    assert 0 <= get_metric(text, "lastcard_mails_overdue_seconds") - waited < 30
