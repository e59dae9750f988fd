"""Tests of four processes behind nginx, as in docs/deploy.md. Any process can serve any table."""

import ssl
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from games.models import Match
from tests.games.helpers import begin
from tests.games.windows import Window, open_window
from tests.live import SiteProcess
from tests.nginx import Nginx
from tournament.models import User

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.sql]
PROCESSES, VIEWERS = 4, 6


@dataclass(frozen=True)
class ProxiedSite:
    """The site, with the addresses at which browsers reach it through its proxy."""

    processes: list[SiteProcess]
    nginx: Nginx

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.nginx.tls}"

    @property
    def ws_url(self) -> str:
        return f"wss://127.0.0.1:{self.nginx.tls}"


Endpoint = ProxiedSite | SiteProcess


@pytest.fixture
def site(collected_static: Path) -> Iterator[ProxiedSite]:
    with ExitStack() as stack:
        running = [stack.enter_context(SiteProcess(collected_static)) for _ in range(PROCESSES)]
        nginx = Nginx(*(process.port for process in running))
        yield ProxiedSite(running, stack.enter_context(nginx))


def open_windows(endpoints: Sequence[Endpoint], match: Match, stack: ExitStack) -> list[Window]:
    """Open windows for all players and several viewers, alternating between the endpoints.

    Returns once every window has its first view.
    """
    people: list[User | None] = [seat.user for seat in match.seats.order_by("number")]
    windows = [
        stack.enter_context(open_window(endpoint, match, user, **get_window_options(endpoint)))
        for user, endpoint in zip(people + [None] * VIEWERS, cycle(endpoints))
    ]
    for window in windows:
        window.wait_for("view")
    return windows


def get_window_options(endpoint: Endpoint) -> dict[str, Any]:
    """Return the options for opening a window at this endpoint.

    The timeout is long, because all four processes have only just started.
    """
    return {
        "open_timeout": 60,
        **({"ssl": make_trusting_context()} if isinstance(endpoint, ProxiedSite) else {}),
    }


def make_trusting_context() -> ssl.SSLContext:
    """Return a TLS 1.2 context that accepts any certificate.

    With TLS 1.3, the server sends session tickets after the handshake. Before Python 3.12.8,
    reading them in one thread while another thread writes may lose written data.
    """
    context = ssl._create_unverified_context()
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    return context


def test_windows_on_any_process_see_every_action(site: ProxiedSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", turn_seconds=300)
    with ExitStack() as stack:
        first, second, *viewers = open_windows(site.processes, match, stack)
        for actor, card in ((first, "R1"), (second, "R3")):
            assert actor.act({"play": card})["type"] == "ack"
            tops = [window.wait_for_view(top=card)["top"] for window in (first, second, *viewers)]
            assert tops == [card] * (2 + VIEWERS)


def test_players_can_continue_after_other_processes_crash(site: ProxiedSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", turn_seconds=300)
    with ExitStack() as stack:
        first, *others = open_windows([site], match, stack)
        assert first.act({"play": "R1"})["type"] == "ack"
        tops = [window.wait_for_view(top="R1")["top"] for window in others]
        assert tops == ["R1"] * (1 + VIEWERS)
    for process in site.processes[1:]:
        process.crash()
    with ExitStack() as stack:
        first, second, *viewers = open_windows([site], match, stack)
        assert second.act({"play": "R3"})["type"] == "ack"
        turns = [window.wait_for_view(top="R3")["turn"] for window in (first, *viewers)]
        assert turns == [0] * (1 + VIEWERS)
