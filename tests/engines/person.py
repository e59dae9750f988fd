"""A person who uses a browser's only window."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
from selenium.webdriver import Remote
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

from tests.live import Site, make_session_cookie
from tournament.models import User

PATIENCE_SECONDS = 30  # long enough that tests do not fail on a busy machine
# Errors for an element that a moving page has just covered, hidden or replaced.
MOVED_ELEMENT_ERRORS = (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    NoSuchElementException,
    StaleElementReferenceException,
)
FIRST_MATCH_SCRIPT = """
const [selector, text] = arguments;
return [...document.querySelectorAll(selector)].find(
  (each) => each.checkVisibility() && each.innerText.includes(text)) ?? null;
"""


class Person:
    """A person who opens pages, reads, types and clicks in a browser's only window.

    Selectors are CSS selectors. Methods wait for elements that have not appeared yet.
    """

    def __init__(self, driver: Remote, site: Site) -> None:
        self.driver, self.site = driver, site
        self.driver.get(f"{site.url}/healthz")  # cookies can only be deleted on a page of the site
        self.driver.delete_all_cookies()

    def sign_in_as(self, user: User) -> None:
        """Sign in as `user` with a session cookie instead of a password."""
        self.driver.add_cookie({**make_session_cookie(user), "path": "/"})

    def open_page(self, path: str) -> None:
        self.driver.get(f"{self.site.url}{path}")

    def run(self, script: str, *arguments: Any) -> Any:
        """Run a script in the page and return its result."""
        return self.driver.execute_script(script, *arguments)

    def wait_until(
        self, condition: Callable[[], Any], problem: str, seconds: float = PATIENCE_SECONDS
    ) -> None:
        """Wait until `condition` returns a true value, by polling.

        After `seconds`, an error is raised with `problem` as its message.
        """
        wait = WebDriverWait(
            self.driver, seconds, poll_frequency=0.1, ignored_exceptions=MOVED_ELEMENT_ERRORS
        )
        wait.until(lambda _: condition(), f"{problem}, at {self.driver.current_url}")

    def wait_for_text(self, text: str, selector: str = "body") -> None:
        """Wait until an element contains this text."""
        self.wait_until(lambda: text in self._find(selector).text, f"{text!r} does not appear")

    def press(self, selector: str, text: str = "") -> None:
        """Wait for a visible element that matches the selector and the text, and click it."""
        self.wait_until(lambda: self.try_press(selector, text), f"no {selector} {text!r} to press")

    def try_press(self, selector: str, text: str = "") -> bool:
        """Click the first matching element without waiting, and return whether there was one."""
        found = self.run(FIRST_MATCH_SCRIPT, selector, text)
        if found:
            found.click()
        return bool(found)

    def fill_in(self, **fields: str) -> None:
        """Fill in form fields, given by their names."""
        for name, value in fields.items():
            field = self.find(f"[name={name}]")
            field.clear()
            field.send_keys(value)

    def save_screenshot(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.driver.get_screenshot_as_png())

    def find(self, selector: str) -> WebElement:
        """Wait for the first matching element and return it."""
        self.wait_until(lambda: self._find(selector), f"no {selector}")
        return self._find(selector)

    def _find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)
