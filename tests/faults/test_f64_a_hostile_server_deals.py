"""F64: an operator, or anyone else who can write to the database, tries to choose a deal.

Each attack changes stored rows. Either the record shows the attack to everyone, or a player's
browser detects it before the cards are dealt.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games import queries, services, store
from games.client.shares import Shares
from games.json_values.deals import Attempt
from games.models import Hand, Match
from games.rules import record
from games.rules.fair import deal as fair
from games.rules.ruleset import rulesets
from games.seats import SeatNumber
from tests.games.dealing import (
    SHARE,
    check_record,
    commit_to_share,
    deal_first_hand,
    get_current_view,
    get_prepared_hand,
    open_share,
    send_requested_messages,
)
from tests.games.helpers import act, get_time_after_due, make_match, reload, set_shuffled_deck
from tests.typed import sure

pytestmark = pytest.mark.django_db

OTHER_SHARE = "a5" * 32
DECK_MISMATCH = "deck: it is not what secret and shares make"


@pytest.fixture
def hand() -> Hand:
    """Provide a finished hand that was dealt with both players' shares."""
    match = make_match(hand_limit=1)
    deal_first_hand(match)
    services.play_out(reload(match))
    hand = match.hands.get()
    check_record(hand)
    return hand


def store_attempt(hand: Hand, attempt: Attempt) -> Hand:
    hand.deals = hand.deals.replace_attempt(attempt)
    hand.save()
    return Hand.objects.get(pk=hand.pk)


def find_fault(hand: Hand) -> str:
    """Return the fault that a check of the hand's record finds."""
    return sure(record.check(queries.hand_record(hand)))


def is_proof_of_other_cards(hand: Hand) -> bool:
    """Return whether the record's secret and shares determine a different deal.

    They also determine the dealer, so the dealer may differ too.
    """
    return find_fault(hand) == DECK_MISMATCH or find_fault(hand).startswith("dealer: expected ")


# Changes written to the database after the deal


def test_stacked_deck_does_not_match_secret_and_shares(hand: Hand) -> None:
    """Swap two cards of the deck, and delete the log, which would reveal the swap."""
    hand.actions.all().delete()
    at = next(n for n in range(0, 14, 2) if hand.deck[n] != hand.deck[n + 1])
    hand.deck[at], hand.deck[at + 1] = hand.deck[at + 1], hand.deck[at]
    hand.save()
    assert find_fault(hand) == DECK_MISMATCH


def test_record_reports_a_stacked_deck_with_an_unchanged_log(hand: Hand) -> None:
    """Check that the record of an unplayable hand can still be exported."""
    hand.deck = hand.deck[::-1]
    hand.save()
    assert is_proof_of_other_cards(hand)


def test_replay_reports_a_stacked_deck_as_impossible(hand: Hand, client: Client) -> None:
    hand.deck = hand.deck[::-1]
    hand.save()
    match = hand.match
    answer = client.get(reverse("games:replay", args=[match.public_id, hand.number]))
    assert answer.status_code == 500
    assert (
        "The hand’s stored deck and moves don’t match: something was lost or changed after "
        "the deal." in answer.content.decode()
    )
    fair_deal_page = reverse("games:fair", args=[match.public_id])
    assert f'href="{fair_deal_page}"' in answer.content.decode()


def test_record_detects_a_turn_removed_from_the_log(hand: Hand) -> None:
    """Check that removing one player's turn from the log is detected as a play out of turn."""
    hand.actions.order_by("-number")[0].delete()
    first = hand.actions.order_by("number")[0]
    others = hand.actions.exclude(player=first.player).order_by("number")[0]
    hand.actions.filter(number__lt=others.number).delete()
    assert find_fault(hand).startswith("entry ")


def test_emptied_deck_does_not_match_secret_and_shares(hand: Hand) -> None:
    hand.deck = []
    hand.save()
    assert "deck" in find_fault(hand)


