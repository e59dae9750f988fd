"""Browser tests of a table's viewers and commentators, and of replays that are not public."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from games import store
from games.models import Hand, LoggedAction, Match
from tests.browser.conftest import DESKTOP, PHONE, TakeScreenshot, Windows
from tests.browser.tables import deal, open_seat
from tests.factories import give_role, make_user
from tests.games.helpers import act
from tests.tournament.staging import first_table, running_round
from tournament.models import AuditEntry

pytestmark = pytest.mark.browser

HANDS = ["R7 G4 W B5", "Y3 B9 R1 R2", "G1 G2 G3 B1"]


def backdate_match(match: Match, minutes: int) -> None:
    """Set the times of a match's deals and actions to `minutes` minutes ago."""
    then = timezone.now() - timedelta(minutes=minutes)
    Hand.objects.filter(match=match, dealt_at__isnull=False).update(dealt_at=then)
    LoggedAction.objects.filter(hand__match=match).update(at=then)
    store.forget(match.pk)


def check_width(page: Page, shot: TakeScreenshot, name: str) -> None:
    """Check on a desktop and on a phone that the page is not wider than its window."""
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") == 0, size
        shot(page, name, full_page=False)


def test_u48_viewer_page_and_frames_contain_no_hidden_card(open_page: Windows) -> None:
    match = deal(HANDS, viewers="live")
    frames: list[str] = []
    page: Page = open_page(None, path="about:blank")
    page.on("websocket", lambda ws: ws.on("framereceived", lambda data: frames.append(str(data))))
    page.goto(match.get_absolute_url())
    expect(page.locator("#table[data-live]")).to_be_attached()
    act(match, 0, {"play": "R7"})
    expect(page.locator(".discard")).to_have_attribute("aria-label", "Top card: Red 7")
    seen = "".join([page.locator("#view").text_content() or "", *frames])
    hidden = {card for held in HANDS for card in held.split()} - {"R7"}
    assert [card for card in hidden if f'"{card}"' in seen] == []
    assert "R7" in seen


def test_u49_delayed_viewer_sees_moves_after_the_delay(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    match = deal(HANDS, viewers="delayed", viewer_delay_seconds=3)
    page = open_seat(open_page, match, None)
    expect(page.locator("#banner")).to_have_text("You see every move with a delay of 3 seconds.")
    expect(page.locator(".discard")).to_have_attribute("aria-label", "Top card: Red 5")
    player = open_seat(open_page, match, 1)
    act(match, 0, {"play": "R7"})
    expect(player.locator(".discard")).to_have_attribute("aria-label", "Top card: Red 7")
    expect(page.locator(".discard")).to_have_attribute("aria-label", "Top card: Red 7")
    expect(player.locator("#banner")).to_be_hidden()
    check_width(page, shot, "viewer-delayed")


def test_u49_viewer_of_finished_hands_waits_for_the_end_of_the_hand(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    match = deal(["R7 G4", "R1 R2"], draw="B8", viewers="hand", options={"uno_penalty": 0})
    page = open_seat(open_page, match, None)
    expect(page.locator(".curtain")).to_have_text(
        "Hand 1 is being played. You’ll see it once it’s over."
    )
    expect(page.locator(".seat .count").first).to_have_text("–")
    expect(page.locator(".piles")).to_be_hidden()
    check_width(page, shot, "viewer-hand")
    for seat, card in ((0, "R7"), (1, "R1")):
        act(match, seat, {"play": card})
    page.reload()
    expect(page.locator(".curtain")).to_contain_text("Hand 1")
    act(match, 0, {"draw": True})
    act(match, 1, {"play": "R2"})
    expect(page.locator(".sheet")).to_contain_text("Ben wins hand 1")
    check_width(page, shot, "viewer-hand-over")


def test_u49_commentator_sees_all_cards_and_the_log_records_it(
    open_page: Windows, shot: TakeScreenshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Does not wait for shares, because no player is present.
    monkeypatch.setattr("games.services.SHARE_SECONDS", 0)
    table = first_table(running_round(players=4))
    event, match = table.round.stage.event, table.match
    assert match is not None
    backdate_match(match, 5)
    user = make_user("Meera Iyer", is_staff=True)
    give_role(event, user, "commentator", since=timezone.now() - timedelta(days=1))
    page: Page = open_page(user, path=f"/e/{event.slug}/tables/")
    page.get_by_role("link", name="All cards at Table 1").click()
    expect(page.locator("#table[data-live]")).to_be_attached()
    expect(page.locator("#banner")).to_contain_text("You see all cards with a delay of 30 seconds.")
    expect(page.locator(".open-row")).to_have_count(4)
    expect(page.locator(".open-row").first.get_by_role("img")).to_have_count(7)
    assert AuditEntry.objects.filter(action="commentary", actor=user).count() == 1
    check_width(page, shot, "commentary")


def test_u49_private_replay_shows_card_backs_to_others(
    open_page: Windows, shot: TakeScreenshot
) -> None:
    match = deal(
        ["R7 G4", "R1 R2"], draw="B8", replays="never", hand_limit=1, options={"uno_penalty": 0}
    )
    for seat, action in ((0, {"play": "R7"}), (1, {"play": "R1"}), (0, {"draw": True})):
        act(match, seat, action)
    act(match, 1, {"play": "R2"})
    address = f"{match.get_absolute_url()}hands/1/?step=1"
    page: Page = open_page(None, path=address)
    expect(page.locator("#place")).to_have_text("1 of 4")
    expect(page.locator("[data-seat='0'] .replay-cards svg")).to_have_count(1)
    expect(page.locator("[data-seat='0'] .replay-cards").get_by_role("img")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    assert page.url.endswith("?step=2")
    shot(page, "replay-closed", full_page=False)
    own: Page = open_page(match.seats.get(number=1).user, path=address)
    expect(own.get_by_role("img", name="Red 2")).to_be_visible()
    assert own.get_by_role("link", name="Record").count() == 0
