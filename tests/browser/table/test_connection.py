"""Browser tests of lost connections, server restarts and second windows."""

import re
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Locator, Page, expect

from games import services
from games.seats import SeatNumber
from tests.browser.conftest import Windows, sign_in
from tests.browser.tables import (
    SocketInterceptor,
    deal,
    locate_card,
    open_seat,
    open_seat_with_interceptor,
    wait_on_page,
)
from tests.typed import sure

pytestmark = pytest.mark.browser

OWN_HAND = "R7 G4 W B5 R2"
OTHER_HAND = "Y1 G1 B1 R1 Y9"


def locate_banner(page: Page) -> Locator:
    return page.get_by_role("status").and_(page.locator("#banner"))


def locate_connection_sign(page: Page) -> Locator:
    """Return the notice of a lost connection."""
    return page.locator("#line")


def drop_messages(line: SocketInterceptor) -> None:
    """Drop all messages in both directions, but keep the connection open."""
    line.to_server = line.to_page = lambda message: None


def pass_messages(line: SocketInterceptor) -> None:
    line.to_server = line.to_page = lambda message: message


def test_u35_u40_lost_connection_disables_buttons_within_nine_seconds(open_page: Windows) -> None:
    page, line = open_seat_with_interceptor(open_page, deal([OWN_HAND, OTHER_HAND]))
    drop_messages(line)
    expect(locate_connection_sign(page)).to_contain_text("You’re offline.", timeout=9000)
    expect(page.locator(".action-draw")).to_be_disabled()
    expect(locate_card(page, "Red 7")).to_have_attribute("aria-disabled", "true")
    pass_messages(line)
    expect(locate_connection_sign(page)).to_be_hidden(timeout=15_000)
    expect(page.locator(".action-draw")).to_be_enabled()


def test_u37_unanswered_move_is_sent_again_and_applied_once(open_page: Windows) -> None:
    page, line = open_seat_with_interceptor(open_page, deal([OWN_HAND, OTHER_HAND]))
    lost: list[dict[str, Any]] = []

    def lose_first_action(message: dict[str, Any]) -> dict[str, Any] | None:
        if message["type"] == "action" and not lost:
            lost.append(message)
            return None
        return message

    line.to_server = lose_first_action
    locate_card(page, "Red 7").click()
    expect(page.locator("#prompt")).to_have_text("Sending Red 7 …")
    expect(page.locator(".ticker")).to_have_text("You play Red 7.", timeout=8000)
    sent = [message for message in line.sent if message["type"] == "action"]
    assert sent == [lost[0], lost[0]]
    expect(page.locator(".card-button")).to_have_count(4)


def test_u37_move_with_a_lost_answer_is_applied_once(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND], draw="R9 R8")
    page, line = open_seat_with_interceptor(open_page, match)
    line.to_page = lambda message: None if message["type"] in ("ack", "view") else message
    page.get_by_role("button", name="Draw", exact=True).click()
    # The page sends its action again.
    wait_on_page(page, lambda: len(line.list_actions()) > 1)
    line.to_page = lambda message: message
    expect(page.locator(".card-button")).to_have_count(6, timeout=8000)
    expect(page.locator("#prompt")).not_to_have_text("Sending …", timeout=8000)
    assert [m["action"] for m in line.sent if m["type"] == "action"][:2] == [{"draw": True}] * 2
    assert match.hands.get().actions.count() == 1


def test_refused_card_returns_to_the_hand_and_the_reason_is_shown(open_page: Windows) -> None:
    page, line = open_seat_with_interceptor(open_page, deal([OWN_HAND, OTHER_HAND]))

    def set_outdated_version(message: dict[str, Any]) -> dict[str, Any]:
        return {**message, "version": 0} if message["type"] == "action" else message

    line.to_server = set_outdated_version
    locate_card(page, "Red 7").click()
    expect(page.locator("#prompt")).to_have_text(
        "Something has just changed at the table. Take another look."
    )
    expect(page.locator(".ghost")).to_have_count(0)
    expect(locate_card(page, "Red 7").locator(".card")).to_have_css("opacity", "1")
    line.to_server = lambda message: message
    locate_card(page, "Red 7").click()
    expect(page.locator(".card-button")).to_have_count(4)


def test_u36_returning_to_the_page_always_opens_a_new_socket(open_page: Windows) -> None:
    page, line = open_seat_with_interceptor(open_page, deal([OWN_HAND, OTHER_HAND]))
    for opened in (2, 3, 4):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(page.locator("#table[data-live]")).to_be_attached()
        page.wait_for_function("() => document.getElementById('table').hasAttribute('data-usable')")
        assert line.opened == opened
    expect(locate_banner(page)).to_be_hidden()
    locate_card(page, "Red 7").click()
    expect(page.locator(".ticker")).to_have_text("You play Red 7.")


