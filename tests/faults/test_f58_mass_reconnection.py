"""F58: all windows reconnect at the same moment after a restart."""

import asyncio
import json
import time

import pytest
from websockets.asyncio.client import ClientConnection, connect

from games.models import Match
from tests.faults.cases import TryCounter
from tests.games.helpers import act, begin, list_log
from tests.games.windows import make_headers
from tests.live import SiteProcess

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]

# Time limit. Unlike browsers, these clients reconnect without a random delay, which is harder for
# the site.
SECONDS = 30.0
# Sockets opened at the same time. With more, the machine's own queue might drop some.
MAX_CONCURRENT = 100


async def open_connection(
    site: SiteProcess, match: Match, headers: dict[str, str]
) -> ClientConnection:
    return await connect(
        f"{site.ws_url}/ws/match/{match.public_id}/",
        origin=site.url,  # type: ignore[arg-type]  # a NewType of str
        additional_headers=headers,
        compression=None,
        open_timeout=SECONDS,
    )


async def read_first_top_card(window: ClientConnection) -> str:
    """Return the top card in the first view that this window receives."""
    async with asyncio.timeout(SECONDS):
        while True:
            message = json.loads(await window.recv())
            if message["type"] == "view":
                return str(message["view"]["top"])


async def reopen_all_windows(
    site: SiteProcess, match: Match, people: list[dict[str, str]]
) -> list[str]:
    """Open a window with each of these headers at the same time, and return their top cards."""
    gate = asyncio.Semaphore(MAX_CONCURRENT)
    windows: list[ClientConnection] = []

    async def reconnect_player(headers: dict[str, str]) -> str:
        async with gate:
            windows.append(await open_connection(site, match, headers))
        return await read_first_top_card(windows[-1])

    try:
        return await asyncio.gather(*[reconnect_player(headers) for headers in people])
    finally:
        await asyncio.gather(*[window.close() for window in windows])


@pytest.mark.timed
def test_all_windows_return_with_the_latest_state(
    site_process: SiteProcess, tries: TryCounter
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    players = [make_headers(seat.user) for seat in match.seats.order_by("number")]
    viewers: list[dict[str, str]] = [{} for _ in tries(100, 1000)]
    before = asyncio.run(reopen_all_windows(site_process, match, players + viewers))
    assert set(before) == {"R5"}
    act(match, 0, {"play": "R1"})
    site_process.crash()
    site_process.start()
    start = time.monotonic()
    after = asyncio.run(reopen_all_windows(site_process, match, players + viewers))
    assert set(after) == {"R1"}
    assert len(list_log(match)) == 1
    assert time.monotonic() - start < SECONDS
