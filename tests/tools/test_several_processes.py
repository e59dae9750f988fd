"""Tests of four processes behind nginx, as in docs/deploy.md; each serves any table."""

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
    """The site behind its proxy, as browsers reach it."""

    processes: list[SiteProcess]
    nginx: Nginx

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self.nginx.tls}"

    @property
    def ws_url(self) -> str:
        return f"wss://127.0.0.1:{self.nginx.tls}"


Door = ProxiedSite | SiteProcess


@pytest.fixture
def site(collected_static: Path) -> Iterator[ProxiedSite]:
    with ExitStack() as stack:
        running = [stack.enter_context(SiteProcess(collected_static)) for _ in range(PROCESSES)]
        nginx = Nginx(*(each.port for each in running))
        yield ProxiedSite(running, stack.enter_context(nginx))


def open_windows(doors: Sequence[Door], match: Match, stack: ExitStack) -> list[Window]:
    """Open a window for each player and for several viewers, and wait for their first views.

    The windows use `doors` in turn.
    """
    people: list[User | None] = [seat.user for seat in match.seats.order_by("number")]
    windows = [
        stack.enter_context(open_window(door, match, user, **get_window_options(door)))
        for user, door in zip(people + [None] * VIEWERS, cycle(doors))
    ]
    for window in windows:
        window.wait_for("view")
    return windows


def get_window_options(door: Door) -> dict[str, Any]:
    """Return the options for opening a window at this door.

    The timeout is long, since all four processes have only just started. The certificate of the
    test's proxy is trusted.
    """
    return {
        "open_timeout": 60,
        **({"ssl": make_trusting_context()} if isinstance(door, ProxiedSite) else {}),
    }


def make_trusting_context() -> ssl.SSLContext:
    """Return a TLS 1.2 context that accepts any certificate.

    After a TLS 1.3 handshake, the server sends session tickets. Before Python 3.12.8, reading
    them in one thread while another one writes may lose written data.
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
            tops = [each.wait_for_view(top=card)["top"] for each in (first, second, *viewers)]
            assert tops == [card] * (2 + VIEWERS)


def test_process_crashes_behind_the_proxy_go_unnoticed_by_players(site: ProxiedSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5", turn_seconds=300)
    with ExitStack() as stack:
        first, *others = open_windows([site], match, stack)
        assert first.act({"play": "R1"})["type"] == "ack"
        assert [each.wait_for_view(top="R1")["top"] for each in others] == ["R1"] * (1 + VIEWERS)
    for process in site.processes[1:]:
        process.crash()
    with ExitStack() as stack:
        first, second, *viewers = open_windows([site], match, stack)
        assert second.act({"play": "R3"})["type"] == "ack"
        seen = [each.wait_for_view(top="R3")["turn"] for each in (first, *viewers)]
        assert seen == [0] * (1 + VIEWERS)
