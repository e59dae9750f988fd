"""The pictures of README and runbook, taken from a running demo: make screenshots

Starts a demo of its own in a scratch folder, looks at it in Chromium, writes docs/img/*.
"""

import json
import os
import subprocess
import sys
import tempfile
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.services import accepts_connections, find_chromium, find_free_port, wait_for  # noqa: E402

IMAGES = ROOT / "docs" / "img"
PHONE: ViewportSize = {"width": 360, "height": 740}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
WIDE: ViewportSize = {"width": 1280, "height": 440}
SMALL: ViewportSize = {"width": 960, "height": 600}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

TO_WEBP = """async (address) => {
  const picture = await createImageBitmap(await (await fetch(address)).blob());
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: picture.width, height: picture.height });
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return canvas.toDataURL("image/webp", 0.85);
}"""


@contextmanager
def running_demo() -> Iterator[tuple[str, dict[str, str]]]:
    """Address of a fresh demo, and its passwords by address."""
    with tempfile.TemporaryDirectory(prefix="lastcard-shots-") as var:
        environment = {**os.environ, "LASTCARD_VAR": var}
        manage = [sys.executable, str(ROOT / "manage.py")]
        for command in (["migrate", "--verbosity", "0"], ["collectstatic", "--verbosity", "0"]):
            subprocess.run([*manage, *command, "--noinput"], env=environment, check=True)
        port = find_free_port()
        demo = [*manage, "demo", "--serve", "--port", str(port)]
        process = subprocess.Popen(demo, env=environment, stdout=subprocess.DEVNULL)
        try:
            wait_for(lambda: accepts_connections(("127.0.0.1", port)), "the demo", seconds=300)
            logins = json.loads((Path(var) / "demo-logins.json").read_text())
            yield f"http://127.0.0.1:{port}", logins
        finally:
            process.terminate()
            process.wait(timeout=20)


class Photographer:
    def __init__(self, browser: Browser, url: str, logins: dict[str, str]) -> None:
        self.browser, self.url, self.logins = browser, url, logins

    def window(self, size: ViewportSize, address: str = "") -> Page:
        """Open a browser window, signed in as `address` if given."""
        context = self.browser.new_context(viewport=size, base_url=self.url)
        page = context.new_page()
        if address:
            page.goto("/accounts/login/")
            page.locator("[name=login]").fill(address)
            page.locator("[name=password]").fill(self.logins[address])
            page.locator("main form button.button").first.click()
            page.wait_for_url(lambda url: "login" not in url)
        return page

    def take(self, page: Page, name: str, path: str = "") -> None:
        if path:
            page.goto(path)
        page.wait_for_timeout(900)  # cards have landed
        (IMAGES / f"{name}.webp").write_bytes(self.compress(page.screenshot()))

    def compress(self, picture: bytes) -> bytes:
        """Return a PNG as WebP, which the browser makes: a table is a tenth of its size."""
        with self.browser.new_page() as blank:
            address = f"data:image/png;base64,{b64encode(picture).decode()}"
            found: str = blank.evaluate(TO_WEBP, address)
        return b64decode(found.partition(",")[2])

    def leaf(self, page: Page, name: str) -> None:
        """Save a small picture of the page for the runbook."""
        page.screenshot(path=IMAGES / f"{name}.jpg", type="jpeg", quality=70)

    def table(self, page: Page, name: str) -> None:
        """Photograph the student's own table on the student's turn."""
        page.goto("/e/ocho-open/my-table/")
        page.get_by_role("link", name="Go to my table").click()
        expect(page.locator("#table[data-my-turn]")).to_be_attached(timeout=90_000)
        self.take(page, name)


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with running_demo() as (url, logins), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=ARGUMENTS)
        organizer, student = logins
        camera = Photographer(browser, url, logins)
        camera.take(camera.window(PHONE), "leaderboard-phone", "/e/ocho-open/leaderboard/")
        # One browser: the deal does not know another one, and warns of it.
        seat = camera.window(PHONE, student)
        camera.table(seat, "table-phone")
        seat.set_viewport_size(DESKTOP)
        camera.table(seat, "table")
        desk = camera.window(DESKTOP, organizer)
        opens_desk(desk)
        camera.take(desk, "desk")
        opens(desk, "On the day", "Control room")
        desk.set_viewport_size(WIDE)
        camera.take(desk, "control-room")
        illustrate(camera, camera.window(SMALL, organizer))
        browser.close()


def opens_desk(page: Page) -> None:
    page.goto("/admin/tournament/event/")
    page.get_by_role("link", name="Ocho Open").click()
    page.locator(".desk-menu").get_by_role("link", name="Desk", exact=True).click()


def opens(page: Page, part: str, entry: str) -> None:
    """Open a page from the menu of the desk.

    `part` is the section of the menu and `entry` is the link in it.
    """
    page.locator(".desk-menu summary", has_text=part).click()
    page.locator(".desk-menu").get_by_role("link", name=entry).click()


def illustrate(camera: Photographer, page: Page) -> None:
    """Take the runbook's pictures: check-in, a ruling's consequences, the advancing players."""
    opens_desk(page)
    opens(page, "After", "Who advances")
    page.locator("#id_qualify_rule").select_option("number")
    page.locator("#id_qualify_value").fill("8")
    page.get_by_role("button", name="Show who would advance").click()
    camera.leaf(page, "qualify")
    opens(page, "On the day", "Control room")
    page.locator("table.room tbody th a").first.click()
    page.get_by_role("link", name="Caution, substitution, forfeit …").first.click()
    page.get_by_label("Seat a substitute").check()
    page.locator("select[name=substitute]").select_option(index=1)
    page.get_by_label("Reason (the player will read it)").fill("Has an exam.")
    page.get_by_role("button", name="Show the consequences").click()
    camera.leaf(page, "ruling")
    opens(page, "On the day", "Check-in")
    page.get_by_label("players check in before").check()
    page.get_by_role("button", name="Save", exact=True).click()
    camera.leaf(page, "check-in")


if __name__ == "__main__":
    main()
