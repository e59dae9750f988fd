"""Tests of the steps from a prepared hand to its cards."""

from datetime import timedelta
from typing import Any

import pytest

from games import queries, services, store
from games.client.shares import Shares
from games.json_values.deals import Deals
from games.rules.fair import deal as fair
from games.rules.ruleset import rulesets
from games.seats import SeatNumber
from tests.games.dealing import (
    check_record,
    commit_to_share,
    deal_first_hand,
    get_current_view,
    get_deal_facts,
    get_prepared_hand,
    make_match_between_hands,
    open_share,
    send_requested_messages,
)
from tests.games.helpers import get_time_after_due, make_match, reload
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

OTHER_SHARE = "a5" * 32


# The start


def test_server_deals_immediately_without_any_shares() -> None:
    match = services.start_match(make_match(people=2))
    hand = match.hands.get()
    assert (match.phase, match.version) == ("playing", 1)
    share_list = sure(sure(hand.deals.dealt).agreed)
    assert share_list.entries == ((0, fair.NO_NONE), (1, fair.NO_NONE))


def test_bots_have_no_share_and_do_not_delay_the_deal() -> None:
    match = make_match(people=1, bots=2, share_seconds=5)
    commit_to_share(match, 0)
    match = services.start_match(match)
    entries = sure(get_prepared_hand(match).deals.current.agreed).entries
    assert [entry for _, entry in entries[1:]] == [fair.NO_BOT, fair.NO_BOT]
    assert get_deal_facts(match)["step"] == "open"


def test_table_of_bots_starts_immediately() -> None:
    match = services.start_match(make_match(people=0, bots=2, share_seconds=5))
    assert match.phase == "playing"


def test_start_waits_briefly_for_shares() -> None:
    match = services.start_match(make_match(share_seconds=5))
    assert (match.phase, match.version) == ("between", 1)
    assert sure(match.due) - sure(match.started_at) == timedelta(seconds=5)
    assert (get_deal_facts(match)["step"], get_current_view(match)["sheet"]) == ("commit", None)
    assert get_current_view(match)["prompt"] == "The next hand will be dealt in a moment."
    services.tick(match.due)
    assert reload(match).phase == "playing"


def test_list_closes_as_soon_as_all_have_committed() -> None:
    match = services.start_match(make_match(share_seconds=5))
    assert commit_to_share(match, 0).version == 1
    assert get_deal_facts(match)["step"] == "commit"
    assert commit_to_share(match, 1).version == 2
    assert get_deal_facts(match)["step"] == "open"


def test_commitments_are_accepted_before_the_start() -> None:
    match = make_match(share_seconds=5)
    assert commit_to_share(match, 0).version == commit_to_share(match, 1).version == 0
    assert reload(match).phase == "waiting"
    services.start_match(match)
    assert get_deal_facts(match)["step"] == "open"


def test_last_share_triggers_the_deal() -> None:
    match = make_match()
    hand = deal_first_hand(match)
    assert reload(match).phase == "playing"
    assert hand.deck == fair.deck_of(sure(hand.deals.dealt).opened, rulesets.RULE_SETS["uno-400"])
    check_record(hand)


def test_first_dealer_is_drawn_from_the_same_deal() -> None:
    for ruleset in ("crazy-eights", "ocho"):  # drawn by cards and by lot, respectively
        match = make_match(ruleset, people=3)
        assert get_prepared_hand(match).dealer is None
        hand = deal_first_hand(match)
        opened = sure(hand.deals.dealt).opened
        assert opened.list.dealer is None
        assert check_record(hand)["dealer"] == hand.dealer


def test_deck_is_not_stored_before_the_deal() -> None:
    match = make_match(share_seconds=5)
    commit_to_share(match, 0)
    commit_to_share(match, 1)
    services.start_match(match)
    open_share(match, 0)
    hand = get_prepared_hand(match)
    assert (hand.deck, hand.opening, hand.nonce, reload(match).state.position) == ([], {}, "", None)


# The list


def test_list_contains_match_hand_attempt_dealer_deck_and_commitments() -> None:
    match = make_match_between_hands()
    commit_to_share(match, 1)
    services.tick(get_time_after_due(match, 0))
    found = get_deal_facts(match)
    rules = rulesets.make(match.ruleset, match.options)
    assert found["list"] == {
        "match": match.public_id,
        "hand": 2,
        "attempt": 1,
        "dealer": 0,
        "deck": rules.pack.notations(rules.cards()),
        "server": get_prepared_hand(match).commitment,
        "seats": [
            {"seat": 0, "why": "none"},
            {"seat": 1, "commitment": get_deal_facts(match, 1)["mine"]},
        ],
    }
    agreed = fair.ShareList.from_json(found["list"])
    assert found["digest"] == agreed.digest().hex()


