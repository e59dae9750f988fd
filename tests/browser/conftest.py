"""Fixtures for tests in Chromium.

A test fails if a page logs an error or violates the site's CSP. Screenshots of a failed test's
pages are saved in var/screenshots/failed/.

`page = open_page(user=None, size=PHONE, path="/")` opens a window, each like a separate device. It
requests reduced motion, because drawing then takes a quarter of the time, except in tests marked
`motion`. `open_page.expect("pattern")` allows an error that the test provokes. `shot(page, "name")`
saves var/screenshots/name-360.png if LASTCARD_SHOTS=1.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, Protocol

import pytest
from django.conf import settings
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

from tests import services
from tests.conftest import HAS_FAILED
from tests.live import LiveSite, make_session_cookie
from tournament.models import User

PHONE: ViewportSize = {"width": 360, "height": 740}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PATIENCE = 60_000  # milliseconds; long, because the machine may be busy
SCREENSHOT_FOLDER = Path(settings.BASE_DIR) / "var" / "screenshots"
# Marks the two questions that tables ask on each new device as answered.
DISMISS_QUESTIONS = """try {
  const kept = JSON.parse(localStorage.getItem('lastcard-table') ?? '{}');
  localStorage.setItem('lastcard-table', JSON.stringify({asked: true, offered: true, ...kept}));
} catch { /* a page without a store */ }"""
BROWSER_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser_environment() -> dict[str, str | float | bool] | None:
    """Provide the browser's environment variables, or None to use those of this process."""
    return None


@pytest.fixture(scope="module")
def chromium(
    browser_environment: dict[str, str | float | bool] | None,
) -> Iterator[Browser]:
    """Provide one browser for all tests of a module.

    Playwright runs an event loop in this thread, so Django has to be told to allow queries. Other
    modules could not run asyncio tests during that loop, so the browser is closed after each
    module.
    """
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=services.find_chromium(),
            headless=True,
            args=BROWSER_ARGUMENTS,
            env=browser_environment,
        )
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


def sign_in(context: BrowserContext, user: User, site: LiveSite) -> None:
    """Sign `user` in to every window of this browser context."""
    cookie = make_session_cookie(user)
    context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": site.url}])


class Windows:
    """Windows that behave like separate devices, and the errors that their pages log."""

    def __init__(self, browser: Browser, site: LiveSite, *, motion: bool) -> None:
        self.browser, self.site = browser, site
        self.motion: Literal["no-preference", "reduce"] = "no-preference" if motion else "reduce"
        self.contexts: list[BrowserContext] = []
        self.errors: list[str] = []
        self.expected: list[str] = []

    def __call__(
        self,
        user: User | None = None,
        size: ViewportSize = PHONE,
        path: str = "/",
        ask: bool = False,
        **options: Any,
    ) -> Page:
        """Open a page at `path`, signed in as `user` if given.

        Without `ask`, the questions that tables ask on a new device count as answered. `options`
        are passed to Playwright's browser context.
        """
        usual: dict[str, Any] = {"base_url": self.site.url, "reduced_motion": self.motion}
        context = self.browser.new_context(viewport=size, **usual | options)
        context.set_default_timeout(PATIENCE)
        if not ask:
            context.add_init_script(DISMISS_QUESTIONS)
        self.contexts.append(context)
        if user is not None:
            sign_in(context, user, self.site)
        page = context.new_page()
        page.on("console", self._record_console_error)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(path)
        return page

    def _record_console_error(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"{message.text} [{message.location['url']}]")

    def save_screenshots(self, name: str) -> None:
        """Save a screenshot of every page, to help explain a failure."""
        for number, context in enumerate(self.contexts):
            for page in context.pages:
                page.screenshot(
                    path=SCREENSHOT_FOLDER / "failed" / f"{name}-{number}.png", full_page=True
                )

    def expect(self, pattern: str) -> None:
        """Allow console errors that match `pattern`, because the test provokes them."""
        self.expected.append(pattern)

    def close(self) -> list[str]:
        """Close every window and return the unexpected errors."""
        for context in self.contexts:
            context.close()
        return [
            text for text in self.errors if not any(re.search(each, text) for each in self.expected)
        ]


@pytest.fixture
def open_page(
    chromium: Browser, live_site: LiveSite, request: pytest.FixtureRequest
) -> Iterator[Windows]:
    motion = request.node.get_closest_marker("motion") is not None
    windows = Windows(chromium, live_site, motion=motion)
    yield windows
    if request.node.stash.get(HAS_FAILED, False):
        windows.save_screenshots(request.node.name)
    assert windows.close() == []


class TakeScreenshot(Protocol):
    def __call__(self, page: Page, name: str, full_page: bool = True) -> Path: ...


@pytest.fixture
def shot() -> TakeScreenshot:
    """Provide a function that saves a screenshot as var/screenshots/<name>-<width>.png.

    It does so only with LASTCARD_SHOTS=1, because the tests do not use the files.
    """

    def take(page: Page, name: str, full_page: bool = True) -> Path:
        width = page.viewport_size["width"] if page.viewport_size else 0
        path = SCREENSHOT_FOLDER / f"{name}-{width}.png"
        if os.environ.get("LASTCARD_SHOTS"):
            page.screenshot(path=path, full_page=full_page)
        return path

    return take
