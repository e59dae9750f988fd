"""Pictures of one whole match per rule set, to be looked at: python docs/match_pictures.py FOLDER

A real site in this process, and one Chromium window in a seat. The first hand is stacked, so that
each special moment happens; then everybody plays on until the match is over. `--only KEY` takes
one match. Every match gets contact sheets as well: FOLDER/KEY-1.png and so on.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

import django  # noqa: E402

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from playwright.sync_api import (  # noqa: E402
    Browser,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from games import services, store  # noqa: E402
from games.models import Match  # noqa: E402
from games.play.answers import UndecidedError  # noqa: E402
from games.rules.bots import bots  # noqa: E402
from games.seats import SeatNumber  # noqa: E402
from tests.browser.conftest import BROWSER_ARGUMENTS, DESKTOP, PHONE, sign_in  # noqa: E402
from tests.browser.tables import deal, stack_deck  # noqa: E402
from tests.conftest import get_real_storages  # noqa: E402
from tests.games.helpers import set_shuffled_deck  # noqa: E402
from tests.live import LiveSite, build_application  # noqa: E402
from tests.services import find_chromium  # noqa: E402
from tests.typed import sure  # noqa: E402

SIDEWAYS: ViewportSize = {"width": 740, "height": 360}
LANDED = 1100  # ms until cards have landed and words are gone
NAMES = [
    "Asha Raghunathan", "Ben", "Chitralekha Venkataraman", "Dev", "Esha Mukherjee", "Farid",
    "Gita", "Harikrishnan", "Ira", "Jai",
]  # fmt: skip


@dataclass
class Story:
    """A match: cards by seat, then steps. A step is (seat, action, picture's name or "").

    Without an action everybody draws until it is that seat's turn."""

    ruleset: str
    size: ViewportSize
    held: list[str]
    top: str
    draw: str = ""
    steps: list[tuple[int, dict[str, Any], str]] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    scheme: Literal["dark", "light"] = "dark"
    hands: int = 2


STORIES = {
    "ocho": Story(
        "ocho", PHONE,
        ["R+2 SH XR R7 W DR G4 BB", "G+2 W+4 Y1 B1 G6 R9 Y4 Y6", "SH W+4 B3 B4 G1 R2 Y2 R3",
         "Y+2 G2 G3 Y9 B5 B6 R4 R6", "YS B2 B9 R0 GR BS Y7 Y0"],
        top="R5", draw="Y3 G5 B7 R1 G7 Y5",
        steps=[
            (0, {"play": "R+2"}, "draw-two"), (1, {"play": "G+2"}, "stacked"),
            (2, {"play": "W+4", "color": "Y"}, "eight"), (3, {"play": "Y+2"}, "ten"),
            (4, {"draw": True}, "paid"), (0, {"play": "XR", "color": "G"}, "x-ray"),
            (1, {"play": "G6"}, ""), (2, {"play": "G1"}, ""), (3, {"play": "G2"}, ""),
            (4, {"play": "GR"}, "direction"), (1, {}, ""),
            (1, {"play": "W+4", "color": "B"}, "owed"), (0, {"play": "SH", "color": "R"}, "shield"),
            (1, {"draw": True}, "shield-paid"), (0, {}, ""), (0, {"play": "DR"}, "dead-red"),
            (0, {}, ""),
        ],
    ),
    "uno-500": Story(
        "uno-500", DESKTOP,
        ["W R7 GR Y4 B2 BS R9", "W+4 R1 Y1 B1 R6 G9 Y6", "R2 R3 B3 B4 G1 Y2 Y3",
         "RS G2 G3 Y9 B5 B6 R4"],
        top="R5", options={"partners": True},
        steps=[
            (0, {"play": "R7"}, "first-card"), (1, {"play": "W+4", "color": "B"}, "bluff"),
            (2, {"challenge": True}, "challenged"), (2, {"play": "B3"}, ""),
            (3, {"play": "B5"}, "own-turn"), (0, {"play": "W", "color": "Y"}, "wild"),
        ],
    ),
    "ocho-cards": Story(
        "ocho-cards", PHONE,
        ["8S JH 2S 4C JK 9D KD", "2H 3D 5D 7H 9C QS 5C"],
        top="9S", draw="3C 4D 6H 10S",
        steps=[
            (0, {"play": "2S"}, "two"), (1, {"play": "2H"}, "stacked-two"),
            (0, {"draw": True}, "paid"), (1, {"play": "7H"}, ""),
            (0, {"play": "JH", "color": "S"}, "face"), (1, {"play": "QS", "color": "D"}, ""),
            (0, {"play": "9D"}, ""), (1, {"play": "9C"}, ""),
            (0, {"play": "4C"}, ""),  (1, {"play": "5C"}, ""),
        ],
        scheme="light",
    ),
    "crazy-eights": Story(
        "crazy-eights", PHONE,
        ["8S JH 2S 4C 9D", "2H 3D KS 7H 9C", "5S QH 6C AD AS"],
        top="9S", draw="3C 4D 6H 10S",
        steps=[
            (0, {"play": "2S"}, "plain-two"), (1, {"play": "KS"}, ""), (2, {"play": "AS"}, ""),
            (0, {"play": "8S", "color": "H"}, "eight"), (1, {"play": "2H"}, ""),
        ],
    ),
    "uno-400": Story(
        "uno-400", PHONE,
        ["R7 W B2", "R1 Y1 B1", "R2 R3 B3", "W+4 G2 G3", "RS G4 B4", "BR G6 Y6", "R6 G7 G1",
         "R8 Y8 Y9", "R9 G9 Y3", "RR Y4 G8"],
        top="R5", options={"stacking": "any-draw", "uno_penalty": 4},
        steps=[
            (0, {"play": "R7"}, "ten"), (1, {"play": "R1"}, ""), (2, {"play": "R2"}, "two-left"),
            (3, {"play": "W+4", "color": "B"}, "w4"), (4, {"draw": True}, ""),
            (5, {"play": "BR"}, "turn"), (4, {"play": "B4"}, ""), (2, {}, ""),
            (2, {"play": "B3"}, "forgot"), (9, {"catch": 2}, "caught"),
        ],
    ),
    "uno-assignment": Story(
        "uno-assignment", DESKTOP,
        ["R7 W+4 B2 G5", "R1 Y1 B1 R8", "R2 R3 B3 G0", "GS G2 G3 G7", "RS G4 B4 G9"],
        top="R5", scheme="light",
        steps=[
            (0, {"play": "R7"}, ""), (1, {"play": "R1"}, ""), (2, {"play": "R2"}, ""),
            (3, {"draw": True}, ""),
        ],
    ),
}  # fmt: skip


class Camera:
    """A folder of numbered pictures."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.taken: list[Path] = []
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("*.png"):
            old.unlink()

    def take(self, page: Page, name: str, wait: int = LANDED, *, full: bool = False) -> None:
        page.wait_for_timeout(wait)
        path = self.folder / f"{len(self.taken):02}-{name}.png"
        page.screenshot(path=path, full_page=full)
        self.taken.append(path)


class Table:
    """A match being played: seat 0 through its window, the others through the services."""

    def __init__(self, story: Story, browser: Browser, site: LiveSite, camera: Camera) -> None:
        self.story, self.camera, self.rng = story, camera, Random(7)
        self.match = begun(story)
        user = sure(self.match.seats.get(number=0).user)
        context = browser.new_context(
            viewport=story.size, base_url=site.url, color_scheme=story.scheme
        )
        sign_in(context, user, site)
        self.page = context.new_page()
        self.page.goto(self.match.get_absolute_url())
        expect(self.page.locator("#table[data-live]")).to_be_attached()

    def act(self, seat: int, action: Mapping[str, object]) -> None:
        version = self.snapshot().version
        name = f"{seat}-{version}"
        try:
            services.act(self.match.pk, SeatNumber(seat), action, version=version, client_id=name)
        except UndecidedError:  # a catch is decided when a slower call could have come
            self.page.wait_for_timeout(1000)
            services.act(self.match.pk, SeatNumber(seat), action, version=version, client_id=name)

    def draw_until(self, seat: int) -> None:
        while (turn := self.turn()) != seat:
            view = self.position().view(turn)
            self.act(turn, {"draw": True} if view["may"]["draw"] else {"pass": True})

    def position(self) -> Any:
        position = self.snapshot().position
        assert position is not None
        return position

    def turn(self) -> int:
        turn = self.position().turn
        assert turn is not None
        return int(turn)

    def snapshot(self) -> store.Snapshot:
        self.match.refresh_from_db()
        return store.current(self.match.pk, self.match.version)

    def play_on(self, hook: Any) -> None:
        """Everybody plays until the hand is over; `hook(turn)` before each action."""
        while self.step(hook):
            pass

    def step(self, hook: Any) -> bool:
        snapshot = self.snapshot()
        position, hand = snapshot.position, snapshot.hand
        if snapshot.match.phase != Match.Phase.PLAYING or position is None or hand is None:
            return False
        for player in range(len(hand.players)):
            word = bots.choose_call_or_catch(
                position.view(player), snapshot.rules, "plain", self.rng
            )
            if word and player:
                self.act(hand.players[player], word.to_json())
                return True
        turn = position.turn
        assert turn is not None
        hook(hand.players[turn])
        view = position.view(turn)
        self.act(
            hand.players[turn],
            bots.choose_action(view, snapshot.rules, "plain", self.rng).to_json(),
        )
        return True


def begun(story: Story) -> Match:
    match = deal(
        story.held, top=story.top, draw=story.draw, ruleset=story.ruleset, start=False,
        options=story.options, hand_limit=story.hands, between_seconds=3000, turn_seconds=40,
        bots=range(1, len(story.held)), bot_seconds=3000,
    )  # fmt: skip
    for seat in match.seats.all():
        seat.name = NAMES[seat.number]
        seat.save()
    hand = match.hands.get()
    size = max(len(text.split()) for text in story.held)
    set_shuffled_deck(hand, stack_deck(hand, size, story.held, story.top, story.draw))
    return services.start_match(match)


def tell(table: Table) -> None:
    """Play the stacked beginning of the first hand and photograph its steps."""
    page, take = table.page, table.camera.take
    take(page, "deal", 250)
    take(page, "own-turn")
    ask(table)
    for seat, action, name in table.story.steps:
        if action:
            table.act(seat, action)
        else:
            table.draw_until(seat)
        if name:
            take(page, f"{name}-moving", 160)
            take(page, f"{name}-word", 350)
            take(page, name)


def ask(table: Table) -> None:
    """Photograph the dialogs and hints that taps open without playing anything."""
    page, take = table.page, table.camera.take
    if page.locator('.slot[data-playable] .card-button[aria-label^="Wild"]').count():
        page.locator('.card-button[aria-label^="Wild"]').first.click()
        take(page, "picker", 300)
        page.keyboard.press("Escape")
    unplayable = page.locator(".slot:not([data-playable]) .card-button")
    if unplayable.count():
        unplayable.first.click()
        take(page, "why", 300)
    page.get_by_role("button", name="Menu").click()
    take(page, "menu", 300)
    page.get_by_role("button", name="Close").click()
    if page.locator("#log-button").is_visible():
        page.locator("#log-button").click()
        take(page, "log", 300)
        page.locator("#log-button").click()


def looking(table: Table) -> Any:
    """Pictures of own turns that show something new."""
    seen: set[str] = set()

    def hook(turn: int) -> None:
        if turn:
            return
        snapshot = table.snapshot()
        assert snapshot.position is not None
        view = snapshot.position.view(0)
        signs = {
            "uno-choice": any(action.get("uno") for action in view["actions"]),
            "penalty": view["penalty"] is not None,
            "challenge": view["may"]["challenge"],
            "catch": bool(view["may"]["catch"]),
            "drawn": view["drawn"] is not None,
            "many": len(view["cards"]) >= 12,
            "none-fits": not view["playable"],
        }
        for name, shown in signs.items():
            if shown and name not in seen:
                seen.add(name)
                table.camera.take(table.page, name)

    return hook


def other_ways(table: Table) -> None:
    """Photograph the same moment with the screen turned, in text mode and offline."""
    page, take = table.page, table.camera.take
    size = table.story.size
    page.set_viewport_size(SIDEWAYS if size == PHONE else {"width": 820, "height": 1180})
    take(page, "turned")
    page.set_viewport_size(size)
    page.evaluate("location.hash = ''")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("checkbox", name="Text mode").check()  # which closes the menu
    take(page, "text-mode", 400)
    page.get_by_role("button", name="Show the cards").click()
    page.context.set_offline(True)
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    take(page, "offline", 600)
    page.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    expect(page.locator("#table[data-live]")).to_be_attached()


def ends(table: Table) -> None:
    page, take = table.page, table.camera.take
    hook = looking(table)
    for number in range(table.story.hands):
        table.play_on(hook)
        expect(page.locator(".sheet")).to_be_visible()
        last = number == table.story.hands - 1
        take(page, "match-over-cheer" if last else "going-out", 500)
        take(page, "match-over" if last else "score-sheet")
        if not last:
            deal_next(table)
            take(page, "next-hand", 500)
    page.goto(f"{table.match.get_absolute_url()}result/")
    take(page, "result", 300, full=True)
    page.goto(f"{table.match.get_absolute_url()}hands/1/?step=6&could=1")
    take(page, "replay", 300)
    take(page, "replay-whole", 0, full=True)


def deal_next(table: Table) -> None:
    from django.utils import timezone

    Match.objects.filter(pk=table.match.pk).update(due=timezone.now())
    store.forget(table.match.pk)
    expect(table.page.locator(".sheet")).to_be_hidden()


def contact_sheets(browser: Browser, camera: Camera, size: ViewportSize, to: Path) -> None:
    """Save contact sheets that show the pictures side by side with their names.

    The files are named after `to`, with a number: KEY-1.png and so on.
    """
    across, scale = (4, 1.0) if size["width"] < 800 else (2, 0.6)
    rows = 1 if across == 4 else 2
    page = browser.new_page(viewport={"width": 1500, "height": 800})
    group = across * rows
    for number in range(0, len(camera.taken), group):
        figures = "".join(
            f"<figure><img src='file://{path}' width={size['width'] * scale}>"
            f"<figcaption>{path.stem}</figcaption></figure>"
            for path in camera.taken[number : number + group]
        )
        html = (
            "<style>body{margin:0;background:#888;display:flex;flex-wrap:wrap;gap:4px;width:1540px}"
            "figure{margin:0}figcaption{font:12px sans-serif}</style>" + figures
        )
        sheet = to.with_name(f"{to.name}-{number // group + 1}")
        sheet.with_suffix(".html").write_text(html)
        page.goto(f"file://{sheet.with_suffix('.html')}")
        page.screenshot(path=sheet.with_suffix(".png"), full_page=True)
        sheet.with_suffix(".html").unlink()
    page.close()


def picture(story: str, browser: Browser, site: LiveSite, folder: Path) -> None:
    camera = Camera(folder / story)
    table = Table(STORIES[story], browser, site, camera)
    tell(table)
    other_ways(table)
    ends(table)
    table.page.context.close()
    contact_sheets(browser, camera, STORIES[story].size, folder / story)


@contextmanager
def browsing() -> Iterator[tuple[Browser, LiveSite]]:
    """Provide a browser and a real site that runs in this process."""
    settings.STORAGES, settings.STATIC_ROOT = get_real_storages(), settings.VAR_DIR / "collected"
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    site = LiveSite(build_application())
    site.start()
    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=BROWSER_ARGUMENTS
        )
        try:
            yield browser, site
        finally:
            site.stop()
        browser.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=STORIES, action="append")
    arguments = parser.parse_args()
    with browsing() as (browser, site):
        for story in arguments.only or STORIES:
            picture(story, browser, site, arguments.folder.resolve())


if __name__ == "__main__":
    main()
