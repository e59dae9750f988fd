"""F27: a player's device whose clock is wrong or changes during play."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser import conftest as browser
from tests.browser.conftest import Windows
from tests.browser.tables import deal, open_seat
from tests.games.helpers import list_log

pytestmark = pytest.mark.browser

# Fixtures of the browser tests.
chromium, open_page = browser.chromium, browser.open_page


@pytest.mark.parametrize("hours", [-24, -1, 1, 24])
def test_device_with_a_wrong_clock_counts_the_same_seconds(open_page: Windows, hours: int) -> None:
    match = deal(["R7 G4 B2", "Y1 G1 B1"], turn_seconds=60)
    page = open_seat(open_page, match)
    line = page.locator(".me .seat-line")
    expect(line).to_have_text(re.compile(r"^[56]\d s left$"))
    page.clock.set_system_time(datetime.now(UTC) + timedelta(hours=hours))
    # The countdown continues in the open page and in a page loaded after the change.
    expect(line).not_to_have_text(line.inner_text())
    expect(line).to_have_text(re.compile(r"^[456]\d s left$"), timeout=1)
    page.reload()
    expect(line).to_have_text(re.compile(r"^[456]\d s left$"))
    page.get_by_role("button", name="Red 7,").click()
    expect(page.locator("#table")).not_to_have_attribute("data-my-turn", "")
    assert list_log(match) == [(0, {"play": "R7"}, "")]
