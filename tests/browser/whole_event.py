"""Who takes part in the test of a whole event: the organizer, two people who tap, and a crowd."""

import asyncio
import re
import threading
import time
from collections.abc import Callable, Iterable, Sequence

from django.core import mail
from playwright.sync_api import FilePayload, Locator, Page, TimeoutError, expect

from games.live.client import Player, Stats
from games.models import Match
from tests.live import LiveSite, session_cookie
from tests.typed import sure
from tournament.models import Event, Round, User

SECONDS_FOR_A_MATCH = 120

# What a person at the table does with a turn, the first that is there: answer a question, play a
# card saying UNO, play a card, keep the drawn card, draw.
TAPS = [
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


class Organizer:
    """Runs an event in the admin, by its forms and buttons alone."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, button: str | re.Pattern[str]) -> None:
        self.page.get_by_role("button", name=button).click()

    def told(self, sentence: str | re.Pattern[str]) -> None:
        """The page says this after an action."""
        expect(self.page.get_by_text(sentence)).to_be_visible()

    def goes(self, tab: str) -> None:
        menu = self.page.locator(".desk-menu")
        link = menu.locator("a").filter(has_text=re.compile(rf"^\s*{tab}\b"))
        if not link.is_visible():
            group = menu.locator("details").filter(has=self.page.get_by_text(tab))
            group.locator("summary").click()
        link.click()

    def creates(self, **fields: str) -> Event:
        """Make an event of the usual format in its few steps; fields by the names of the forms."""
        self.page.goto("/admin/tournament/event/add/")
        for _step in ("format", "people", "when"):
            self._fills({n: v for n, v in fields.items() if self.page.locator(f"#id_{n}").count()})
            self.press("Next")
        self.press("Make the event")
        self.told(f"{fields['title']} is made.")
        return Event.objects.get(title=fields["title"])

    def sets(self, **fields: str) -> None:
        """Change settings; fields by the names of the form."""
        self.goes("Settings")
        self._fills(fields)
        self._saves()

    def _fills(self, fields: dict[str, str]) -> None:
        for name, value in fields.items():
            field = self.page.locator(f"#id_{name}")
            if field.evaluate("element => element.tagName") == "SELECT":
                field.select_option(value)
            elif field.get_attribute("type") == "checkbox":
                field.set_checked(value == "yes")
            else:
                field.fill(value)

    def lets_lots_decide_ties(self) -> None:
        """In the second round; after a hand or two many have no points yet."""
        self.goes("Settings")
        self.page.locator("select[name$=cut_ties]").select_option("lots")
        self._saves()

    def limits_hands(self, count: int) -> None:
        self.sets(hand_limit=str(count))

    def _saves(self) -> None:
        self.page.locator("[name=_save]").click()
        self.told("The settings are saved.")

    def uploads(self, name: str, content: bytes) -> None:
        """Upload a list and stay on its preview."""
        self.goes("List")
        file: FilePayload = {"name": name, "mimeType": "text/csv", "buffer": content}
        self.page.locator("input[type=file]").set_input_files(file)
        self.press("Show the preview")

    def counts(self) -> dict[str, str]:
        """The figures of a preview."""
        terms = self.page.locator("dl.facts dt").all_text_contents()
        return dict(zip(terms, self.page.locator("dl.facts dd").all_text_contents(), strict=True))

    def approves_everybody(self) -> None:
        self.goes("Registrations")
        self.page.locator("#action-toggle").check()
        self.page.locator("select[name=action]").first.select_option("approve")
        self.press(re.compile("^(Go|Run)$"))

    def seats_a_round(self) -> Round:
        """Draw the next round's seats; the page shows them."""
        self.goes("Rounds")
        self.press(re.compile("^Draw the seats of "))
        return Round.objects.get(pk=re.findall(r"rounds/(\d+)/", self.page.url)[0])

    def publishes(self) -> None:
        self.press(re.compile("^Publish"))
        self.told("is published: players see where they sit.")

    def starts(self) -> None:
        self.press(re.compile("^Start"))
        self.told("has started.")

    def closes_the_round(self) -> None:
        self.goes("Control room")
        self.press(re.compile("^Close"))
        self.told("is closed.")


def signs_up(page: Page, name: str, email: str, password: str) -> User:
    """Make an account on the site's own pages, with the code from the mail."""
    page.goto("/accounts/signup/")
    page.locator("[name=display_name]").fill(name)
    page.locator("[name=email]").fill(email)
    page.locator("[name=password1]").fill(password)
    page.get_by_role("button", name="Create account").click()
    expect(page.locator("input[name=code]")).to_be_visible()
    page.locator("input[name=code]").fill(code_for(email))
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url(lambda url: "confirm" not in url)
    return User.objects.get(email=email)


def code_for(email: str) -> str:
    """The code in the latest mail to this address: a line of its own."""
    body = next(str(m.body) for m in reversed(mail.outbox) if email in m.to)
    return sure(re.search(r"^\s*([A-Z0-9]{3,}-?[A-Z0-9]+)\s*$", body, re.MULTILINE))[1]


def registers(page: Page, event: Event, roll_number: str) -> None:
    page.goto(f"/e/{event.slug}/")
    page.get_by_role("link", name="Register").first.click()
    page.get_by_label("Roll number").fill(roll_number)
    page.get_by_role("button", name="Register").click()


def tap(page: Page) -> bool:
    """One tap of somebody whose turn it is; False if there was nothing to do."""
    found = page.evaluate(FIRST_VISIBLE, TAPS)
    return found is not None and _click(page.locator(f"{found} >> visible=true").first)


def _click(button: Locator) -> bool:
    try:
        button.click(timeout=1500)
    except TimeoutError:  # the table moved on while the finger came down
        return False
    return True


def play_by_taps(pages: Sequence[Page], over: Callable[[], bool]) -> int:
    """Let the people at these pages play until `over`; how often they tapped."""
    end, taps = time.monotonic() + SECONDS_FOR_A_MATCH, 0
    while not over():
        assert time.monotonic() < end, "the match does not end"
        tapped = sum(tap(page) for page in pages)
        taps += tapped
        if not tapped:
            pages[0].wait_for_timeout(60)
    return taps


class Crowd(threading.Thread):
    """The other players: each has a session and a socket of its own, as a browser would."""

    def __init__(self, site: LiveSite, matches: Iterable[Match], without: Iterable[User]) -> None:
        super().__init__(name="crowd", daemon=True)
        self.stats = Stats()
        away = {user.pk for user in without}
        seats = [seat for match in matches for seat in match.seats.select_related("match", "user")]
        self.players = [
            Player(site.url, seat.match.public_id, _cookie(sure(seat.user)), self.stats, delay=0.08)
            for seat in seats
            if seat.user_id not in away
        ]
        self.start()

    def run(self) -> None:
        asyncio.run(self._play())

    async def _play(self) -> None:
        async with asyncio.timeout(SECONDS_FOR_A_MATCH):
            await asyncio.gather(*(player.play() for player in self.players))

    def played(self) -> None:
        """Wait until every match of theirs is over; nothing may have gone wrong."""
        self.join(SECONDS_FOR_A_MATCH)
        assert dict(self.stats.errors) == {}
        assert self.stats.finished == len(self.players)


def _cookie(user: User) -> str:
    cookie = session_cookie(user)
    return f"{cookie['name']}={cookie['value']}"
