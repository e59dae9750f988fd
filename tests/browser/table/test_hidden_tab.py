"""Browser tests of a hidden tab, whose player stays present and is notified."""

import json
import time
from collections.abc import Iterator
from functools import partial

import pytest

from games.models import Match
from tests.browser.conftest import DISMISS_QUESTIONS
from tests.browser.real_tabs import THROTTLING_OPTION, RealChromium, RealTab
from tests.browser.tables import act_for_seat, deal
from tests.live import LiveSite
from tests.services import wait_for
from tests.typed import sure

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
]

HANDS = ["R7 G4 B5", "R1 G1 B1"]
IS_LIVE = "document.querySelector('#table[data-live]') !== null"
# The page sets the badge after it has shown a notification. If the test lists notifications
# earlier, Chromium drops those that are not on the screen yet.
RECORD_BADGE = "navigator.setAppBadge = async (count) => { globalThis.badge = count; };"
# Counts how often a timer of one second runs.
COUNT_TICKS = "globalThis.ticks = 0; setInterval(() => { globalThis.ticks += 1; }, 1000);"


@pytest.fixture
def real_chromium() -> Iterator[RealChromium]:
    with RealChromium() as browser:
        yield browser


@pytest.fixture
def throttled_chromium() -> Iterator[RealChromium]:
    with RealChromium(THROTTLING_OPTION) as browser:
        yield browser


def open_table(
    browser: RealChromium, site: LiveSite, match: Match, before: str = DISMISS_QUESTIONS
) -> RealTab:
    browser.sign_in(sure(match.seats.get(number=0).user), site.url)
    tab = browser.open_tab(site.url + match.get_absolute_url(), before=before)
    tab.wait_for(IS_LIVE)
    return tab


def watch_seat(match: Match, seconds: float) -> set[tuple[bool, str]]:
    """Watch seat 0 for `seconds` seconds, and return its presences and controlling sockets."""
    seen = set()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        seat = match.seats.get(number=0)
        seen.add((bool(seat.here), seat.controller))
        time.sleep(0.25)
    return seen


def wait_until_throttled(tab: RealTab) -> None:
    """Wait until the browser slows the timers of the hidden tab, which may take long."""
    end = time.monotonic() + 180
    while True:
        before = tab.evaluate("ticks")
        time.sleep(6)
        if tab.evaluate("ticks") - before <= 2:
            return
        assert time.monotonic() < end, "Chromium does not slow the timers of a hidden tab"


@pytest.mark.parametrize("seconds", [40, pytest.param(600, marks=pytest.mark.nightly)])
def test_player_with_a_hidden_tab_stays_present_on_one_socket(
    throttled_chromium: RealChromium, live_site: LiveSite, seconds: int
) -> None:
    match = deal(HANDS, turn_seconds=3000)
    tab = open_table(throttled_chromium, live_site, match, DISMISS_QUESTIONS + COUNT_TICKS)
    controller = match.seats.get(number=0).controller
    throttled_chromium.open_tab(f"{live_site.url}/healthz")
    tab.wait_for("document.visibilityState === 'hidden'")
    wait_until_throttled(tab)
    before = tab.evaluate("ticks")
    assert watch_seat(match, seconds) == {(True, controller)}
    assert tab.evaluate("ticks") - before < seconds / 4
    tab.show()
    tab.wait_for(IS_LIVE)


def turn_on_alerts(browser: RealChromium, site: LiveSite, tab: RealTab) -> None:
    """Allow notifications, tap the bell, and wait for the service worker."""
    browser.call("Browser.grantPermissions", origin=site.url, permissions=["notifications"])
    tab.evaluate("document.querySelector('#bell').click()")
    tab.wait_for(
        "navigator.serviceWorker.getRegistrations().then((all) => all.some((one) => one.active))"
    )


def make_notification_check(titles: str) -> str:
    """Return a script that checks whether exactly the notifications with these titles are shown."""
    return f"""(async () => {{
      const registrations = await navigator.serviceWorker.getRegistrations();
      const each = await Promise.all(registrations.map((one) => one.getNotifications()));
      return each.flat().map(({{ title }}) => title).join() === '{titles}';
    }})()"""


def test_hidden_tab_shows_a_notification_for_the_first_turn(
    real_chromium: RealChromium, live_site: LiveSite
) -> None:
    match = deal(HANDS, turn_seconds=3000)
    tab = open_table(real_chromium, live_site, match, DISMISS_QUESTIONS + RECORD_BADGE)
    act_for_seat(match, 0, play="R7")
    tab.wait_for("!document.querySelector('.me[data-turn]')")
    turn_on_alerts(real_chromium, live_site, tab)
    real_chromium.open_tab(f"{live_site.url}/healthz")
    tab.wait_for("document.visibilityState === 'hidden'")
    act_for_seat(match, 1, play="R1")
    tab.wait_for("globalThis.badge === 1")
    tab.wait_for(make_notification_check("Your turn"))
    tab.show()
    tab.wait_for(make_notification_check(""))


def test_push_message_is_shown_only_while_the_table_is_closed(
    real_chromium: RealChromium, live_site: LiveSite
) -> None:
    match = deal(HANDS, turn_seconds=3000)
    tab = open_table(real_chromium, live_site, match)
    turn_on_alerts(real_chromium, live_site, tab)
    other = real_chromium.open_tab(f"{live_site.url}/healthz")
    other.call("ServiceWorker.enable")
    wait_for(lambda: bool(other.evaluate("1") and real_chromium.find_worker()), "the worker")

    def push(title: str) -> None:
        text = {"title": title, "body": "Spring Cup", "language": "en"}
        data = json.dumps(text | {"address": match.get_absolute_url()})
        how = {"origin": live_site.url, "registrationId": real_chromium.find_worker()}
        other.call("ServiceWorker.deliverPushMessage", **how, data=data)

    tab.show()
    tab.wait_for("document.visibilityState === 'visible'")
    push("Not to be shown")
    time.sleep(0.5)
    assert other.evaluate(make_notification_check(""))
    tab.close()

    # A closed page still counts as visible for a moment.
    def is_shown(title: str) -> bool:
        push(title)
        time.sleep(0.5)
        return bool(other.evaluate(make_notification_check(title)))

    for title in ("Your match has started", "Your turn"):
        wait_for(partial(is_shown, title), title)
    # Opening the table removes the notifications.
    back = real_chromium.open_tab(live_site.url + match.get_absolute_url())
    back.wait_for(make_notification_check(""))