def test_empty_seat_is_listed_without_a_share() -> None:
    seats = [services.SeatSpec("Nobody"), services.SeatSpec("Bot", bot="plain")]
    match = services.start_match(make_match(seats=seats, share_seconds=5))
    entries = sure(sure(match.hands.get().deals.dealt).agreed).entries
    assert entries == ((0, fair.NO_NONE), (1, fair.NO_BOT))


# Between hands


def test_list_closes_a_second_before_the_pause_ends_even_if_all_committed_early() -> None:
    match = make_match_between_hands(between_seconds=12)
    due = match.due
    ended = sure(match.hands.get(number=1).ended_at)
    assert sure(due) - ended == timedelta(seconds=11)
    version = match.version
    assert [commit_to_share(match, seat).version for seat in (0, 1)] == [version, version]
    assert (reload(match).due, get_deal_facts(match)["step"]) == (due, "commit")
    services.tick(due)
    assert (reload(match).version, get_deal_facts(match)["step"]) == (version + 1, "open")


def test_list_stays_open_for_most_of_a_short_pause() -> None:
    match = make_match_between_hands(between_seconds=2)
    ended = sure(match.hands.get(number=1).ended_at)
    assert sure(match.due) - ended == timedelta(seconds=1.5)


def test_score_sheet_counts_down_to_the_deal_not_the_list() -> None:
    match = make_match_between_hands(between_seconds=12)
    commit_to_share(match, 0)
    now = sure(match.due) - timedelta(seconds=3)

    def get_next_ms() -> int | None:
        shown = queries.table_view(store.load(match.pk), None, {}, now, controls=False)
        return sure(shown["sheet"])["next_ms"]

    assert get_next_ms() == 4000
    services.tick(match.due)
    assert get_next_ms() == 0


def test_shares_trigger_the_deal_without_further_waiting() -> None:
    match = make_match_between_hands()
    for seat in (0, 1):
        commit_to_share(match, seat)
    now = get_time_after_due(match, 0)
    services.tick(now)
    assert sure(reload(match).due) - now == timedelta(seconds=5)
    version = reload(match).version
    assert open_share(match, 1, now=now).version == version
    assert open_share(match, 0, now=now).version == version + 1
    assert (reload(match).phase, reload(match).state.hand) == ("playing", 2)
    assert sure(match.hands.get(number=2).dealt_at) == now


# All randomness comes from the deal


@pytest.mark.parametrize("ruleset", rulesets.RULE_SETS)
def test_records_reproduce_all_random_events_of_whole_matches(ruleset: str) -> None:
    match = make_match(ruleset, people=3, bots=1, options={"target": 60}, hand_limit=6)
    shares = {seat: Shares() for seat in range(3)}
    send_requested_messages(match, shares)
    services.start_match(match)
    while reload(match).phase != "over":
        send_requested_messages(match, shares)
        if reload(match).phase == "between":
            services.tick(get_time_after_due(match, 0))
            send_requested_messages(match, shares)
        services.play_out(reload(match), hands=1)
    complaints = [complaint for seat in shares.values() for complaint in seat.complaints]
    assert complaints == []
    for hand in match.hands.all():
        exported = check_record(hand)
        assert exported["fair"]["shares"].keys() == {str(s) for s in hand.players if s < 3}  # type: ignore[attr-defined]


@pytest.mark.parametrize(("ruleset", "key"), [("crazy-eights", "reshuffles"), ("ocho", "reveals")])
def test_records_contain_every_kind_of_random_event(ruleset: str, key: str) -> None:
    """Check the records of hands until one contains this kind of random event."""
    exported: dict[str, Any] = {}
    while not (exported.get(key) or any(key in entry for entry in exported.get("log", []))):
        match = make_match(ruleset, people=0, bots=4, hand_limit=1)
        services.play_out(services.start_match(match))
        exported = {**check_record(match.hands.get())}


def test_reshuffle_count_continues_in_another_process() -> None:
    """Check that another process continues the count of reshuffles, which it finds in the log."""
    match = make_match("uno-500", people=0, bots=4, hand_limit=1)
    match = services.start_match(match)
    for _ in range(400):
        if reload(match).phase == "over":
            break
        store.forget(match.pk)
        services.tick(get_time_after_due(match, 0))
    assert reload(match).phase == "over"
    check_record(match.hands.get())


def test_old_hand_shuffled_in_advance_is_dealt_unchanged() -> None:
    match = make_match()
    hand = get_prepared_hand(match)
    rules = rulesets.make(match.ruleset, match.options)
    hand.deals, hand.dealer = Deals(), SeatNumber(0)
    hand.deck = rules.pack.notations(rules.cards())[::-1]
    hand.save()
    store.forget(match.pk)
    services.start_match(match)
    assert get_current_view(match)["deal"] is None
    services.play_out(reload(match), hands=1)
    exported = queries.hand_record(match.hands.get(number=1))
    assert (exported["format"], exported["deck"]) == ("hand-record/1", hand.deck)
