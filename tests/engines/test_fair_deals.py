"""Tests of fair deals in Firefox and WebKit: keys, signatures and hostile servers."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from games import services
from games.models import Match
from games.process.asgi import App, Scope
from tests import services as programs
from tests.browser.conftest import BROWSER_ARGUMENTS
from tests.engines.conftest import open_firefox, open_webkit
from tests.engines.listening import ErrorListener
from tests.engines.person import Person
from tests.faults.hostile import (
    ACCOMPLICE,
    VICTIM,
    check_record,
    deal_with_accomplice,
    make_unstarted_match,
)
from tests.faults.test_f64_deals_of_other_hands import OTHER_HAND, change_shown_deals
from tests.faults.test_f64_denied_seats import DENIED_SEAT, HIDDEN_DEAL, DenyingServer
from tests.games.dealing import commit_to_share, open_share
from tests.live import LiveSite
from tests.rules.fair.test_edge_signatures import (
    is_valid_by_script,
    is_valid_in_records,
    is_valid_on_server,
)
from tests.rules.fair_edge_signatures import TEXT, list_cases
from tests.services import wait_for

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

ADDRESS = "/edges/"
PAGE = """<!doctype html><html><head></head><title>edges</title><script type="module">
import { isSigned } from "/static/js/fair/device.js";
const { text, cases } = %s;
const bytes = new TextEncoder().encode(text);
const found = await Promise.all(cases.map((each) => isSigned(each, bytes)));
const output = document.createElement("pre");
output.textContent = found.join(" ");
document.body.append(output);
</script><body>"""
LATE_MODULES_LOADED = """
  const names = performance.getEntriesByType("resource").map(({ name }) => name);
  const loaded = (part) => names.some((name) => name.includes(`/${part}.`));
  return ["asked", "proof", "tension"].every(loaded);"""
BOOLEANS = {"true": True, "false": False}


class EdgePage:
    """ASGI wrapper around the site that adds a page for checking edge-case signatures."""

    def __init__(self, site: App) -> None:
        self.site = site

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or scope["path"] != ADDRESS:
            await self.site(scope, receive, send)
            return
        result = {"text": TEXT.decode(), "cases": [case._asdict() for case in list_cases()]}
        body = (PAGE % json.dumps(result)).encode()
        kind = [(b"content-type", b"text/html; charset=utf-8")]
        await send({"type": "http.response.start", "status": 200, "headers": kind})
        await send({"type": "http.response.body", "body": body})


@pytest.fixture
def wrap_site(page_errors: list[str]) -> Callable[[App], App]:
    return lambda site: ErrorListener(EdgePage(site), page_errors)


def read_verdicts(person: Person) -> list[bool | None]:
    """Return for each edge case whether the browser accepts it, or None if it cannot decide."""
    person.open_page(ADDRESS)
    return [BOOLEANS.get(word) for word in person.find("pre").text.split(" ")]


def read_chromium_verdicts(site: LiveSite) -> list[bool | None]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=programs.find_chromium(), headless=True, args=BROWSER_ARGUMENTS
        )
        page = browser.new_page()
        page.goto(site.url + ADDRESS)
        text = page.locator("pre").inner_text()
        browser.close()
    return [BOOLEANS.get(word) for word in text.split(" ")]


@pytest.mark.firefox
@pytest.mark.webkit
def test_all_verifiers_agree_on_edge_cases_of_the_standards(live_site: LiveSite) -> None:
    """Compare the server, the records, the verification script and three browser engines."""
    in_browsers = [read_chromium_verdicts(live_site)]
    for engine in (open_firefox, open_webkit):
        with engine() as driver:
            in_browsers.append(read_verdicts(Person(driver, live_site)))
            driver.quit()
    for case, *found in zip(list_cases(), *in_browsers, strict=True):
        answers = (
            is_valid_on_server(case),
            is_valid_in_records(case),
            is_valid_by_script(case),
            *found,
        )
        assert (case.name, *answers) == (case.name, *[case.fits] * 6)


def leave_table(person: Person, path: str) -> None:
    """Go from a table to another page once the table's modules have been loaded.

    Leaving the page earlier would cause an error.
    """
    person.wait_until(lambda: person.run(LATE_MODULES_LOADED), "not all modules")
    person.open_page(path)


def open_table(person: Person, match: Match) -> None:
    """Open Asha's page at the table."""
    user = match.seats.get(number=VICTIM).user
    assert user is not None
    person.sign_in_as(user)
    person.open_page(match.get_absolute_url())
    person.find("#table[data-live]")


def has_committed(match: Match) -> bool:
    return VICTIM in match.hands.get(number=1).deals.current.commitments


def deal_first_hand_honestly(person: Person, match: Match) -> None:
    """Deal the first hand honestly, with Asha's share."""
    open_table(person, match)
    wait_for(lambda: has_committed(match), "Asha's commitment")
    commit_to_share(match, ACCOMPLICE)
    services.start_match(match)
    open_share(match, ACCOMPLICE)
    wait_for(lambda: match.hands.get(number=1).dealt_at is not None, "the deal")
    person.find(".card-button")


def expect_verdict(person: Person, match: Match, state: str, words: str) -> None:
    services.abandon_match(match, "power")
    leave_table(person, f"/m/{match.public_id}/fair/")
    person.find(f".fair-hand[data-state={state}]")
    person.wait_for_text(words, ".fair-hand")


def test_honest_deal_is_signed_and_verified(person: Person) -> None:
    match = make_unstarted_match()
    deal_first_hand_honestly(person, match)
    signed = match.hands.get(number=1).deals.current.signed[VICTIM]
    assert not person.run("return !document.querySelector('#alarm').hidden")
    expect_verdict(person, match, "fits", "Your contribution is included, byte for byte")
    person.run("document.querySelector('.fair-bytes').open = true")
    person.wait_for_text(f"You, signed by the device with key {signed.fingerprint}", ".fair-hand")
    check_record(match)


def test_deal_of_another_hand_is_reported(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    match = make_unstarted_match()
    change_shown_deals(monkeypatch, lambda facts: {**facts, "hand": 77})
    open_table(person, match)
    person.wait_for_text(OTHER_HAND, "#alarm")
    deal_with_accomplice(match)
    person.find(".card-button")
    assert not has_committed(match)
    expect_verdict(person, match, "wrong", OTHER_HAND)


def test_player_shown_as_a_viewer_until_the_deal_is_warned(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_unstarted_match()
    denial = DenyingServer(monkeypatch, pages=False)
    open_table_as_viewer(person, match)
    deal_with_accomplice(match)
    denial.on = False
    person.open_page(match.get_absolute_url())
    person.wait_for_text(HIDDEN_DEAL, "#alarm")
    expect_verdict(person, match, "wrong", HIDDEN_DEAL)


def open_table_as_viewer(person: Person, match: Match) -> None:
    """Open Asha's page, and wait until its socket treats her as a viewer."""
    user = match.seats.get(number=VICTIM).user
    assert user is not None
    person.sign_in_as(user)
    person.open_page(match.get_absolute_url())
    person.wait_for_text("You’re signed out", "#banner")


def test_player_shown_their_own_hand_as_a_viewer_is_warned(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_unstarted_match()
    deal_first_hand_honestly(person, match)
    DenyingServer(monkeypatch)
    leave_table(person, match.get_absolute_url())
    person.wait_for_text(DENIED_SEAT, "#alarm")
    expect_verdict(person, match, "wrong", DENIED_SEAT)
