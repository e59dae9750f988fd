"""Browser tests of networks that block WebSockets but let pages pass."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import services
from games.models import Match, Seat
from games.process import here
from games.sockets.open_sockets import OpenSockets
from games.sockets.polling.endpoint import BLOCKED, SLOW
from tests.blocking import Blocking, BlockingProxy
from tests.browser.conftest import Windows
from tests.browser.players import FIRST_VISIBLE, TAP_SELECTORS
from tests.browser.tables import deal, locate_card, wait_on_page
from tests.games.windows import list_table_sockets
from tests.live import LiveSite
from tests.tournament.staging import first_table, match_of, running_round

pytestmark = pytest.mark.browser

# `make test` tries only this kind of blocking, `make nightly` tries all.
ONE_BLOCKING = Blocking.FORBIDDEN
IS_USABLE = "() => document.getElementById('table').hasAttribute('data-usable')"

OpenBehindProxy = Callable[[Blocking, Match], tuple[Page, BlockingProxy]]


@pytest.fixture
def open_behind_proxy(open_page: Windows, live_site: LiveSite) -> Iterator[OpenBehindProxy]:
    """Provide a function that opens seat 0's page behind a proxy."""
    open_page.expect("WebSocket connection to .* failed")
    open_page.expect("Failed to load resource")  # logged after the proxy has stopped
    with ExitStack() as stack:

        def open_window(blocking: Blocking, match: Match) -> tuple[Page, BlockingProxy]:
            proxy = stack.enter_context(BlockingProxy(live_site.port, blocking))
            user = match.seats.get(number=0).user
            return open_page(user, path=proxy.url + match.get_absolute_url()), proxy

        yield open_window
        for context in open_page.contexts:
            context.close()  # before the proxies stop


def play_to_the_end(page: Page, match: Match) -> None:
    end = time.monotonic() + 120
    while Match.objects.get(pk=match.pk).phase != Match.Phase.OVER:
        assert time.monotonic() < end, "the match does not end"
        if tap := page.evaluate(FIRST_VISIBLE, TAP_SELECTORS):
            page.evaluate("tap => document.querySelector(tap)?.click()", tap)
        page.wait_for_timeout(100)


def make_short_match(**changes: Any) -> Match:
    fields: dict[str, Any] = {"bots": [1], "hand_limit": 1, "turn_seconds": 120} | changes
    return deal(["R7 R1 R4", "R2 R3 R9"], **fields)


@pytest.mark.parametrize(
    "blocking",
    [
        pytest.param(
            kind, id=kind.name.lower(), marks=() if kind is ONE_BLOCKING else pytest.mark.nightly
        )
        for kind in Blocking
    ],
)
def test_match_on_a_blocking_network_is_played_to_the_end(
    open_behind_proxy: OpenBehindProxy, blocking: Blocking
) -> None:
    match = make_short_match()
    page, proxy = open_behind_proxy(blocking, match)
    banner = page.locator("#line")
    expect(banner).to_have_text(str(SLOW), timeout=40_000)
    assert proxy.upgrade_count >= 3
    page.wait_for_function(IS_USABLE)
    assert Seat.objects.get(match=match, number=0).controller[6] == "~"
    play_to_the_end(page, match)
    expect(page.locator(".sheet")).to_be_visible()
    assert [window.wire.polled for window in list_table_sockets() if window.controls] == [True]


def test_reloaded_page_polls_without_trying_websockets_again(
    open_behind_proxy: OpenBehindProxy,
) -> None:
    match = make_short_match()
    page, proxy = open_behind_proxy(Blocking.FORBIDDEN, match)
    expect(page.locator("#line")).to_have_text(str(SLOW))
    asked = proxy.upgrade_count
    page.reload()
    expect(page.locator("#line")).to_have_text(str(SLOW))
    assert proxy.upgrade_count <= asked + 2
    locate_card(page, "Red 7").click()
    expect(page.locator(".log-lines")).to_contain_text("You play Red 7")


def test_page_returns_to_websockets_when_they_work(open_behind_proxy: OpenBehindProxy) -> None:
    match = make_short_match()
    page, proxy = open_behind_proxy(Blocking.FORBIDDEN, match)
    expect(page.locator("#line")).to_have_text(str(SLOW))
    proxy.blocks = False
    page.evaluate("dispatchEvent(new Event('online'))")
    wait_on_page(page, lambda: any(w.seat == 0 and not w.wire.polled for w in list_table_sockets()))
    page.wait_for_function(IS_USABLE)
    expect(page.locator("#line")).to_be_hidden()
    locate_card(page, "Red 7").click()
    expect(page.locator(".log-lines")).to_contain_text("You play Red 7")


def test_page_reports_a_network_that_also_blocks_polling(
    open_behind_proxy: OpenBehindProxy,
) -> None:
    match = make_short_match()
    page, _ = open_behind_proxy(Blocking.FORBIDDEN, match)
    page.route("**/ws/match/**", lambda route: route.abort())
    expect(page.locator("#line")).to_contain_text(str(BLOCKED))


def test_leaderboard_on_a_blocking_network_is_updated(
    open_page: Windows, live_site: LiveSite
) -> None:
    open_page.expect("WebSocket connection to .* failed")
    open_page.expect("Failed to load resource")
    played = running_round(4)
    event = played.stage.event
    with BlockingProxy(live_site.port, Blocking.FORBIDDEN) as proxy:
        page = open_page(path=f"{proxy.url}/e/{event.slug}/leaderboard/")
        board = page.locator("#leaderboard")
        expect(board).to_be_visible()
        wait_on_page(page, lambda: any(socket.wire.polled for socket in here().part(OpenSockets)))
        expect(board).not_to_have_class(re.compile("offline"))
        services.play_out(match_of(first_table(played)))
        expect(board.locator("tr[data-rank='1']").first).to_be_visible()
        assert proxy.upgrade_count >= 3
        page.context.close()
