"""Tests of players' readiness for the next hand, and its effects."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import services, store
from games.json_values.state import LiveState
from games.models import Match
from games.seats import SeatNumber
from tests.games.dealing import commit, get_prepared_hand
from tests.games.deals.test_shares import expect_refusal
from tests.games.helpers import act, begin, fresh

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def make_match_between_hands(people: int = 2, **fields: Any) -> Match:
    """Create a match whose first hand has been won, with everyone present at the table."""
    held = ["R1 R2", "R3 G9", "Y4 Y5"][:people]
    match = begin(held, "R5", between_seconds=60, **fields)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    for seat in range(2, people):
        act(match, seat, {"draw": True})
    act(match, 0, {"play": "R2"})
    match.seats.filter(user__isnull=False).update(seen_at=timezone.now())
    return fresh(match)


def ready(match: Match, seat: int, hand: int = 2) -> services.Ack:
    return services.note_ready(match.pk, SeatNumber(seat), hand)


def step(match: Match) -> str:
    deals = get_prepared_hand(match).deals
    return "closed" if deals.closed else "open"


def test_once_all_are_ready_and_have_promised_their_shares_the_hand_is_dealt() -> None:
    match = make_match_between_hands()
    for seat in (0, 1):
        commit(match, seat)
    ready(match, 0)
    assert step(match) == "open"
    ready(match, 1)
    assert step(match) == "closed"


def test_a_share_that_is_still_to_come_is_waited_for() -> None:
    match = make_match_between_hands()
    commit(match, 0)
    ready(match, 0)
    ready(match, 1)
    assert step(match) == "open"
    commit(match, 1)
    assert step(match) == "closed"


def test_who_is_not_here_holds_nobody_up() -> None:
    match = make_match_between_hands()
    match.seats.filter(number=1).update(seen_at=timezone.now() - timedelta(minutes=1))
    commit(match, 0)
    commit(match, 1)
    ready(match, 0)
    assert step(match) == "closed"


def test_nobody_is_made_to_hurry_by_the_shares_alone() -> None:
    match = make_match_between_hands()
    commit(match, 0)
    commit(match, 1)
    assert step(match) == "open"


def test_a_paused_table_stays_so() -> None:
    match = make_match_between_hands()
    for seat in (0, 1):
        commit(match, seat)
    services.pause_match(match)
    ready(match, 0)
    ready(match, 1)
    assert step(match) == "open"


def test_to_say_it_twice_changes_nothing() -> None:
    match = make_match_between_hands()
    first = ready(match, 0)
    assert ready(match, 0) == services.Ack(first.version, repeated=True)


def test_the_sheet_says_who_is_ready_and_the_next_hand_forgets_it() -> None:
    match = make_match_between_hands()
    ready(match, 1)
    assert store.load(match.pk).match.state.ready == (1,)
    assert LiveState.from_json({}).ready == ()


def test_only_who_plays_the_next_hand_can_be_ready_for_it() -> None:
    match = make_match_between_hands()
    expect_refusal("other-deal", services.note_ready, match.pk, SeatNumber(0), 3)
    expect_refusal("not-in-hand", services.note_ready, match.pk, SeatNumber(9), 2)


def test_while_a_hand_is_played_there_is_nothing_to_be_ready_for() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5")
    expect_refusal("other-deal", services.note_ready, match.pk, SeatNumber(0), 2)