def make_match_before_reshuffle(**fields: Any) -> Match:
    """Return a match in which the next draw reshuffles the discard pile."""
    match = make_match(options={"opening_wild": "redraw"}, **fields)
    deal_first_hand(match)
    match = reload(match)
    position = {**sure(match.state.position)}
    position["discard"], position["draw"] = position["draw"] + position["discard"], []
    Match.objects.filter(pk=match.pk).update(state=replace(match.state, position=position))
    store.forget(match.pk)
    return match


def replace_shares(match: Match, shares: dict[SeatNumber, str]) -> Hand:
    hand = match.hands.get(number=1)
    hand.deals = hand.deals.replace_attempt(replace(hand.deals.current, shares=shares))
    hand.save()
    store.forget(match.pk)
    return hand


def draw_card(match: Match) -> None:
    """Draw a card for the player to act."""
    act(match, sure(reload(match).state.turn_seat), {"draw": True})


def test_hand_with_all_shares_can_reshuffle() -> None:
    match = make_match_before_reshuffle()
    draw_card(match)
    [logged] = match.hands.get(number=1).actions.all()
    assert len(logged.chance) == 1


@pytest.mark.parametrize("shares", [{}, {0: SHARE}, {0: SHARE, 1: OTHER_SHARE}])
def test_deleted_or_changed_share_stops_the_hand_and_explains_why(
    shares: dict[SeatNumber, str],
) -> None:
    match = make_match_before_reshuffle()
    replace_shares(match, shares)
    with pytest.raises(services.RefusedError) as refused:
        draw_card(match)
    sentence = "The hand is on hold until an organizer has it dealt again."
    assert (refused.value.code, refused.value.sentence) == ("damaged", sentence)
    assert reload(match).paused
    shown = get_current_view(match)
    assert shown["prompt"] == sentence
    assert shown["log"][-1]["text"] == (
        "Hand 1 is on hold: a contribution to its shuffle was changed or deleted in "
        "the database. An organizer needs to have the hand dealt again."
    )


def test_automatic_action_on_a_damaged_hand_stops_after_one_try() -> None:
    match = make_match_before_reshuffle()
    replace_shares(match, {})
    version = reload(match).version
    assert services.tick(get_time_after_due(match, 0) + timedelta(hours=1)) == 0
    assert services.tick(get_time_after_due(match, 0) + timedelta(hours=2)) == 0
    assert (reload(match).paused, reload(match).version) == (True, version + 1)


def test_stopped_hand_is_redealt_with_a_new_secret_and_shares() -> None:
    match = make_match_before_reshuffle(share_seconds=1)
    replace_shares(match, {SeatNumber(0): SHARE})
    with pytest.raises(services.RefusedError):
        draw_card(match)
    services.redo_hand(match, "A share was deleted.")
    services.resume_match(match)
    services.tick(get_time_after_due(match, 0))
    services.tick(get_time_after_due(match, 0))
    assert reload(match).phase == "playing"
    again = match.hands.get(number=2)
    assert (again.void, again.deals.current.number) == (False, 1)
    assert match.hands.get(number=1).void
    draw_card(match)


def test_record_names_the_seat_of_a_deleted_share(hand: Hand) -> None:
    current = hand.deals.current
    attempt = replace(current, shares={SeatNumber(0): current.shares[SeatNumber(0)]})
    assert (
        find_fault(store_attempt(hand, attempt))
        == "fair: attempt 1: the share of seat 1 was not opened"
    )


def test_replaced_secret_does_not_match_the_server_commitment(hand: Hand) -> None:
    attempt = replace(hand.deals.current, secret=bytes(fair.SECRET_BYTES))
    message = find_fault(store_attempt(hand, attempt))
    assert message == "fair: attempt 1: the secret does not fit the server's commitment"


def test_replaced_share_does_not_match_the_player_commitment(hand: Hand) -> None:
    current = hand.deals.current
    attempt = replace(current, shares={**current.shares, SeatNumber(1): OTHER_SHARE})
    message = find_fault(store_attempt(hand, attempt))
    assert message == "fair: attempt 1: the share of seat 1 does not fit its commitment"


