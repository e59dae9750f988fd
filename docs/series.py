"""Pictures for docs/README.md, with the light and dark scheme side by side.

python docs/series.py

A real site runs in this process. Services take its events to a state that is worth showing.
"""

import io
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

sys.path.insert(0, str(Path(__file__).resolve().parent))

import match_pictures as matches  # it sets Django up
from PIL import Image
from playwright.sync_api import (
    Browser,
    Page,
    ViewportSize,
    expect,
)

from tests.browser.conftest import DESKTOP, PHONE
from tests.live import LiveSite
from tests.tournament.helpers import make_organized_event, make_second_stage, start_drafted_round
from tests.tournament.staging import first_table, match_of, play, running_round
from tournament.advancing.services import draw_bracket
from tournament.models import Event

FOLDER = matches.ROOT / "docs" / "img" / "series"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PAPER: ViewportSize = {"width": 794, "height": 1123}  # A4 at 96 dots an inch
ACROSS: ViewportSize = {"width": 1123, "height": 794}
GAP, QUALITY = 8, 62


class Series:
    """Takes each picture once in each scheme."""

    def __init__(self, browser: Browser, site: LiveSite) -> None:
        self.browser, self.site = browser, site
        self.halves: dict[str, list[Image.Image]] = {}

    @contextmanager
    def window(self, size: ViewportSize, scheme: Literal["light", "dark"]) -> Iterator[Page]:
        context = self.browser.new_context(
            viewport=size, base_url=self.site.url, color_scheme=scheme
        )
        yield context.new_page()
        context.close()

    def take(self, page: Page, name: str, wait: int = matches.LANDED) -> None:
        page.wait_for_timeout(wait)
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        self.halves.setdefault(name, []).append(picture)

    def page(self, name: str, path: str, size: ViewportSize = PHONE) -> None:
        for scheme in SCHEMES:
            with self.window(size, scheme) as page:
                page.goto(path)
                self.take(page, name)

    def paper(self, name: str, path: str, size: ViewportSize = PAPER) -> None:
        with self.window(size, "light") as page:
            page.goto(path)
            page.emulate_media(media="print")
            self.take(page, name)

    def save(self) -> None:
        FOLDER.mkdir(parents=True, exist_ok=True)
        for name, halves in self.halves.items():
            side_by_side(halves).save(FOLDER / f"{name}.webp", quality=QUALITY, method=6)


def side_by_side(halves: list[Image.Image]) -> Image.Image:
    """Join pictures side by side into one image.

    Phone screens keep their size, wider ones are reduced to half.
    """
    small = [each.reduce(2) if each.width > PHONE["width"] else each for each in halves]
    width = sum(each.width for each in small) + GAP * (len(small) - 1)
    whole = Image.new("RGB", (width, small[0].height), "#888")
    for number, each in enumerate(small):
        whole.paste(each, (number * (each.width + GAP), 0))
    return whole


def tables(series: Series, scratch: Path) -> None:
    """Photograph a seat of each rule set.

    The first rule set also gets a moment of play and, in both schemes, the score sheet.
    """
    for key, told in matches.STORIES.items():
        for scheme in SCHEMES if key == "ocho" else SCHEMES[-1:]:
            story = replace(told, size=PHONE, scheme=scheme)
            camera = matches.Camera(scratch / key)
            table = matches.Table(story, series.browser, series.site, camera)
            if scheme == "dark":  # the felt is the same in both
                series.take(table.page, key)
            if key == "ocho":
                moments(series, table)
            table.page.context.close()


def moments(series: Series, table: matches.Table) -> None:
    for seat, action, _name in table.story.steps[:3]:
        table.act(seat, action)
    if table.story.scheme == "dark":
        series.take(table.page, "moment", 450)
    table.play_on(lambda turn: None)
    expect(table.page.locator(".sheet")).to_be_visible()
    series.take(table.page, "score-sheet", 5000)  # all have played at once: words still fly


def site_pages(series: Series) -> None:
    # Out of reach, so that the second table is still in play.
    target = {"target": 2000}
    played = running_round(8, title="Chem Fest", slug="chem-fest", hand_limit=4, options=target)
    first, second = played.tables.order_by("number")
    play(first)
    play(second, hands=2)
    series.page("leaderboard", "/e/chem-fest/leaderboard/")
    series.page("player", "/e/chem-fest/players/1/")
    series.page("viewer", match_of(second).get_absolute_url())
    series.page("replay", f"{match_of(first).get_absolute_url()}hands/1/?step=6")


def bracket_pages(series: Series) -> None:
    event, organizer = make_organized_event(32, title="Chem Open", slug="chem-open")
    start_drafted_round(draw_bracket(make_second_stage(event, organizer, 32), organizer), organizer)
    series.page("bracket", "/e/chem-open/bracket/", DESKTOP)
    series.paper("print-bracket", "/e/chem-open/bracket/", ACROSS)
    series.paper("print-standings", "/e/chem-open/leaderboard/")


def closing_page(series: Series) -> None:
    played = running_round(4, title="Cards at noon", slug="noon", hand_limit=5)
    play(first_table(played))
    Event.objects.filter(slug="noon").update(state=Event.State.FINISHED)
    series.page("closing", "/e/noon/podium/")


def main() -> None:
    with matches.browsing() as (browser, site), tempfile.TemporaryDirectory() as scratch:
        series = Series(browser, site)
        tables(series, Path(scratch))
        site_pages(series)
        bracket_pages(series)
        closing_page(series)
        series.save()


if __name__ == "__main__":
    main()
