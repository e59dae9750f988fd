"""Fixtures for one person in Firefox and in WebKit.

Errors in a page fail the test. A screenshot of the test's last page is saved in
var/screenshots/engines/ if the test has failed, or if LASTCARD_SHOTS=1.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from selenium.webdriver import Remote

from games.process.asgi import App
from tests.conftest import HAS_FAILED
from tests.engines.firefox import Firefox
from tests.engines.listening import ErrorListener
from tests.engines.person import Person
from tests.engines.webkit import Display, WebKit
from tests.live import LiveSite

PHONE = (360, 740)
SCREENSHOT_FOLDER = Path(settings.BASE_DIR) / "var" / "screenshots" / "engines"


@contextlib.contextmanager
def open_firefox() -> Iterator[Remote]:
    with Firefox() as browser:
        yield browser.window(*PHONE)


@contextlib.contextmanager
def open_webkit() -> Iterator[Remote]:
    with Display(*PHONE) as display, WebKit(display) as driver:
        yield driver.window()


ENGINES = [
    pytest.param(open_firefox, id="firefox", marks=pytest.mark.firefox),
    pytest.param(open_webkit, id="webkit", marks=pytest.mark.webkit),
]


@pytest.fixture(params=ENGINES, scope="module")
def window(request: pytest.FixtureRequest) -> Iterator[Remote]:
    """Provide an engine's only window, which all tests of a module use."""
    with request.param() as driver:
        yield driver
        driver.quit()


@pytest.fixture
def page_errors() -> list[str]:
    """Provide the list of errors that pages have reported."""
    return []


@pytest.fixture
def wrap_site(page_errors: list[str]) -> Callable[[App], App]:
    return lambda site: ErrorListener(site, page_errors)


@pytest.fixture
def person(
    window: Remote, live_site: LiveSite, page_errors: list[str], request: pytest.FixtureRequest
) -> Iterator[Person]:
    """Provide a person without an account, with a phone-sized window."""
    visitor = Person(window, live_site)
    yield visitor
    if os.environ.get("LASTCARD_SHOTS") or request.node.stash.get(HAS_FAILED, False):
        visitor.save_screenshot(SCREENSHOT_FOLDER / f"{request.node.name}.png")
    window.get("about:blank")
    assert page_errors == []
