"""Players in the test of a whole event: some in a browser, the others as clients."""

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterable, Sequence

from django.core import mail
from playwright.sync_api import Locator, Page, TimeoutError, expect

from games.client.player import ClientPlayer, Stats
from games.models import Match
from tests.live import LiveSite, make_session_cookie
from tests.typed import sure
from tournament.models import Event, User

MATCH_SECONDS = 120

# What to tap, in order of preference: an answer, a card with UNO, a card, Pass, Draw.
TAP_SELECTORS = [
    "#table .pick",
    "#hand .with-uno",
    "#hand .slot[data-playable] .card-button",
    ".action-pass:enabled",
    ".action-draw:enabled",
]

FIRST_VISIBLE = """selectors => {
  if (!document.querySelector("#table[data-my-turn][data-usable]")) return null;
  const visible = (selector) =>
    [...document.querySelectorAll(selector)].some((element) => element.checkVisibility());
  return selectors.find(visible) ?? null;
}"""


def sign_up(page: Page, name: str, email: str, password: str) -> User:
    """Create an account on the site's pages, with the code from the email."""
    page.goto("/accounts/signup/")
    page.locator("[name=display_name]").fill(name)
    page.locator("[name=email]").fill(email)
    page.locator("[name=password1]").fill(password)
    page.get_by_role("button", name="Create account").click()
    expect(page.locator("input[name=code]")).to_be_visible()
    page.locator("input[name=code]").fill(read_code(email))
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url(lambda url: "confirm" not in url)
    return User.objects.get(email=email)


def read_code(email: str) -> str:
    """Return the code from the latest email to this address."""
    body = next(str(m.body) for m in reversed(mail.outbox) if email in m.to)
    return sure(re.search(r"^\s*([A-Z0-9]{3,}-?[A-Z0-9]+)\s*$", body, re.MULTILINE))[1]


def register_for_event(page: Page, event: Event, roll_number: str) -> None:
    page.goto(f"/e/{event.slug}/")
    page.get_by_role("link", name="Register").first.click()
    page.get_by_label("Roll number").fill(roll_number)
    page.get_by_role("button", name="Register").click()


def tap_once(page: Page) -> bool:
    """Tap once if it is this player's turn, and return whether a tap was made."""
    found = page.evaluate(FIRST_VISIBLE, TAP_SELECTORS)
    return found is not None and _click(page.locator(f"{found} >> visible=true").first)


def _click(button: Locator) -> bool:
    try:
        button.click(timeout=1500)
    except TimeoutError:  # the table changed before the tap arrived
        return False
    return True


def play_by_taps(pages: Sequence[Page], is_over: Callable[[], bool]) -> int:
    """Play on these pages until `is_over` returns True, and return the number of taps."""
    end, taps = time.monotonic() + MATCH_SECONDS, 0
    while not is_over():
        assert time.monotonic() < end, "the match does not end"
        tapped = sum(tap_once(page) for page in pages)
        taps += tapped
        if not tapped:
            pages[0].wait_for_timeout(60)
    return taps


class PlayerCrowd(threading.Thread):
    """Client players, each with its own session and socket, for all users except `without`."""

    def __init__(self, site: LiveSite, matches: Iterable[Match], without: Iterable[User]) -> None:
        super().__init__(name="crowd", daemon=True)
        self.stats = Stats()
        excluded = {user.pk for user in without}
        seats = [seat for match in matches for seat in match.seats.select_related("match", "user")]
        self.players = [
            ClientPlayer(
                site.url,
                seat.match.public_id,
                _make_cookie(sure(seat.user)),
                self.stats,
                delay=0.08,
            )
            for seat in seats
            if seat.user_id not in excluded
        ]
        self.start()

    def run(self) -> None:
        asyncio.run(self._play_match())

    async def _play_match(self) -> None:
        async with asyncio.timeout(MATCH_SECONDS):
            await asyncio.gather(*(player.play() for player in self.players))

    def wait_until_finished(self) -> None:
        """Wait until all players have finished, and check that there were no errors."""
        self.join(MATCH_SECONDS)
        assert dict(self.stats.errors) == {}
        assert self.stats.finished == len(self.players)


def _make_cookie(user: User) -> str:
    cookie = make_session_cookie(user)
    return f"{cookie['name']}={cookie['value']}"
