"""Tests of polling on a site of two processes with Redis, behind nginx as in deploy/."""

import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from games.models import Match
from tests.factories import make_event
from tests.games.helpers import begin, list_log
from tests.games.polled import PollingClient, open_polling_window, post_content
from tests.games.windows import make_headers, open_window
from tests.live import SiteProcess
from tests.nginx import Nginx
from tests.services import Redis
from tests.typed import sure

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.sql]


@dataclass(frozen=True)
class TwoProcesses:
    """A site of two processes behind its proxy."""

    processes: list[SiteProcess]
    nginx: Nginx

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.nginx.tls}"

    @property
    def ws_url(self) -> str:
        return f"wss://127.0.0.1:{self.nginx.tls}"

    def find_holder(self, match: Match, connection: PollingClient) -> SiteProcess:
        """Return the process that has this connection."""
        headers = {
            **connection.headers,
            "Host": urlsplit(self.url).netloc,
            "X-Forwarded-Proto": "https",
        }
        request = {"id": connection.id, "got": connection.got, "wait": 0}
        path = f"/ws/match/{match.public_id}/"
        (holder,) = [
            process
            for process in self.processes
            if "closed" not in post_content(process, path, request, headers)[1]
        ]
        return holder


@pytest.fixture
def site(
    transactional_db: None, collected_static: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[TwoProcesses]:
    with ExitStack() as stack:
        monkeypatch.setenv("REDIS_URL", stack.enter_context(Redis()).url)
        running = [stack.enter_context(SiteProcess(collected_static)) for _ in range(2)]
        nginx = stack.enter_context(Nginx(*(each.port for each in running)))
        yield TwoProcesses(running, nginx)


def test_polling_player_moves_to_the_other_process(site: TwoProcesses) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    first, second = [sure(seat.user) for seat in match.seats.order_by("number")]
    with open_polling_window(site, match, first) as polled:
        polled.wait_for("view")
        connection: PollingClient = polled.socket  # type: ignore[assignment]
        holder = site.find_holder(match, connection)
        (other,) = [process for process in site.processes if process is not holder]
        with open_window(other, match, second) as window:
            assert polled.act({"play": "R1"})["type"] == "ack"
            assert window.wait_for_view(top="R1")["turn"] == 1
            assert window.act({"play": "R3"})["type"] == "ack"
            assert polled.wait_for_view(top="R3")["turn"] == 0
        stopping = threading.Thread(target=holder.stop, args=(signal.SIGTERM,))
        stopping.start()
        assert polled.wait_for("notice")["code"] == "restarting"
        assert polled.read_close_code() == 1012
        stopping.join()
    with open_polling_window(site, match, first) as polled:
        assert polled.wait_for_view(top="R3")["controls"]
        assert polled.act({"play": "R2"})["type"] == "ack"
    assert list_log(match) == [
        (0, {"play": "R1"}, ""),
        (1, {"play": "R3"}, ""),
        (0, {"play": "R2"}, ""),
    ]


def test_connection_is_unknown_to_another_process(site: TwoProcesses) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    first, second = site.processes
    path = f"/ws/match/{match.public_id}/"
    headers = make_headers(match.seats.get(number=0).user)
    opened = post_content(first, path, {"id": ""}, {"Origin": first.url, **headers})[1]
    request = {"id": opened["id"], "wait": 0}
    answer = post_content(second, path, request, {"Origin": second.url, **headers})[1]
    assert answer["closed"] == {"code": 1012, "reason": ""}


def test_polling_event_page_stays_with_one_process(site: TwoProcesses) -> None:
    event = make_event()
    headers = {"Origin": site.url, "User-Agent": "Phone"}
    path = f"/ws/event/{event.slug}/"
    opened = post_content(site, path, {"id": "", "wait": 0}, headers)[1]
    request = {"id": opened["id"], "got": 0, "wait": 0}
    answers = [post_content(site, path, request, headers)[1] for _ in range(8)]
    assert [answer for answer in answers if "closed" in answer] == []
