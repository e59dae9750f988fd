"""Tests of players' messages for a deal, and of the reasons to refuse them."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import services, store
from games.models import Match
from games.process import Process
from games.seats import SeatNumber
from tests.games.dealing import (
    SHARE,
    commit_to_share,
    get_deal_facts,
    get_prepared_hand,
    make_commitment,
    make_share_target,
    open_share,
)
from tests.games.helpers import get_time_after_due, make_match, reload, set_shuffled_deck
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

OTHER_SHARE = "a5" * 32


def expect_refusal(code: str, call: Callable[..., object], *arguments: Any) -> str:
    """Check that the call is refused and changes nothing, and return the refusal's sentence."""
    match = arguments[0]
    pk = match.pk if isinstance(match, Match) else match
    before = Match.objects.values_list("version", "claims").get(pk=pk)
    with pytest.raises(services.RefusedError) as info:
        call(*arguments)
    assert info.value.code == code
    assert Match.objects.values_list("version", "claims").get(pk=pk) == before
    return info.value.sentence


def remove_receipt(ack: services.Ack) -> services.Ack:
    """Return the acknowledgement without its receipt, which test_receipts.py covers."""
    return replace(ack, receipt=None)


def make_match_with_share_list(*seats: int, **fields: Any) -> Match:
    """Create a match whose first list is closed and contains these seats' commitments."""
    match = make_match(**fields)
    for seat in seats:
        commit_to_share(match, seat)
    services.start_match(match)
    return reload(match)


# Commitments


def test_commitment_is_stored_without_a_new_version() -> None:
    match = make_match()
    assert remove_receipt(commit_to_share(match, 1)) == services.Ack(0)
    assert get_prepared_hand(match).deals.current.commitments == {1: make_commitment(match, 1)}
    assert (reload(match).version, reload(match).claims) == (0, 1)


def test_repeated_commitment_is_acknowledged() -> None:
    match = make_match()
    commit_to_share(match, 1)
    assert remove_receipt(commit_to_share(match, 1)) == services.Ack(0, repeated=True)
    assert reload(match).claims == 1


def test_repeated_commitment_is_acknowledged_after_the_list_closes() -> None:
    match = make_match_with_share_list(0, 1)
    assert commit_to_share(match, 1).repeated


def test_first_commitment_of_a_seat_is_final() -> None:
    match = make_match()
    commit_to_share(match, 1)
    sentence = expect_refusal("other-share", commit_to_share, match, 1, OTHER_SHARE)
    assert sentence == (
        "This seat has already committed to a different share, perhaps in another window."
    )
    assert get_prepared_hand(match).deals.current.commitments == {1: make_commitment(match, 1)}


def test_closed_list_accepts_no_new_commitment() -> None:
    match = make_match_with_share_list(0)
    sentence = expect_refusal("closed", commit_to_share, match, 1)
    assert sentence == (
        "The list of participants for this deal is closed, so no more commitments are accepted."
    )


@pytest.mark.parametrize(("hand", "attempt"), [(1, 2), (2, 1), (0, 0), (-1, 1)])
def test_commitment_to_another_hand_or_attempt_is_refused(hand: int, attempt: int) -> None:
    match = make_match()
    named = services.ShareTarget(SeatNumber(0), hand, attempt)
    sentence = expect_refusal("other-deal", services.commit_share, match.pk, named, "ab" * 32)
    assert sentence == "That deal is over. The next one is already being prepared."


def test_commitment_during_a_hand_is_refused() -> None:
    match = make_match()
    named = make_share_target(match, 0)
    services.start_match(match)
    expect_refusal("other-deal", services.commit_share, match.pk, named, "ab" * 32)


def test_commitment_after_the_match_is_refused() -> None:
    match = make_match()
    services.abandon_match(match, "Nobody came.")
    expect_refusal("other-deal", commit_to_share, match, 0)


def test_old_hand_shuffled_in_advance_accepts_no_commitment() -> None:
    match = make_match()
    named = make_share_target(match, 0)
    hand = get_prepared_hand(match)
    set_shuffled_deck(hand, ["R1"])
    store.forget(match.pk)
    expect_refusal("other-deal", services.commit_share, match.pk, named, "ab" * 32)


