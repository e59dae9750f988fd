"""Tests of players' readiness for the next hand."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import services, store
from games.json_values.state import LiveState
from games.models import Match
from games.seats import SeatNumber
from tests.games.dealing import commit_to_share, get_prepared_hand
from tests.games.deals.test_shares import expect_refusal
from tests.games.helpers import act, begin, reload

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def make_match_between_hands(people: int = 2, **fields: Any) -> Match:
    """Create a match whose first hand has been won, with all players present at the table."""
    held = ["R1 R2", "R3 G9", "Y4 Y5"][:people]
    match = begin(held, "R5", between_seconds=60, **fields)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    for seat in range(2, people):
        act(match, seat, {"draw": True})
    act(match, 0, {"play": "R2"})
    match.seats.filter(user__isnull=False).update(seen_at=timezone.now())
    return reload(match)


def send_ready(match: Match, seat: int, hand: int = 2) -> services.Ack:
    return services.note_ready(match.pk, SeatNumber(seat), hand)


def get_step(match: Match) -> str:
    deals = get_prepared_hand(match).deals
    return "closed" if deals.closed else "open"


def test_hand_is_dealt_when_all_are_ready_and_committed() -> None:
    match = make_match_between_hands()
    for seat in (0, 1):
        commit_to_share(match, seat)
    send_ready(match, 0)
    assert get_step(match) == "open"
    send_ready(match, 1)
    assert get_step(match) == "closed"


def test_deal_waits_for_an_outstanding_share() -> None:
    match = make_match_between_hands()
    commit_to_share(match, 0)
    send_ready(match, 0)
    send_ready(match, 1)
    assert get_step(match) == "open"
    commit_to_share(match, 1)
    assert get_step(match) == "closed"


def test_absent_player_does_not_delay_the_deal() -> None:
    match = make_match_between_hands()
    match.seats.filter(number=1).update(seen_at=timezone.now() - timedelta(minutes=1))
    commit_to_share(match, 0)
    commit_to_share(match, 1)
    send_ready(match, 0)
    assert get_step(match) == "closed"


def test_commitments_without_ready_players_do_not_shorten_the_pause() -> None:
    match = make_match_between_hands()
    commit_to_share(match, 0)
    commit_to_share(match, 1)
    assert get_step(match) == "open"


def test_ready_players_do_not_resume_a_paused_table() -> None:
    match = make_match_between_hands()
    for seat in (0, 1):
        commit_to_share(match, seat)
    services.pause_match(match)
    send_ready(match, 0)
    send_ready(match, 1)
    assert get_step(match) == "open"


def test_repeated_ready_message_changes_nothing() -> None:
    match = make_match_between_hands()
    first = send_ready(match, 0)
    assert send_ready(match, 0) == services.Ack(first.version, repeated=True)


def test_ready_seats_are_stored_in_the_state() -> None:
    match = make_match_between_hands()
    send_ready(match, 1)
    assert store.load(match.pk).match.state.ready == (1,)
    assert LiveState.from_json({}).ready == ()


def test_only_players_of_the_next_hand_can_be_ready() -> None:
    match = make_match_between_hands()
    expect_refusal("other-deal", services.note_ready, match.pk, SeatNumber(0), 3)
    expect_refusal("not-in-hand", services.note_ready, match.pk, SeatNumber(9), 2)


def test_ready_message_is_refused_during_a_hand() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5")
    expect_refusal("other-deal", services.note_ready, match.pk, SeatNumber(0), 2)
