"""Test of a whole match over a bad network.

LASTCARD_REPEAT is the number of matches; `make bad-network` plays several.
"""

import asyncio
import os
import re
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import queries, services
from games.client.player import ClientPlayer, Stats
from games.models import LoggedAction, Match
from tests.browser.conftest import Windows
from tests.browser.players import play_by_taps
from tests.browser.tables import deal, locate_card
from tests.live import LiveSite, make_session_cookie
from tests.network import BAD_NETWORK, Network
from tests.typed import sure
from tournament.models import User

pytestmark = [pytest.mark.browser, pytest.mark.motion, pytest.mark.slow]

REPETITIONS = int(os.environ.get("LASTCARD_REPEAT", "1"))
OUTAGE_SECONDS = 30.0
# Nearly all cards are red, so the hand ends after about five turns of each player.
HANDS = ["R7 R1 R4 R0 R8", "R1 R3 R9 R+2 R8", "R5 R6 R9 R2 R3", "R4 R7 R2 R6 RR"]

READ_SCREEN = """() => {
  const text = (element) => {
    const copy = element.cloneNode(true);
    copy.querySelector(".face")?.remove();
    return copy.textContent.replace("★ ", "");
  };
  const texts = (row) => [...row.children].map(text);
  return {
    log: [...document.querySelectorAll(".log-lines li > span:last-of-type")]
      .map((each) => each.textContent),
    scores: [...document.querySelector(".sheet .scores").tBodies[0].rows].map(texts),
  };
}"""


def read_log_as(match: Match, seat: int) -> list[str]:
    """Return the log as this seat's player reads it, with "You" instead of the player's name."""
    view = queries.match_view(match, match.seats.get(number=seat).user)
    return [view["own_lines"].get(str(line["n"]), line["text"]) for line in view["log"]]


class ClientThread(threading.Thread):
    """Third player, a client with its own network."""

    def __init__(self, network: Network, match: Match, user: User) -> None:
        super().__init__(name="third player", daemon=True)
        cookie = make_session_cookie(user)
        self.stats = Stats()
        cookies = f"{cookie['name']}={cookie['value']}"
        self.player = ClientPlayer(network.url, match.public_id, cookies, self.stats, delay=0.3)

    def run(self) -> None:
        asyncio.run(self.player.play())


@pytest.fixture
def networks(live_site: LiveSite) -> Iterator[list[Network]]:
    with ExitStack() as stack:
        yield [stack.enter_context(Network(live_site.port)) for _ in range(3)]


def open_seat(
    open_page: Windows, match: Match, seat: int, network: Network, **options: Any
) -> Page:
    user = match.seats.get(number=seat).user
    page: Page = open_page(user, path=network.url + match.get_absolute_url(), **options)
    expect(page.locator("#table[data-live]")).to_be_attached()
    network.quality = BAD_NETWORK
    return page


def play_into_outage(page: Page, network: Network) -> None:
    """Play Red 7 during an outage of the network, and check that the move is sent afterwards."""
    began = time.monotonic()
    with network.outage():
        locate_card(page, "Red 7").click()
        expect(page.locator("#prompt")).to_have_text("Sending Red 7 …")
        banner = page.locator("#line")
        expected = re.compile("offline.*Your move will be sent")
        expect(banner).to_contain_text(expected, timeout=9000)
        expect(page.locator(".action-draw")).to_be_disabled()
        page.wait_for_timeout(1000 * (OUTAGE_SECONDS - (time.monotonic() - began)))
        expect(banner).to_contain_text(expected)
        assert not sure(page.locator(".ticker").text_content()).startswith("You play Red 7")
    expect(page.locator(".log-lines")).to_contain_text("You play Red 7", timeout=20_000)


def is_match_over(match: Match) -> bool:
    return Match.objects.get(pk=match.pk).phase == Match.Phase.OVER


@pytest.mark.parametrize("time_", range(REPETITIONS))
def test_u37_u43_match_over_a_bad_network_ends_the_same_on_every_screen(
    open_page: Windows, networks: list[Network], time_: int
) -> None:
    open_page.expect("WebSocket connection to .* failed")
    # logged during the outage
    open_page.expect(r"Failed to load resource: .*/fair/\?data")
    open_page.expect(r"Failed to load resource: .*/static/js/")  # logged during the outage
    options = {"first_dealer": "random"}
    match = deal(
        HANDS,
        bots=[3],
        turn_seconds=25,
        bank_seconds=30,
        hand_limit=1,
        start=False,
        options=options,
    )
    asha = open_seat(open_page, match, 0, networks[0])
    ben = open_seat(open_page, match, 1, networks[1])
    networks[2].quality = BAD_NETWORK
    third = ClientThread(networks[2], match, sure(match.seats.get(number=2).user))
    third.start()
    services.start_match(match)
    expect(asha.locator("#table[data-my-turn][data-usable]")).to_be_attached()
    play_into_outage(asha, networks[0])
    networks[1].cut_connections()
    play_by_taps([asha, ben], lambda: is_match_over(match))

    third.join(30)
    assert (third.is_alive(), dict(third.stats.errors)) == (False, {})
    for page in (asha, ben):
        expect(page.locator("#table[data-over]")).to_be_attached()
    actions = LoggedAction.objects.filter(hand__match=match)
    assert {action.auto for action in actions if action.player != 3} == {""}
    match.refresh_from_db()
    view = queries.match_view(match, match.seats.get(number=0).user)
    seen, rows = sure(third.player.view), sure(view["sheet"])["rows"]
    assert seen["log"] == view["log"]
    assert sure(seen["sheet"])["rows"] == rows
    totals = {row["name"]: str(row["total"]) for row in rows}
    for seat, page in enumerate((asha, ben)):
        screen, message = page.evaluate(READ_SCREEN), read_log_as(match, seat)
        assert screen["log"][-len(message) :] == message
        assert {row[0]: row[2] for row in screen["scores"]} == totals