def test_listed_share_cannot_be_omitted(hand: Hand) -> None:
    exported = json.loads(json.dumps(queries.hand_record(hand)))
    del exported["fair"]["shares"]["1"]
    assert record.check(exported) == "fair: attempt 1: the share of seat 1 was not opened"


def test_player_cannot_be_removed_from_the_list_afterwards(hand: Hand) -> None:
    """Change all other data to fit, so that only the deck reveals the removal."""
    current = hand.deals.current
    agreed = sure(current.agreed)
    alone = replace(agreed, entries=(agreed.entries[0], (1, fair.NO_NONE)))
    shares = {SeatNumber(0): current.shares[SeatNumber(0)]}
    attempt = replace(current, agreed=alone, shares=shares)
    assert is_proof_of_other_cards(store_attempt(hand, attempt))


def test_deal_of_another_match_is_rejected(hand: Hand) -> None:
    other = make_match(hand_limit=1)
    deal_first_hand(other)
    assert is_proof_of_other_cards(store_attempt(hand, other.hands.get().deals.current))


def test_void_attempt_cannot_be_hidden(hand: Hand) -> None:
    """Present a second attempt as the only one."""
    current = hand.deals.current
    agreed = sure(current.agreed)
    second = replace(agreed, draw=replace(agreed.draw, attempt=2))
    attempt = replace(current, number=2, agreed=second)
    message = find_fault(store_attempt(hand, attempt))
    assert message.startswith("fair: attempt 1: its list is that of another match, hand or attempt")


# Changes written to the database before the deal


def test_deck_written_before_the_deal_is_ignored() -> None:
    match = make_match()
    hand = get_prepared_hand(match)
    rules = rulesets.make(match.ruleset, match.options)
    stacked = rules.pack.notations(rules.cards())
    hand.deck = stacked
    hand.save()
    store.forget(match.pk)
    assert deal_first_hand(match).deck != stacked


Attack = Callable[[Hand], None]


def replace_attempt(hand: Hand, attempt: Attempt, **fields: object) -> None:
    hand.deals = hand.deals.replace_attempt(attempt)
    for name, value in fields.items():
        setattr(hand, name, value)
    hand.save()


def replace_secret(hand: Hand) -> None:
    """Replace the server's secret after the players have committed."""
    replace_attempt(hand, replace(hand.deals.current, secret=bytes(fair.SECRET_BYTES)))


def replace_secret_and_commitment(hand: Hand) -> None:
    draw = fair.DealKey(hand.match.public_id, hand.number, 1)
    secret = bytes(fair.SECRET_BYTES)
    made = fair.secret_commitment(draw, secret)
    replace_attempt(
        hand, replace(hand.deals.current, secret=secret, commitment=made), commitment=made
    )


def replace_player_commitment(hand: Hand) -> None:
    draw = fair.DealKey(hand.match.public_id, hand.number, 1)
    made = fair.share_commitment(draw, 0, bytes.fromhex(OTHER_SHARE))
    current = hand.deals.current
    replace_attempt(
        hand, replace(current, commitments={**current.commitments, SeatNumber(0): made})
    )


@pytest.mark.parametrize(
    "attack",
    [replace_secret_and_commitment, replace_player_commitment],
)
def test_player_program_rejects_the_list_and_keeps_its_share(attack: Attack) -> None:
    """Check that the attempt becomes void, because the player's share is never opened."""
    match = make_match(share_seconds=5)
    honest, other = Shares(), Shares()
    send_requested_messages(match, {0: honest, 1: other})
    attack(get_prepared_hand(match))
    store.forget(match.pk)
    services.start_match(match)
    send_requested_messages(match, {0: honest})
    assert len(honest.complaints) == 1
    assert SeatNumber(0) not in get_prepared_hand(match).deals.current.shares
    services.tick(get_time_after_due(match, 0))
    assert match.hands.get().deals.attempts[0].outcome == "void"


