"""Browser tests of text mode."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from games import services
from games.models import Match
from games.services import SeatSpec
from tests.browser.conftest import TakeScreenshot, Windows
from tests.browser.tables import deal, open_seat, open_seat_with_interceptor
from tests.factories import make_user
from tests.games.helpers import create_match

pytestmark = pytest.mark.browser

OWN_HAND = "R7 G4 W B5 R2"
OTHER_HAND = "Y1 G1 B1 R1 Y9"


def open_text_mode(open_page: Windows, match: Match, seat: int = 0, **options: Any) -> Page:
    """Open the table in text mode, with focus in the command field."""
    page = open_seat(open_page, match, seat, **options)
    page.get_by_role("link", name="Play in text mode").press("Enter")
    expect(page.get_by_role("textbox", name="Command")).to_be_focused()
    return page


def type_command(page: Page, text: str) -> None:
    """Type a command into the focused field and submit it."""
    page.keyboard.type(text)
    page.keyboard.press("Enter")


def locate_announcements(page: Page) -> Locator:
    return page.get_by_role("log", name="Announcements").locator("p")


def get_last_announcement(page: Page) -> Locator:
    return locate_announcements(page).last


def make_short_match(**options: Any) -> Match:
    seats = [SeatSpec(name="Asha", user=make_user("Asha")), SeatSpec(name="Ben", bot="random")]
    match = create_match(
        ruleset="uno-400", options={"hand_size": 3, "target": 20, **options}, seats=seats,
        bot_seconds=0.05, between_seconds=1, turn_seconds=120,
    )  # fmt: skip
    return services.start_match(match)


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)], ids=["phone", "desk"])
def test_u29_text_mode_answers_every_question_about_the_table(
    open_page: Windows, shot: TakeScreenshot, size: tuple[int, int]
) -> None:
    page = open_text_mode(
        open_page, deal([OWN_HAND, OTHER_HAND]), size={"width": size[0], "height": size[1]}
    )
    answers: dict[str, str | re.Pattern[str]] = {
        "hand": "Your cards: Red 2 (playable), Red 7 (playable), Green 4, Blue 5 (playable), "
        "Wild (playable).",
        "top": "Top card: Red 5, colour red. Direction: clockwise.",
        "counts": "Cards in hand: Asha 5 (turn), Ben 5. Draw pile: 97.",
        "clock": re.compile(r"^Clock: \d+ seconds\. Away: Ben hasn’t arrived yet\.$"),
        "last": re.compile(r"^Last moves: .*Red 5 is turned up\.$"),
        "scores": "Scores: Asha 0, Ben 0. Target 400.",
        "turn": "Your turn: play red, a 5 or a wild, or draw a card.",
        "green 4": "You can’t play Green 4: you need red, a 5 or a wild.",
        "yellow 9": "You don’t have Yellow 9.",
        "fly": "I don’t understand “fly”. Type “help” for a list of commands.",
        "help": re.compile("^play red 7, or r7: plays a card;"),
    }
    for asked, answer in answers.items():
        type_command(page, asked)
        expect(get_last_announcement(page)).to_have_text(answer)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
    shot(page, "text-mode", full_page=False)


def test_u29_repeated_question_is_answered_again(open_page: Windows) -> None:
    page = open_text_mode(open_page, deal([OWN_HAND, OTHER_HAND]))
    type_command(page, "top")
    type_command(page, "top")
    expect(locate_announcements(page)).to_have_text(
        ["Top card: Red 5, colour red. Direction: clockwise."] * 2
    )


def test_text_mode_plays_typed_moves(open_page: Windows) -> None:
    page, line = open_seat_with_interceptor(open_page, deal([OWN_HAND, OTHER_HAND]))
    page.get_by_role("link", name="Play in text mode").press("Enter")
    type_command(page, "wild")
    expect(get_last_announcement(page)).to_have_text("Wild: red, yellow, green, blue?")
    type_command(page, "cancel")
    expect(get_last_announcement(page)).to_have_text("Undone.")
    type_command(page, "wild")
    type_command(page, "green")
    expect(get_last_announcement(page)).to_contain_text("You play Wild and choose green.")
    assert line.list_actions() == [{"play": "W", "color": "G"}]


def test_text_mode_has_a_plain_button_for_every_move(open_page: Windows) -> None:
    page = open_text_mode(open_page, deal(["R7 G4", "Y1 G1"]))
    moves = page.get_by_role("list", name="What you can do now").get_by_role("button")
    expect(moves).to_have_text(["Play Red 7", "Play Red 7 and say UNO", "Draw"])
    moves.nth(1).press("Enter")
    expect(get_last_announcement(page)).to_contain_text("You play Red 7 and say UNO.")
    expect(page.get_by_role("textbox", name="Command")).to_be_focused()


def test_text_mode_is_remembered_and_can_be_turned_off(open_page: Windows) -> None:
    match = deal([OWN_HAND, OTHER_HAND])
    page = open_seat(open_page, match)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("checkbox", name="Text mode").check()
    page.reload()
    expect(page.get_by_role("textbox", name="Command")).to_be_visible()
    expect(page.locator(".card-button").first).to_be_hidden()
    page.get_by_role("button", name="Show the cards").click()
    expect(page.locator(".card-button").first).to_be_focused()
    page.goto(f"{match.get_absolute_url()}?text=1")
    expect(page.get_by_role("textbox", name="Command")).to_be_visible()


def test_u28_only_turn_catch_and_pause_interrupt_speech(open_page: Windows) -> None:
    match = deal(["R7 G4", "Y1 G1"])
    page, other = open_text_mode(open_page, match), open_seat(open_page, match, 1)
    alert = page.get_by_role("alert")
    expect(alert).to_have_text("Your turn: play red, a 5 or a wild, or draw a card.")
    type_command(page, "r7")
    expect(alert).to_be_empty()
    other.get_by_role("button", name="Catch Asha").click()
    expected = "Ben catches you for not saying UNO.*You’ve been caught!"
    expect(get_last_announcement(page)).to_have_text(re.compile(expected))
    services.pause_match(match)
    expect(alert).to_have_text("The table is paused.")


def test_whole_match_can_be_played_in_text_mode(open_page: Windows) -> None:
    match = make_short_match()
    page = open_text_mode(open_page, match)
    typed = 0
    for _ in range(400):
        if page.title().startswith("Match over"):
            break
        names = page.locator(".move").all_inner_texts()
        if names:
            type_command(page, make_command(names))
            typed += 1
        page.wait_for_timeout(150)
    expect(page.locator(".text-sheet h3")).to_have_text(re.compile("the match!$"))
    link = page.locator(".text-sheet").get_by_role("link", name="Result page")
    # The colour of links on the felt. Links on the paper of a score sheet have another colour.
    expect(link).to_have_css("color", "rgb(255, 224, 138)")
    match.refresh_from_db()
    assert (match.phase, typed >= 2) == ("over", True)


def make_command(names: list[str]) -> str:
    """Return the command for the best of these moves."""
    names = [name.replace("+ UNO", "uno") for name in names]
    for wanted in (" and say UNO", "Play ", "Draw", "Pass"):
        found = [name for name in names if wanted in name]
        if found:
            wild = " green" if "Wild" in found[0] else ""
            spoken = found[0].replace(" and say UNO", f"{wild} uno")
            word = spoken if "uno" in spoken else f"{spoken}{wild}"
            return word.split()[0].lower() if word.startswith("Draw") else word.lower()
    return "green"