def test_eliminated_player_cannot_commit_to_a_share() -> None:
    match = make_match(people=3)
    hand = get_prepared_hand(match)
    hand.players = [SeatNumber(0), SeatNumber(2)]
    hand.save()
    assert (
        expect_refusal("not-in-hand", commit_to_share, match, 1) == "You’re not playing this hand."
    )


@pytest.mark.parametrize(
    "text", ["", "ab" * 31, "ab" * 33, "AB" * 32, "xy" * 32, "é" * 64, " " * 64]
)
def test_commitment_is_32_bytes_in_hex(text: str) -> None:
    match = make_match()
    sentence = expect_refusal(
        "malformed", services.commit_share, match.pk, make_share_target(match, 0), text
    )
    assert sentence == "'commitment' must be 32 bytes in lower-case hex."


# Shares


def test_only_the_last_share_creates_a_new_version() -> None:
    match = make_match_with_share_list(0, 1)
    assert remove_receipt(open_share(match, 1)) == services.Ack(1)
    assert get_prepared_hand(match).deals.current.shares == {1: SHARE}
    assert get_deal_facts(match)["opened"] == [1]


def test_opened_share_is_hidden_in_views_until_the_deal() -> None:
    match = make_match_with_share_list(0, 1)
    open_share(match, 1)
    assert [get_deal_facts(match, seat)["shares"] for seat in (0, 1, None)] == [{}, {}, {}]
    open_share(match, 0)
    assert [get_deal_facts(match, seat)["shares"] for seat in (0, None)] == [
        {"0": SHARE, "1": SHARE}
    ] * 2


def test_repeated_share_is_acknowledged() -> None:
    match = make_match_with_share_list(0, 1)
    open_share(match, 1)
    assert remove_receipt(open_share(match, 1)) == services.Ack(1, repeated=True)


def test_share_cannot_be_opened_before_the_list_closes() -> None:
    match = make_match()
    commit_to_share(match, 0)
    sentence = expect_refusal(
        "closed", services.open_share, match.pk, make_share_target(match, 0), "ab" * 32, SHARE
    )
    assert sentence == (
        "The list of participants for this deal isn’t closed yet, so no share can be opened."
    )


def test_unlisted_player_cannot_open_a_share() -> None:
    match = make_match_with_share_list(0)
    assert (
        expect_refusal("not-listed", open_share, match, 1) == "This seat has no share in this deal."
    )


def test_share_must_name_the_current_list() -> None:
    match = make_match_with_share_list(0, 1)
    sentence = expect_refusal(
        "other-list", services.open_share, match.pk, make_share_target(match, 0), "ab" * 32, SHARE
    )
    assert sentence == (
        "This share was opened for a different list of participants, not for this deal’s list."
    )


def test_share_must_match_its_commitment() -> None:
    match = make_match_with_share_list(0, 1)
    sentence = expect_refusal("wrong-share", open_share, match, 0, OTHER_SHARE)
    assert sentence == "This share doesn’t match its commitment in the list of participants."


def test_share_of_another_attempt_is_refused() -> None:
    match = make_match_with_share_list(0, 1)
    old = make_share_target(match, 0)
    digest = sure(get_deal_facts(match)["digest"])
    services.tick(get_time_after_due(match, 0))
    expect_refusal("other-deal", services.open_share, match.pk, old, digest, SHARE)


@pytest.mark.parametrize(
    ("digest", "share", "key"), [("", SHARE, "list"), ("ab" * 32, "5A" * 32, "share")]
)
def test_digest_and_share_are_32_bytes_in_hex(digest: str, share: str, key: str) -> None:
    match = make_match_with_share_list(0, 1)
    sentence = expect_refusal(
        "malformed", services.open_share, match.pk, make_share_target(match, 0), digest, share
    )
    assert sentence == f"'{key}' must be 32 bytes in lower-case hex."


