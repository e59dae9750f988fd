"""F20: an account's windows are limited across all processes, and compression is declined."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.conf import settings

from tests.games.helpers import begin
from tests.games.windows import Window, make_headers, open_window
from tests.live import SiteProcess

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.sql]
MAX_SOCKETS = 20


@pytest.fixture
def sites(collected_static: Path) -> Iterator[tuple[SiteProcess, SiteProcess]]:
    with SiteProcess(collected_static) as first, SiteProcess(collected_static) as second:
        yield first, second


@pytest.mark.redis
def test_account_has_at_most_twenty_windows_on_two_processes(
    sites: tuple[SiteProcess, SiteProcess],
) -> None:
    assert settings.REDIS_URL
    match = begin(["R1 R2", "R3 R4"], "R5")
    headers = make_headers(match.seats.get(number=0).user)

    def open_numbered_window(number: int) -> Window:
        return open_window(sites[number % 2], match, additional_headers=headers)

    with ExitStack() as opened:
        windows = [
            opened.enter_context(open_numbered_window(number)) for number in range(MAX_SOCKETS)
        ]
        for each in windows:
            each.wait_for("view")
        for number in range(2):
            assert opened.enter_context(open_numbered_window(number)).read_close_code() == 1008
        windows[0].close()
        time.sleep(1.5)  # until a sweep has informed the other process
        opened.enter_context(open_numbered_window(1)).wait_for("view")


def test_account_has_at_most_twenty_windows_on_one_process(site_process: SiteProcess) -> None:
    """Check the limit of a site with a single process."""
    match = begin(["R1 R2", "R3 R4"], "R5")
    user = match.seats.get(number=0).user
    with ExitStack() as opened:
        windows = [
            opened.enter_context(open_window(site_process, match, user)) for _ in range(MAX_SOCKETS)
        ]
        for each in windows:
            each.wait_for("view")
        assert (
            opened.enter_context(open_window(site_process, match, user)).read_close_code() == 1008
        )


def test_compression_is_declined(site_process: SiteProcess) -> None:
    """Guard against small compressed frames that expand to large messages."""
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(site_process, match, compression="deflate") as window:
        window.wait_for("view")
        assert window.socket.protocol.extensions == []
