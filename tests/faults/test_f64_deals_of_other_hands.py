"""F64: a server shows a player a deal other than that of the next hand.

Such a server would know every share before it chooses its own secret. The page refuses the deal,
raises an alarm and keeps the evidence, and the hand gets no check mark.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import services
from games.models import Match
from games.play import dealing
from games.protocol import table
from games.protocol.deals import DealFacts
from games.rules.fair.deal import ShareList
from games.rules.ruleset.rulesets import RuleSet
from games.seats import SeatNumber
from games.sockets import encoded_views
from games.store import Snapshot
from games.tables import deal as deal_query
from games.tables import view
from tests.browser.conftest import Windows
from tests.faults.hostile import (
    ACCOMPLICE,
    VICTIM,
    deal_with_accomplice,
    expect_complaint,
    expect_confirmed_complaint,
    make_unstarted_match,
    open_ashas_window,
)
from tests.games.dealing import commit_to_share, open_share
from tests.services import wait_for

pytestmark = pytest.mark.browser

OTHER_HAND = "the server showed a shuffle for a hand that isn’t the next one"
OTHER_MATCH = "the server sent this table the data of a different match"
NEVER_SHOWN = "the server dealt the hand without showing your browser its shuffle"
TOO_MANY_RESTARTS = "the server started the shuffle over more often than an honest server would"
UNREADABLE = "the server’s data about the shuffle was incomplete or malformed"
ACKNOWLEDGED_BEFORE_SENT = (
    "the server said it had received your contribution before your browser sent it"
)
NEVER_ASKED = "called off a shuffle for lack of your contribution without ever asking for it"
TWO_LISTS = "the server has shown two different lists of participants in the shuffle"

Change = Callable[[DealFacts], DealFacts | None]


def change_shown_deals(monkeypatch: pytest.MonkeyPatch, change: Change) -> None:
    """Apply `change` to each deal that the server shows the victim."""

    def act_dishonestly(snapshot: Snapshot, seat: SeatNumber | None) -> DealFacts | None:
        facts = deal_query.deal_facts(snapshot, seat)
        return change(facts) if facts and seat == VICTIM else facts

    monkeypatch.setattr(view, "deal_facts", act_dishonestly)


def request_view(page: Page) -> None:
    """Make the page request its view again."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def has_committed(match: Match) -> bool:
    return VICTIM in match.hands.get(number=1).deals.current.commitments


def expect_cards(page: Page) -> None:
    expect(page.locator(".card-button")).to_have_count(3)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda facts: {**facts, "hand": 77}, OTHER_HAND),
        (lambda facts: None, NEVER_SHOWN),
        (lambda facts: {**facts, "attempt": 99}, TOO_MANY_RESTARTS),
        (lambda facts: {**facts, "void": None}, UNREADABLE),
    ],
    ids=["another hand", "never shown", "too many attempts", "unreadable"],
)
def test_deal_of_another_hand_is_refused_and_reported(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch, change: Change, words: str
) -> None:
    match = make_unstarted_match()
    change_shown_deals(monkeypatch, change)
    page = open_ashas_window(open_page, match)
    expect_complaint(page, words)
    deal_with_accomplice(match)
    expect_cards(page)
    assert not has_committed(match)
    expect_confirmed_complaint(page, match, words)


