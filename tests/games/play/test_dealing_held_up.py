"""Tests of deals that are held up by missing shares, pauses, the end of a match or crashes."""

from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta

import pytest

from games import services, store
from games.client.shares import Shares
from games.models import Hand, Match
from games.process import Process
from games.rules.fair import deal as fair
from tests.games.dealing import (
    SHARE,
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

pytestmark = pytest.mark.django_db

OTHER_SHARE = "a5" * 32


# Void attempts


def void_attempt(match: Match, *silent: int) -> None:
    """Void the current attempt to deal.

    Both seats commit, but the `silent` seats do not open their shares in time.
    """
    for seat in (0, 1):
        commit_to_share(match, seat)
    if get_deal_facts(match)["step"] == "commit":
        services.tick(get_time_after_due(match, 0))
    for seat in (0, 1):
        if seat not in silent:
            open_share(match, seat)
    services.tick(get_time_after_due(match, 0))


def test_unopened_share_voids_the_attempt_and_the_next_one_uses_new_values() -> None:
    match = make_match_between_hands()
    before = get_prepared_hand(match)
    void_attempt(match, 1)
    hand, message = get_prepared_hand(match), get_deal_facts(match)
    assert (message["attempt"], message["step"], message["list"], message["mine"]) == (
        2,
        "commit",
        None,
        None,
    )
    assert hand.commitment == message["server"] != before.commitment
    first, second = hand.deals.attempts
    assert (first.outcome, second.outcome, second.commitments) == ("void", "", {})
    assert first.secret != second.secret
    (void,) = message["void"]
    assert (void["attempt"], void["shares"]) == (1, {"0": SHARE})
    assert void["secret"] == first.secret.hex()


def test_next_attempt_accepts_commitments_for_at_most_three_seconds() -> None:
    match = make_match_between_hands()
    void_attempt(match, 1)
    voided = reload(match)
    services.tick(sure(voided.due) - timedelta(seconds=0.1))
    assert get_deal_facts(match)["step"] == "commit"
    services.tick(voided.due)
    assert reload(match).phase == "playing"
    entries = sure(sure(match.hands.get(number=2).deals.dealt).agreed).entries
    assert entries == ((0, fair.NO_NONE), (1, fair.NO_NONE))


def test_next_attempt_closes_as_soon_as_all_have_committed() -> None:
    match = make_match_between_hands()
    void_attempt(match, 1)
    for seat in (0, 1):
        commit_to_share(match, seat, OTHER_SHARE)
    assert get_deal_facts(match)["step"] == "open"
    for seat in (0, 1):
        open_share(match, seat, OTHER_SHARE)
    hand = match.hands.get(number=2)
    exported = check_record(hand)
    assert [void["list"]["attempt"] for void in exported["fair"]["void"]] == [1]  # type: ignore[attr-defined]


def test_player_who_failed_twice_is_excluded_from_the_list() -> None:
    match = make_match_between_hands()
    void_attempt(match, 1)
    void_attempt(match, 1)
    assert get_deal_facts(match)["attempt"] == 3
    with pytest.raises(services.RefusedError) as refused:
        commit_to_share(match, 1)
    assert refused.value.code == "not-listed"
    commit_to_share(match, 0)  # the list waits for no other player
    assert get_deal_facts(match)["step"] == "open"
    open_share(match, 0)
    hand = match.hands.get(number=2)
    assert sure(sure(hand.deals.dealt).agreed).entries[1] == (1, fair.NO_FAILED)
    check_record(hand)


def test_server_deals_immediately_if_all_have_failed_twice() -> None:
    match = make_match_between_hands()
    void_attempt(match, 0, 1)
    void_attempt(match, 0, 1)
    assert reload(match).phase == "playing"
    hand = match.hands.get(number=2)
    assert hand.commitment == hand.deals.current.commitment
    check_record(hand)


def test_failed_player_gets_another_chance_in_the_next_hand() -> None:
    match = make_match_between_hands()
    for _ in range(2):
        void_attempt(match, 0, 1)
    services.redo_hand(match, "A card was shown.")
    commit_to_share(match, 1)
    services.tick(get_time_after_due(match, 0))
    assert get_prepared_hand(match).deals.current.missing == (1,)


def redo_current_hand(match: Match) -> None:
    """Have the current hand dealt again, in a new deal."""
    services.redo_hand(match, "A card was shown.")


def test_player_who_delayed_two_hands_is_excluded_from_the_third_only() -> None:
    match = make_match_between_hands()
    for _ in range(2):
        void_attempt(match, 1)
        commit_to_share(match, 0)
        services.tick(get_time_after_due(match, 0))
        open_share(match, 0)
        redo_current_hand(match)
    with pytest.raises(services.RefusedError) as refused:
        commit_to_share(match, 1)
    assert refused.value.code == "not-listed"
    assert refused.value.sentence.startswith(
        "This seat’s share missed the opening deadline in earlier"
    )
    commit_to_share(match, 0)
    services.tick(get_time_after_due(match, 0))
    open_share(match, 0)
    hand = match.hands.get(number=4)
    (attempt,) = hand.deals.attempts
    assert sure(attempt.agreed).entries[1] == (1, fair.NO_BEFORE)
    check_record(hand)
    redo_current_hand(match)
    commit_to_share(match, 1)
    services.tick(get_time_after_due(match, 0))
    assert get_prepared_hand(match).deals.current.missing == (1,)


# Pauses and ends


def test_paused_match_accepts_shares_and_deals_on_resume() -> None:
    match = make_match_between_hands()
    for seat in (0, 1):
        commit_to_share(match, seat)
    services.tick(get_time_after_due(match, 0))
    services.pause_match(match)
    for seat in (0, 1):
        open_share(match, seat)
    assert services.tick(get_time_after_due(match, 3600)) == 0
    assert reload(match).phase == "between"
    resumed = services.resume_match(match)
    assert services.tick(resumed.due) == 1
    assert reload(match).phase == "playing"
    assert sure(resumed.due) <= sure(match.hands.get(number=2).dealt_at)


def test_pause_does_not_void_an_attempt() -> None:
    match = make_match_between_hands()
    commit_to_share(match, 0)
    services.tick(get_time_after_due(match, 0))
    left = sure(reload(match).due)
    services.pause_match(match)
    assert services.tick(left + timedelta(hours=1)) == 0
    assert get_deal_facts(match)["step"] == "open"
    services.resume_match(match)
    open_share(match, 0)
    assert reload(match).phase == "playing"


def test_waiting_start_can_be_paused() -> None:
    match = services.start_match(make_match(share_seconds=5))
    services.pause_match(match)
    for seat in (0, 1):
        commit_to_share(match, seat)
    assert get_deal_facts(match)["step"] == "commit"
    resumed = services.resume_match(match)
    services.tick(resumed.due)
    assert get_deal_facts(match)["step"] == "open"


def test_abandoned_match_leaves_its_attempt_unused() -> None:
    match = make_match_between_hands()
    commit_to_share(match, 0)
    services.abandon_match(match, "Enough.")
    assert get_prepared_hand(match).deals.current.outcome == "unused"
    assert get_current_view(match)["deal"] is None


def test_match_abandoned_before_its_start_leaves_its_attempt_unused() -> None:
    match = make_match()
    services.abandon_match(match, "Nobody came.")
    assert get_prepared_hand(match).deals.current.outcome == "unused"


def test_prepared_hand_is_not_dealt_after_time_is_up() -> None:
    match = make_match_between_hands(ends_at=None)
    Match.objects.filter(pk=match.pk).update(ends_at=match.due)
    store.forget(match.pk)
    services.tick(get_time_after_due(match, 0))
    assert (reload(match).ended, get_prepared_hand(match).deals.current.outcome) == (
        "time",
        "unused",
    )


def test_list_closed_in_time_is_dealt_even_after_time_is_up() -> None:
    """Guard against a player who ends the match by withholding a share."""
    match = make_match_between_hands()
    commit_to_share(match, 1)
    services.tick(get_time_after_due(match, 0))
    Match.objects.filter(pk=match.pk).update(ends_at=reload(match).due)
    store.forget(match.pk)
    services.tick(get_time_after_due(match, 0))  # voids the attempt
    services.tick(get_time_after_due(match, 0))  # deals without commitments
    assert reload(match).phase == "playing"


def test_redealt_hand_uses_a_new_deal() -> None:
    match = make_match()
    first = deal_first_hand(match)
    services.redo_hand(match, "A card was shown.")
    second = get_prepared_hand(match)
    assert (second.number, second.deals.current.number, second.dealer) == (2, 1, first.dealer)
    assert second.deals.current.secret != first.deals.current.secret
    check_record(match.hands.get(number=1))


def test_eliminated_player_is_not_listed() -> None:
    options = {"scoring": "elimination", "target": 30}
    smaller: list[Hand] = []
    while not smaller:  # usually one of five players is eliminated before the end
        match = make_match("ocho", people=5, options=options)
        services.play_out(services.start_match(match))
        smaller = [hand for hand in match.hands.all() if len(hand.players) < 5]
    for hand in smaller:
        entries = sure(sure(hand.deals.dealt).agreed).entries
        assert [seat for seat, _ in entries] == hand.players
        check_record(hand)


def test_match_is_played_out_without_the_shares_of_committed_players() -> None:
    match = make_match(hand_limit=1)
    commit_to_share(match, 0)
    services.start_match(match)
    assert get_deal_facts(match)["step"] == "open"
    services.play_out(reload(match))
    hand = match.hands.get()
    assert [attempt.outcome for attempt in hand.deals.attempts] == ["void", "dealt"]
    check_record(hand)


# Crashes


@pytest.mark.parametrize("steps", range(7))
def test_another_process_continues_after_a_crash_at_any_step(steps: int) -> None:
    """Check that another process finishes the deal after a crash at any step.

    Each step is committed completely or not at all.
    """
    match = make_match_between_hands()
    shares = {seat: Shares() for seat in (0, 1)}
    messages: list[Callable[[], object]] = [
        lambda: send_requested_messages(match, {0: shares[0]}),
        lambda: send_requested_messages(match, {1: shares[1]}),
        lambda: services.tick(get_time_after_due(match, 0)),
        lambda: send_requested_messages(match, {1: shares[1]}),
        lambda: services.tick(get_time_after_due(match, 0)),  # voids the attempt
        lambda: send_requested_messages(match, shares),
        lambda: send_requested_messages(match, shares),
    ]
    for done, step in enumerate(messages):
        # A new process has no cached state, so it reads the database.
        with Process().enter() if done >= steps else nullcontext():
            step()
    assert reload(match).phase == "playing"
    hand = match.hands.get(number=2)
    assert [attempt.outcome for attempt in hand.deals.attempts] == ["void", "dealt"]
    check_record(hand)
    assert [seat.complaints for seat in shares.values()] == [[], []]
