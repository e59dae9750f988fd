"""Browser tests of playing by tap and by keyboard."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Windows
from tests.browser.senses.test_layout import MEASURE_TARGETS
from tests.browser.tables import (
    deal,
    finish_animations,
    locate_card,
    open_seat,
    open_seat_with_interceptor,
    read_top_card,
    wait_on_page,
)
from tests.typed import sure

pytestmark = [pytest.mark.browser, pytest.mark.motion]

OWN_HAND = "R7 G4 W B5 R2"
OTHER_HAND = "Y1 G1 B1 R1 Y9"
# Taps the same spot again, right after the first card has left the hand. A test would be too slow.
TAP_AGAIN = """([x, y]) => new MutationObserver((_, observer) => {
  if (document.querySelectorAll(".card-button").length !== 4) return;
  observer.disconnect();
  setTimeout(() => {
    const button = document.elementFromPoint(x, y).closest("button");
    globalThis.tapped = button.ariaLabel;
    const where = { bubbles: true, detail: 2, clientX: x, clientY: y };
    button.dispatchEvent(new MouseEvent("click", where));
  }, 250);
}).observe(document.getElementById("hand"), { childList: true, subtree: true })"""


def test_u4_u12_tapped_card_is_played_and_visible_to_both_players(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    mine, theirs = open_seat(open_page, match), open_seat(open_page, match, 1)
    expect(mine).to_have_title("Your turn – Lastcard")
    expect(theirs).to_have_title("Round 1, table 3 – Lastcard")
    locate_card(mine, "Red 7").click()
    expect(mine.locator(".card-button")).to_have_count(4)
    expect(theirs).to_have_title("Your turn – Lastcard")
    expect(theirs.locator('.seat[data-seat="0"] .count')).to_have_text("4")
    assert [read_top_card(page) for page in (mine, theirs)] == ["Top card: Red 7"] * 2


def test_u16_log_survives_a_reload(open_page: Windows) -> None:
    page = open_seat(open_page, deal([OWN_HAND, OTHER_HAND]))
    locate_card(page, "Red 7").click()
    expect(page.locator(".ticker")).to_have_text("You play Red 7.")
    page.reload()
    page.locator(".ticker").click()
    last = page.locator(".log-lines li").last
    expect(last).to_have_text("You play Red 7.")
    expect(last.locator('use[href$="#R7"]')).to_be_attached()


def test_u14_only_playable_cards_have_an_outline(open_page: Windows) -> None:
    page = open_seat(open_page, deal([OWN_HAND, OTHER_HAND]))
    shadow = "element => getComputedStyle(element).boxShadow"
    assert "rgb(255, 224, 138) 0px 0px 0px 2.5px" in locate_card(page, "Red 7").evaluate(shadow)
    assert "255, 224, 138" not in locate_card(page, "Green 4").evaluate(shadow)


def test_u18_wild_asks_for_a_colour_and_is_sent_as_one_message(open_page: Windows) -> None:
    page, line = open_seat_with_interceptor(open_page, deal([OWN_HAND, OTHER_HAND]))
    locate_card(page, "Wild").click()
    picker = page.get_by_role("group", name="Wild: choose a colour")
    expect(picker.locator(".pick")).to_have_text(["red", "yellow", "green", "blue"])
    assert picker.locator(".pick .shape").count() == 4
    picker.get_by_role("button", name="Cancel").click()
    expect(picker).to_be_hidden()
    assert line.list_actions() == []
    locate_card(page, "Wild").click()
    picker.get_by_role("button", name="green").click()
    expect(page.locator(".color-now")).to_have_text("green")
    assert line.list_actions() == [{"play": "W", "color": "G"}]


@pytest.mark.parametrize(
    ("ruleset", "cards", "top"), [("uno-400", "W R7 B5", "R5"), ("ocho-cards", "JK 7H 5S", "5H")]
)
def test_u19_colour_choice_covers_nothing_and_cuts_off_no_name(
    open_page: Windows, ruleset: str, cards: str, top: str
) -> None:
    page = open_seat(open_page, deal([cards, cards], ruleset=ruleset, top=top))
    locate_card(page, "Wild" if ruleset == "uno-400" else "Joker").click()
    covered = ".action, #me .ring, .card-button, .color-now, .direction, .discard, .seat"
    for width, height in [(320, 640), (360, 640), (740, 360), (1280, 800)]:
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".pick")).to_have_count(4)
        finish_animations(page)
        assert [
            target for target in page.evaluate(MEASURE_TARGETS, covered) if not target["open"]
        ] == []
        for pick in page.locator(".pick").all():
            assert pick.evaluate("e => e.scrollWidth <= e.clientWidth"), width
            assert sure(pick.locator("span").bounding_box())["height"] < 24, width  # one line


def test_player_can_draw_and_pass(open_page: Windows) -> None:
    page = open_seat(open_page, deal([OWN_HAND, OTHER_HAND], draw="R9"))
    page.get_by_role("button", name="Draw", exact=True).click()
    drawn = locate_card(page, "Red 9")
    expect(drawn).to_have_attribute("aria-label", re.compile("^Red 9, just drawn, playable"))
    page.get_by_role("button", name="Pass").click()
    expect(page.locator("#me")).not_to_have_attribute("data-turn", "true")
    expect(page.locator(".card-button")).to_have_count(6)


def test_u17_penalty_is_shown_and_counted_on_the_draw_button(open_page: Windows) -> None:
    match = deal(["R+2 G4 B5", "Y1 G1 B1"])
    mine, theirs = open_seat(open_page, match), open_seat(open_page, match, 1)
    locate_card(mine, "Red Draw Two").click()
    expect(mine.locator(".owed")).to_have_text("+2 for Ben")
    expect(theirs.locator(".owed")).to_have_text("+2 for you")
    theirs.get_by_role("button", name="Draw 2", exact=True).click()
    expect(theirs.locator(".card-button")).to_have_count(5)
    expect(mine.locator(".owed")).to_be_hidden()


def test_u46_one_tap_plays_the_card_and_calls_uno(open_page: Windows) -> None:
    match = deal(["R7 G4", "Y1 G1"])
    page, line = open_seat_with_interceptor(open_page, match)
    other = open_seat(open_page, match, 1)
    page.get_by_role("button", name="Play Red 7 and say UNO").click()
    expect(other.locator('.seat[data-seat="0"] .seat-line')).to_have_text("UNO! · 0")
    assert line.list_actions() == [{"play": "R7", "uno": True}]
    expect(other.locator(".action-catch")).to_have_count(0)


def test_player_who_forgot_uno_is_caught_by_name(open_page: Windows) -> None:
    match = deal(["R7 G4", "Y1 G1"])
    page, other = open_seat(open_page, match), open_seat(open_page, match, 1)
    locate_card(page, "Red 7").click()
    other.get_by_role("button", name="Catch Asha").click()
    expect(page.locator(".card-button")).to_have_count(3)
    expect(page.locator(".ticker")).to_contain_text("Ben catches you")


def test_late_uno_call_prevents_a_catch(open_page: Windows) -> None:
    match = deal(["R7 G4", "Y1 G1"])
    page, other = open_seat(open_page, match), open_seat(open_page, match, 1)
    locate_card(page, "Red 7").click()
    expect(other.get_by_role("button", name="Catch Asha")).to_be_visible()
    page.get_by_role("button", name="UNO!", exact=True).click()
    expect(other.locator(".action-catch")).to_have_count(0)


def test_u25_u30_whole_turn_can_be_played_by_keyboard(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    page = open_seat(open_page, match)
    first = page.locator(".card-button").first
    while not first.evaluate("element => element === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(locate_card(page, "Red 7")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".ticker")).to_have_text("You play Red 7.")
    expect(locate_card(page, "Green 4")).to_be_focused()


def test_u26_letter_keys_press_buttons_until_turned_off(open_page: Windows) -> None:
    page, line = open_seat_with_interceptor(open_page, deal([OWN_HAND, OTHER_HAND], draw="R9"))
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("checkbox", name="Letter shortcuts").uncheck()
    page.get_by_role("button", name="Close").click()
    page.keyboard.press("d")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("checkbox", name="Letter shortcuts").check()
    page.get_by_role("button", name="Close").click()
    assert line.list_actions() == []
    page.keyboard.press("d")
    expect(locate_card(page, "Red 9")).to_be_visible()
    assert line.list_actions() == [{"draw": True}]


def test_u7_card_order_is_remembered(open_page: Windows) -> None:
    page = open_seat(open_page, deal([OWN_HAND, OTHER_HAND]))
    page.get_by_role("button", name="Cards sorted by colour").click()
    page.reload()
    expect(page.locator(".sort")).to_have_attribute("title", "Sorted by number")
    names = [each.get_attribute("aria-label") for each in page.locator(".card-button").all()]
    assert [str(name).partition(",")[0] for name in names] == [
        "Red 2",
        "Green 4",
        "Blue 5",
        "Red 7",
        "Wild",
    ]


def test_u5_sliding_off_a_card_plays_nothing(open_page: Windows) -> None:
    page, line = open_seat_with_interceptor(open_page, deal([OWN_HAND, OTHER_HAND]))
    box = sure(locate_card(page, "Red 7").bounding_box())
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(10, 200)
    page.mouse.up()
    assert line.list_actions() == []


def test_u5_double_tap_plays_one_card_even_if_the_turn_stays(open_page: Windows) -> None:
    match = deal(["R2 RS RR Y4 B6", "G1 G2 G3 G4 G6"])
    page = open_seat(open_page, match)
    finish_animations(page)
    box = sure(locate_card(page, "Red Skip").bounding_box())
    # Without this card, the hand needs only one row, so the spot is then on another card.
    spot = box["x"] + 20, box["y"] + 90
    page.evaluate(TAP_AGAIN, spot)
    page.mouse.click(*spot)
    wait_on_page(page, lambda: page.evaluate("globalThis.tapped ?? null"))
    assert page.evaluate("tapped") == "Red Reverse, playable, 2 of 4"
    page.wait_for_timeout(1000)
    expect(page.locator(".card-button")).to_have_count(4)
    # After a while, a tap plays the card that has moved to this spot.
    page.mouse.click(*spot)
    expect(page.locator(".card-button")).to_have_count(3)


def test_u48_viewer_sees_the_table_without_cards(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    page = open_seat(open_page, match, None)
    expect(page.locator(".seat")).to_have_count(2)
    expect(page.locator("#hand, #actions, #me").filter(visible=True)).to_have_count(0)
    view = json.loads(page.locator("#view").text_content() or "")
    assert (view["cards"], view["actions"], view["you"]) == ([], [], None)


def test_only_the_x_ray_owner_sees_the_revealed_card(open_page: Windows) -> None:
    match = deal(["XR G4 B5", "Y1 Y1 Y2", "B1 B1 B2"], ruleset="ocho")
    mine, theirs = open_seat(open_page, match), open_seat(open_page, match, 1)
    locate_card(mine, "X-Ray").click()
    mine.get_by_role("group", name="X-Ray").get_by_role("button", name="red").click()
    expect(mine.locator(".seen .card")).to_have_count(2)
    expect(mine.locator('.seat[data-seat="1"]')).to_contain_text("you’ve seen Yellow")
    expect(theirs.locator(".ticker")).to_contain_text("Asha")
    expect(theirs.locator(".seen .card")).to_have_count(0)


# Lines that extend below their seat.
LIST_LINES_BELOW_SEAT = """seats => seats.flatMap(seat => [...seat.querySelectorAll('.seat-line')]
.filter(line => line.getBoundingClientRect().bottom > seat.getBoundingClientRect().bottom + 2)
.map(line => line.textContent))"""


def test_partners_are_marked(open_page: Windows) -> None:
    match = deal(["R7 G4", "Y1 G1", "B1 B2", "Y5 Y6"], options={"partners": True})
    page = open_seat(open_page, match)
    names = page.locator(".seat-name").all_text_contents()
    assert names == ["●\u00a0Ben", "◆\u00a0Chitra", "●\u00a0Dev", "◆\u00a0You"]
    page.set_viewport_size({"width": 320, "height": 568})
    finish_animations(page)
    assert page.locator(".seat").evaluate_all(LIST_LINES_BELOW_SEAT) == []


def test_u28_log_is_announced_politely_and_the_players_turn_as_an_alert(
    open_page: Windows,
) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    mine, theirs = open_seat(open_page, match), open_seat(open_page, match, 1)
    expect(theirs.get_by_role("alert")).to_be_empty()
    expect(mine.get_by_role("log").locator("p")).to_have_text(["Ben is here."])
    locate_card(mine, "Red 7").click()
    expect(theirs.get_by_role("alert")).to_contain_text("Asha plays Red 7. Your turn: ")
    expect(theirs.get_by_role("alert")).to_contain_text(theirs.locator("#prompt").inner_text())
    expect(mine.get_by_role("log").locator("p")).to_have_text(["Ben is here.", "You play Red 7."])


def test_menu_describes_the_table_in_words(open_page: Windows) -> None:
    page = open_seat(open_page, deal([OWN_HAND, OTHER_HAND]))
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog").get_by_text("The table in words", exact=True).click()
    words = page.get_by_role("dialog").locator(".in-words").first
    terms = dict(
        zip(
            words.locator("dt").all_inner_texts(),
            words.locator("dd").all_inner_texts(),
            strict=True,
        )
    )
    assert terms["Your cards"] == (
        "Red 2 (playable), Red 7 (playable), Green 4, Blue 5 (playable), Wild (playable)"
    )
    assert terms["Top card"] == "Red 5, colour red"
    assert terms["Cards in hand"] == "Asha 5 (turn), Ben 5"
    assert terms["Direction"] == "clockwise"