def test_deal_of_another_match_is_refused_and_reported(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, honest = make_unstarted_match(), view.shared_part

    def act_dishonestly(*args: Any) -> table.Shared:
        shared = honest(*args)
        return {**shared, "match": {**shared["match"], "id": "another"}}

    monkeypatch.setattr(encoded_views, "shared_part", act_dishonestly)
    page = open_ashas_window(open_page, match)
    expect_complaint(page, OTHER_MATCH)
    deal_with_accomplice(match)
    assert not has_committed(match)
    expect_confirmed_complaint(page, match, OTHER_MATCH)


def test_deal_hidden_after_the_first_hand_is_reported(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_unstarted_match(hand_limit=2)
    change_shown_deals(monkeypatch, lambda facts: facts if facts["hand"] == 1 else None)
    page = open_ashas_window(open_page, match)
    wait_for(lambda: has_committed(match), "Asha's commitment")
    deal_with_accomplice(match)
    expect_cards(page)
    expect(page.locator("#alarm")).to_be_hidden()
    services.redo_hand(match, "A card was shown.")
    expect_complaint(page, f"Hand 2: {NEVER_SHOWN}")
    expect_confirmed_complaint(page, match, NEVER_SHOWN, hand=2)


def test_late_arrival_gets_neither_complaint_nor_check_mark(open_page: Windows) -> None:
    """Check that the hand is amber and the page says why."""
    match = make_unstarted_match()
    deal_with_accomplice(match)
    services.act(
        match.pk,
        SeatNumber(match.hands.get().dealing ^ 1),
        {"draw": True},
        version=Match.objects.get().version,
        client_id="a",
    )
    page = open_ashas_window(open_page, match)
    expect_cards_or_more(page)
    expect(page.locator("#alarm")).to_be_hidden()
    services.abandon_match(match, "power")
    page.goto(f"/m/{match.public_id}/fair/")
    expect(page.locator(".fair-hand")).to_have_attribute("data-state", "without")
    expect(page.locator(".fair-hand")).to_contain_text("Your browser wasn’t shown this shuffle")


def expect_cards_or_more(page: Page) -> None:
    expect(page.locator(".card-button").first).to_be_visible()


def test_invented_deals_displace_no_stored_deals(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_unstarted_match()
    page = open_ashas_window(open_page, match)
    wait_for(lambda: has_committed(match), "Asha's commitment")
    made_up = iter(range(1000, 9999))
    change_shown_deals(monkeypatch, lambda facts: {**facts, "hand": next(made_up)})
    for _ in range(20):
        request_view(page)
    expect_complaint(page, OTHER_HAND)
    stored = "Object.keys(localStorage).filter((name) => name.startsWith('lastcard-deal '))"
    names = [f"lastcard-deal {match.public_id} 1 {attempt} 0" for attempt in (0, 1)]
    assert sorted(page.evaluate(stored)) == names
    expect_confirmed_complaint(page, match, OTHER_HAND)


def test_deck_without_wild_cards_gets_no_check_mark(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Remove cards from the deck that the lists contain."""
    match, honest = make_unstarted_match(), RuleSet.cards

    def act_dishonestly(self: RuleSet) -> list[int]:
        return [kind for kind in honest(self) if self.pack.cards[kind].notation != "W+4"]

    monkeypatch.setattr(RuleSet, "cards", act_dishonestly)
    page = open_ashas_window(open_page, match)
    wait_for(lambda: has_committed(match), "Asha's commitment")
    deal_with_accomplice(match)
    expect_cards(page)
    expect_confirmed_complaint(
        page, match, "The deck has too many, too few or other cards", faults="deck"
    )


def test_share_falsely_called_open_is_reported_and_still_opened(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_unstarted_match()

    def change(facts: DealFacts) -> DealFacts:
        return {**facts, "opened": [int(VICTIM)]} if facts["step"] == "open" else facts

    change_shown_deals(monkeypatch, change)
    page = open_ashas_window(open_page, match)
    wait_for(lambda: has_committed(match), "Asha's commitment")
    deal_with_accomplice(match)
    expect_complaint(page, ACKNOWLEDGED_BEFORE_SENT)
    expect_cards(page)
    assert match.hands.get().deals.current.shares.keys() == {VICTIM, ACCOMPLICE}
    expect_confirmed_complaint(page, match, ACKNOWLEDGED_BEFORE_SENT)


def test_hidden_share_list_is_reported_when_its_attempt_is_cancelled(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_unstarted_match()

    def change(facts: DealFacts) -> DealFacts:
        if facts["step"] != "open" or facts["attempt"] > 1:
            return facts
        return {**facts, "step": "commit", "list": None, "digest": None, "receipt": None}

    change_shown_deals(monkeypatch, change)
    page = open_ashas_window(open_page, match)
    wait_for(lambda: has_committed(match), "Asha's commitment")
    commit_to_share(match, ACCOMPLICE)
    services.start_match(match)
    open_share(match, ACCOMPLICE)

    def is_void() -> bool:
        services.tick()
        return bool(match.hands.get().deals.void)

    wait_for(is_void, "the end of the attempt")
    expect_complaint(page, NEVER_ASKED)
    expect_confirmed_complaint(page, match, NEVER_ASKED)


def test_second_share_list_for_an_attempt_is_reported(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_unstarted_match()
    page = open_ashas_window(open_page, match)
    wait_for(lambda: has_committed(match), "Asha's commitment")
    commit_to_share(match, ACCOMPLICE)
    monkeypatch.setattr(dealing, "OPEN_FOR", dealing.OPEN_FOR * 10)
    services.start_match(match)
    shares = match.hands.get
    wait_for(lambda: VICTIM in shares().deals.current.shares, "Asha's share")

    def change(facts: DealFacts) -> DealFacts:
        assert facts["list"]
        facts["list"]["seats"].reverse()
        return {**facts, "digest": ShareList.from_json(facts["list"]).digest().hex()}

    change_shown_deals(monkeypatch, change)
    request_view(page)
    expect_complaint(page, TWO_LISTS)
    expect_confirmed_complaint(page, match, TWO_LISTS)


def test_unsigned_contribution_is_a_fault_on_a_signing_device(open_page: Windows) -> None:
    """Forge Asha's share of a hand that her browser has never seen."""
    first = make_unstarted_match()
    page = open_ashas_window(open_page, first)
    wait_for(lambda: has_committed(first), "Asha's commitment, for which her device makes its key")
    user = first.seats.get(number=VICTIM).user
    assert user
    match = make_unstarted_match(
        seats=[
            services.SeatSpec(name="Asha", user=user),
            services.SeatSpec(name="Ben", user=first.seats.get(number=ACCOMPLICE).user),
        ]
    )
    for seat in (VICTIM, ACCOMPLICE):
        commit_to_share(match, seat)
    services.start_match(match)
    for seat in (VICTIM, ACCOMPLICE):
        open_share(match, seat)
    wait_for(lambda: match.hands.get().dealt_at is not None, "the deal")
    services.abandon_match(match, "power")
    page.goto(f"/m/{match.public_id}/fair/")
    expect(page.locator(".fair-wrong")).to_contain_text(
        "the contribution in your name isn’t signed, but this device signs its contributions"
    )