def test_u36_page_restored_from_the_cache_shows_the_latest_move(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    page, line = open_seat_with_interceptor(open_page, match)
    drop_messages(line)
    services.act(match.pk, SeatNumber(0), {"play": "R7"}, version=1, client_id="elsewhere")
    pass_messages(line)
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
    expect(page.locator(".ticker")).to_have_text("You play Red 7.", timeout=1500)


def test_u38_next_ping_reveals_a_missed_view(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    page, line = open_seat_with_interceptor(open_page, match)
    other = open_seat(open_page, match, 1)
    line.to_page = lambda message: None if message["type"] == "view" else message
    card_of_mine = match.seats.get(number=0)
    assert card_of_mine.name == "Asha"
    services.act(match.pk, SeatNumber(0), {"play": "R7"}, version=1, client_id="elsewhere")
    expect(other.locator(".ticker")).to_have_text("Asha plays Red 7.")
    line.to_page = lambda message: message
    expect(page.locator(".ticker")).to_have_text("You play Red 7.", timeout=6000)


def test_u39_one_of_two_windows_controls_the_seat_and_the_other_can_take_over(
    open_page: Windows,
) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    first, second = open_seat(open_page, match), open_seat(open_page, match)
    expect(locate_banner(first)).to_contain_text("another window, which is in control")
    expect(first.locator(".action-draw")).to_be_disabled()
    expect(second.locator(".action-draw")).to_be_enabled()
    first.get_by_role("button", name="Take over here").click()
    expect(first.locator(".action-draw")).to_be_enabled()
    expect(locate_banner(second)).to_contain_text("another window, which is in control")


def test_u39_paused_table_shows_the_pause_and_stops_its_clock(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    page = open_seat(open_page, match)
    services.pause_match(match)
    expect(locate_banner(page)).to_have_text(
        "An organizer has paused this table. No one loses any time."
    )
    expect(page).to_have_title("Paused – Lastcard")
    left = "document.querySelector('#me').style.getPropertyValue('--left')"
    before = page.evaluate(left)
    page.wait_for_timeout(1200)
    assert page.evaluate(left) == before
    services.resume_match(match)
    expect(locate_banner(page)).to_be_hidden()


def test_u39_move_arrives_after_a_server_restart(open_page: Windows) -> None:
    page = open_seat(open_page, deal([OWN_HAND, OTHER_HAND]))
    open_page.expect("WebSocket connection to .* failed")
    open_page.site.stop()
    expect(locate_connection_sign(page)).to_contain_text(
        re.compile("offline|restarting|Reconnecting")
    )
    open_page.site.start()
    expect(locate_connection_sign(page)).to_be_hidden(timeout=20_000)
    locate_card(page, "Red 7").click()
    expect(page.locator(".ticker")).to_have_text("You play Red 7.")


def test_u39_offline_device_shows_the_banner_immediately(open_page: Windows) -> None:
    page = open_seat(open_page, deal([OWN_HAND, OTHER_HAND]))
    open_page.expect("ERR_INTERNET_DISCONNECTED")
    page.context.set_offline(True)
    expect(locate_connection_sign(page)).to_contain_text("You’re offline.", timeout=1000)
    page.context.set_offline(False)
    expect(locate_connection_sign(page)).to_be_hidden()


def test_u41_absent_player_is_shown_with_the_remaining_time(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    page, other = open_seat(open_page, match), open_seat(open_page, match, 1)
    line = page.locator('.seat[data-seat="1"] .seat-line')
    expect(line).to_have_text("0 points")
    other.close()
    expect(line).to_have_text(re.compile(r"away \d+ s"), timeout=20_000)


def test_u40_press_during_a_pending_move_gets_feedback(open_page: Windows) -> None:
    page, line = open_seat_with_interceptor(open_page, deal([OWN_HAND, OTHER_HAND]))
    line.to_server = lambda message: None if message["type"] == "action" else message
    locate_card(page, "Red 7").click()
    prompt = page.locator("#prompt")
    for button in (
        locate_card(page, "Red 2"),
        page.locator(".action-draw"),
        page.locator(".draw-pile"),
    ):
        # Waits until the answer to the previous tap has disappeared.
        expect(prompt).to_have_text("Sending Red 7 …")
        button.click(force=True)  # the button is only aria-disabled, so it can be tapped
        expect(prompt).to_have_text("Your last move is still on its way.")
    assert line.list_actions() == [{"play": "R7"}] * len(line.list_actions())
    line.to_server = lambda message: message
    expect(page.locator(".ticker")).to_have_text("You play Red 7.", timeout=8000)
    expect(prompt).not_to_have_text("Your last move is still on its way.")


def test_new_password_keeps_this_table_open_and_signs_out_other_devices(
    open_page: Windows,
) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    user = sure(match.seats.get(number=0).user)
    elsewhere, page = open_seat(open_page, match), open_seat(open_page, match)
    user.set_password("eight-lucky-lamps")
    user.save()
    # Changing the password on the site also renews the session of that browser.
    sign_in(page.context, user, open_page.site)
    expect(locate_banner(elsewhere)).to_contain_text("You’re signed out.")
    expect(page.locator("#table[data-live]")).to_be_attached()
    expect(locate_banner(page)).to_be_hidden()
    locate_card(page, "Red 7").click()
    expect(page.locator(".ticker")).to_have_text("You play Red 7.")
    # After signing out, the page still shows the player's table, not that of a viewer.
    page.context.clear_cookies()
    Session.objects.all().delete()
    expect(locate_banner(page)).to_contain_text("You’re signed out.")
    expect(page.locator("#hand")).to_be_visible()