def test_deleted_commitment_is_sent_again() -> None:
    match = make_match(share_seconds=5)
    honest, other = Shares(), Shares()
    send_requested_messages(match, {0: honest, 1: other})
    replace_attempt(
        get_prepared_hand(match), replace(get_prepared_hand(match).deals.current, commitments={})
    )
    store.forget(match.pk)
    services.start_match(match)
    send_requested_messages(match, {0: honest, 1: other})
    assert sure(get_prepared_hand(match).deals.current.agreed).listed == (0, 1)


def test_record_detects_a_secret_changed_before_the_deal() -> None:
    match = make_match(hand_limit=1)
    commit_to_share(match, 0)
    replace_secret(get_prepared_hand(match))
    store.forget(match.pk)
    services.start_match(match)
    open_share(match, 0)
    services.play_out(reload(match))
    assert "the secret does not fit" in find_fault(match.hands.get())


def test_server_cannot_predict_the_deck_without_an_open_share() -> None:
    """Check that no deck can be computed while one share is unopened."""
    match = make_match()
    commit_to_share(match, 0)
    commit_to_share(match, 1)
    services.start_match(match)
    open_share(match, 0)
    with pytest.raises(fair.UnfairError, match="the share of seat 1 was not opened"):
        fair.deck_of(get_prepared_hand(match).deals.current.opened, store.load(match.pk).rules)


def test_share_falsely_called_late_is_noticed_and_listed() -> None:
    """Acknowledge a player's commitment without storing it."""
    match = make_match(share_seconds=1, hand_limit=1)
    held_back, other = Shares(), Shares()
    list(held_back.messages_for(get_current_view(match, 0)))
    held_back.acknowledge("commit-1-1")  # falsely acknowledged
    send_requested_messages(match, {1: other})
    services.start_match(match)
    services.tick(get_time_after_due(match, 0))
    list(held_back.messages_for(get_current_view(match, 0)))
    assert held_back.complaints == [
        "Hand 1, attempt 1: This seat’s share was left out of the list."
    ]
    send_requested_messages(match, {1: other})
    services.play_out(reload(match))
    exported = check_record(match.hands.get())
    assert exported["fair"]["list"]["seats"][0] == {"seat": 0, "why": "none"}  # type: ignore[index]


def test_hand_disguised_as_an_old_hand_has_no_fair_deal_in_its_record() -> None:
    """Store a deck and a matching commitment, as for hands from before fair deals."""
    match = make_match(share_seconds=5, hand_limit=1)
    honest = Shares()
    send_requested_messages(match, {0: honest})
    hand = get_prepared_hand(match)
    rules = rulesets.make(match.ruleset, match.options)
    hand.dealer = SeatNumber(0)
    set_shuffled_deck(hand, rules.pack.notations(rules.cards()))
    store.forget(match.pk)
    services.play_out(services.start_match(match))
    exported = queries.hand_record(match.hands.get())
    assert exported["format"] == "hand-record/1"
    assert "fair" not in exported
    # The player's browser has a share for this hand.
    assert list(honest.kept) == [fair.DealKey(match.public_id, 1, 1)]


@pytest.mark.parametrize("share", [SHARE, OTHER_SHARE])
def test_one_honest_share_changes_the_deck(share: str) -> None:
    """Deal twice with the same secret and the same share of the other player."""
    decks = set()
    for mine in (SHARE, share[::-1]):
        match = make_match()
        current = get_prepared_hand(match).deals.current
        commit_to_share(match, 0, mine)
        commit_to_share(match, 1, OTHER_SHARE)
        assert get_prepared_hand(match).deals.current.secret == current.secret
        services.start_match(match)
        open_share(match, 0, mine)
        open_share(match, 1, OTHER_SHARE)
        decks.add(tuple(match.hands.get().deck))
    assert len(decks) == 2
