"""Tables with chosen cards, and browser windows at these tables."""

import json
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from games import services
from games.models import Hand, Match
from games.rules.ruleset import rulesets
from games.seats import SeatNumber
from games.services import SeatSpec
from tests.browser.conftest import Windows
from tests.factories import make_user
from tests.games.helpers import create_match, set_shuffled_deck

PEOPLE = ["Asha", "Ben", "Chitra", "Dev", "Esha", "Farid", "Gita", "Hari", "Ira", "Jai"]


def stack_deck(hand: Hand, size: int, hands: Sequence[str], top: str, draw: str = "") -> list[str]:
    """Return the deck in an order that deals the chosen cards.

    Seat n gets the cards `hands[n]`, `top` is turned up, and `draw` are the first cards drawn.
    Random cards fill the other positions.
    """
    rules = rulesets.make(hand.match.ruleset, hand.match.options)
    left = rules.pack.notations(rules.cards())
    random.shuffle(left)
    given = [text.split() for text in hands]
    for card in [top, *draw.split(), *(card for cards in given for card in cards)]:
        left.remove(card)
    players = len(hand.players)
    order = []
    for place in range(size):
        for step in range(1, players + 1):
            cards = given[(hand.dealing + step) % players]
            order.append(cards[place] if place < len(cards) else left.pop())
    return [*order, top, *draw.split(), *left]


def deal(
    hands: Sequence[str],
    *,
    top: str = "R5",
    draw: str = "",
    ruleset: str = "uno-400",
    options: dict[str, Any] | None = None,
    start: bool = True,
    bots: Sequence[int] = (),
    **fields: Any,
) -> Match:
    """Create a match with these hands, in which seat 0 is to act.

    The seats in `bots` have bots, all others have users.
    """
    size = max(len(text.split()) for text in hands)
    seats = [
        SeatSpec(name=PEOPLE[n], bot="plain")
        if n in bots
        else SeatSpec(name=PEOPLE[n], user=make_user(PEOPLE[n]))
        for n in range(len(hands))
    ]
    defaults = {
        "title": "Round 1, table 3",
        "turn_seconds": 60,
        "bot_seconds": 0.05,
        "between_seconds": 60,
    }
    match = create_match(
        ruleset=ruleset,
        options={"hand_size": size, "first_dealer": "random", **(options or {})},
        seats=seats,
        **(defaults | fields),
    )
    hand = match.hands.get()
    hand.dealer = SeatNumber(len(hands) - 1)
    set_shuffled_deck(hand, stack_deck(hand, size, hands, top, draw))
    return services.start_match(match) if start else match


def act_for_seat(match: Match, seat: int, **action: Any) -> None:
    """Act for a seat on the current version of the match."""
    match.refresh_from_db()
    name = f"{seat}-{match.version}"
    services.act(match.pk, SeatNumber(seat), action, version=match.version, client_id=name)


def open_seat(open_page: Windows, match: Match, seat: int | None = 0, **options: Any) -> Page:
    """Open the table and wait for its socket. Seat None is a viewer without an account."""
    user = None if seat is None else match.seats.get(number=seat).user
    page: Page = open_page(user, path=match.get_absolute_url(), **options)
    expect(page.locator("#table[data-live]")).to_be_attached()
    return page


def open_menu(page: Page) -> Locator:
    """Open the menu and return its dialog."""
    page.locator("#menu-button").click()
    dialog = page.locator("dialog.menu")
    expect(dialog).to_be_visible()
    return dialog


def wait_on_page(page: Page, ready: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until `ready` returns True, and handle the page's events in the meantime."""
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, f"not ready after {seconds:g} s"
        page.wait_for_timeout(20)


WAIT_FOR_REST = """() => new Promise((done) => {
  for (const each of document.getAnimations())
    if (Number.isFinite(each.effect.getComputedTiming().endTime)) each.finish();
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


def finish_animations(page: Page) -> None:
    """Finish all animations, and update the layout."""
    page.evaluate("() => document.fonts.ready.then(() => true)")
    page.evaluate(WAIT_FOR_REST)
    page.evaluate(WAIT_FOR_REST)  # finishes the animations that the first call started


# Clicks the first of these that is visible: an answer, a playable card, or a button.
PLAY_ONE_TURN = """() => {
  const ways = ['.pick', '.with-uno', '.slot[data-playable] .card-button',
    '.action-pass:enabled', '.action-draw:enabled'];
  if (!document.querySelector('#table[data-usable][data-my-turn]')) return;
  const found = ways.flatMap((way) => [...document.querySelectorAll(way)]);
  found.find((button) => button.checkVisibility())?.click();
}"""


# Plays by a timer in the page, so that a busy test does not delay the moves.
PLAY_TO_END = f"""(patience) => new Promise((done, fail) => {{
  const play = {PLAY_ONE_TURN};
  const end = performance.now() + patience;
  const timer = setInterval(() => {{
    const over = document.querySelector('.sheet');
    if (!over && performance.now() < end) return play();
    clearInterval(timer);
    return over ? done() : fail(new Error('the hand was not played to its end'));
  }}, 40);
}})"""


def play_out(page: Page, seconds: int = 240) -> None:
    """Play the hand in this window until the score sheet opens."""
    page.evaluate(PLAY_TO_END, 1000 * seconds)


def locate_card(page: Page, name: str) -> Locator:
    """Return the button of the card with this name in the hand."""
    return page.get_by_role("button", name=f"{name},")


def read_top_card(page: Page) -> str:
    return page.locator(".discard").get_attribute("aria-label") or ""


Change = Callable[[dict[str, Any]], dict[str, Any] | None]


class SocketInterceptor:
    """Interceptor of the messages between a page and the server.

    sent: the messages that the page has sent
    opened: the number of sockets that the page has opened
    to_server: function that changes each message to the server, or returns None to drop it
    to_page: the same for each message to the page
    """

    def __init__(self, page: Page) -> None:
        self.sent: list[dict[str, Any]] = []
        self.opened = 0
        self.to_server: Change = lambda message: message
        self.to_page: Change = lambda message: message
        page.route_web_socket("**/ws/match/**", self._open)

    def list_actions(self) -> list[dict[str, Any]]:
        return [message["action"] for message in self.sent if message["type"] == "action"]

    def _open(self, client: WebSocketRoute) -> None:
        self.opened += 1
        server = client.connect_to_server()
        client.on_message(lambda text: self._forward(str(text), server, self.to_server, self.sent))
        server.on_message(lambda text: self._forward(str(text), client, self.to_page, []))

    def _forward(
        self, text: str, to: WebSocketRoute, change: Change, received: list[dict[str, Any]]
    ) -> None:
        message = json.loads(text)
        received.append(message)
        if (changed := change(message)) is not None:
            to.send(json.dumps(changed))


def open_seat_with_interceptor(
    open_page: Windows, match: Match, seat: int = 0, **options: Any
) -> tuple[Page, SocketInterceptor]:
    """Open a seat's window whose sockets pass through an interceptor."""
    user = match.seats.get(number=seat).user
    page: Page = open_page(user, path="about:blank", **options)
    line = SocketInterceptor(page)
    page.goto(match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    return page, line