def test_commitment_copied_from_another_match_cannot_be_opened() -> None:
    """Check that a commitment is bound to its match.

    A player who copies another commitment has no share that fits it.
    """
    other, match = make_match(), make_match()
    replayed = make_commitment(other, 0)
    services.commit_share(match.pk, make_share_target(match, 0), replayed)
    services.start_match(match)
    expect_refusal("wrong-share", open_share, match, 0, SHARE)


def test_commitment_copied_from_another_seat_cannot_be_opened() -> None:
    match = make_match()
    services.commit_share(match.pk, make_share_target(match, 0), make_commitment(match, 1))
    commit_to_share(match, 1)
    services.start_match(match)
    expect_refusal("wrong-share", open_share, match, 0, SHARE)


def test_commitment_copied_from_an_earlier_attempt_cannot_be_opened() -> None:
    match = make_match_with_share_list(0, 1)
    old = get_prepared_hand(match).deals.current.commitments[SeatNumber(0)]
    services.tick(get_time_after_due(match, 0))
    services.commit_share(match.pk, make_share_target(match, 0), old)
    commit_to_share(match, 1)
    expect_refusal("wrong-share", open_share, match, 0)


# Several processes and windows


def test_outdated_process_reloads_before_refusing() -> None:
    match = make_match()
    old = Process()
    with old.enter():
        store.current(match.pk)
    for seat in (0, 1):
        commit_to_share(match, seat)
    services.start_match(match)
    with old.enter():
        assert remove_receipt(open_share(match, 0)) == services.Ack(1)


def test_shares_sent_through_two_processes_are_both_stored() -> None:
    match = make_match()
    processes = [Process(), Process()]
    for process in processes:
        with process.enter():
            store.current(match.pk)
    for seat, process in enumerate(processes):
        with process.enter():
            commit_to_share(match, seat)
    assert get_prepared_hand(match).deals.current.commitments.keys() == {0, 1}
    services.start_match(match)
    for seat, process in enumerate(processes):
        with process.enter():
            open_share(match, seat)
    assert reload(match).phase == "playing"


def test_commitment_is_refused_if_another_process_has_closed_the_list() -> None:
    match = make_match()
    commit_to_share(match, 0)
    other = Process()
    with other.enter():
        store.current(match.pk)
    services.start_match(match)
    with other.enter():
        expect_refusal("closed", commit_to_share, match, 1)


def test_list_includes_a_commitment_sent_through_another_process() -> None:
    match = make_match()
    commit_to_share(match, 0)
    other = Process()
    with other.enter():
        commit_to_share(match, 1)
    services.start_match(match)
    assert sure(get_prepared_hand(match).deals.current.agreed).listed == (0, 1)


# Cost


@pytest.mark.django_db(transaction=True)
def test_commitment_and_share_cost_two_updates_and_no_reads() -> None:
    match = make_match()
    commit_to_share(match, 0)
    made = make_commitment(match, 1)
    with CaptureQueriesContext(connection) as found:
        services.commit_share(match.pk, services.ShareTarget(SeatNumber(1), 1, 1), made)
    assert list_query_kinds(found) == ["UPDATE", "UPDATE"]
    services.start_match(match)
    digest = sure(get_deal_facts(match)["digest"])
    with CaptureQueriesContext(connection) as found:
        services.open_share(match.pk, services.ShareTarget(SeatNumber(1), 1, 1), digest, SHARE)
    assert list_query_kinds(found) == ["UPDATE", "UPDATE"]


@pytest.mark.django_db(transaction=True)
def test_message_for_another_deal_does_not_reload_the_match() -> None:
    """Check that a message for the wrong deal does not slow down the other players."""
    match = make_match()
    commit_to_share(match, 0)
    known = store.find_cached(match.pk)
    with CaptureQueriesContext(connection) as found, pytest.raises(services.RefusedError):
        services.commit_share(match.pk, services.ShareTarget(SeatNumber(1), 7, 1), OTHER_SHARE)
    assert list_query_kinds(found) == ["SELECT"]
    assert store.find_cached(match.pk) is known


def list_query_kinds(queries: CaptureQueriesContext) -> list[str]:
    words = [query["sql"].partition(" ")[0] for query in queries.captured_queries]
    return [word for word in words if word in ("SELECT", "UPDATE", "INSERT")]
