"""Tests of the chances at each step of a replay, for readers who may see the review."""

from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone

from games import queries, store
from games.json_values.reviewed import ReviewedHand
from games.models import Match
from games.protocol.replay import StepLuck
from tests.games.helpers import begin, reload, seat_number
from tests.games.reviewing import (
    LOSER,
    MOVES,
    WINNER,
    make_mistake,
    make_reviewed_hand,
    play_short_match,
    store_completed_review,
)
from tests.protocol import validate
from tests.typed import sure

pytestmark = pytest.mark.django_db


def list_luck_by_step(match: Match, seat: int | None = None) -> list[StepLuck]:
    snapshot = queries.match_for_seat(match, seat_number(seat)).snapshot
    return queries.hand_luck(snapshot, sure(match.hands.first()), None).steps


def make_reviewed_match(*moves: Any, **fields: Any) -> Match:
    match = play_short_match(**fields)
    store_completed_review(match, make_reviewed_hand(*moves))
    return match


def test_each_replay_step_has_its_win_chances() -> None:
    match = make_reviewed_match()
    one, two = (seat.said for seat in match.seats.all())
    message = list_luck_by_step(match)
    assert [step["chances"] for step in message] == [
        {"0": 62, "1": 40},
        {"0": 70, "1": 30},
        {"0": 80, "1": 20},
        {"0": 100, "1": 0},
    ]
    assert message[1]["text"] == f"Chances of winning: {one} 70% and {two} 30%."
    assert len(message) == len(queries.replay(match.hands.get()))


def test_better_move_is_shown_at_the_step_of_the_mistake() -> None:
    assert [step["better"] for step in list_luck_by_step(make_reviewed_match(*MOVES))] == [
        "",
        "Better: Red 2 (+10 percentage points, ±2).",
        "Better: draw (+7 percentage points, ±2).",
        "",
    ]


def test_two_mistakes_in_one_action_share_a_step() -> None:
    unsaid = make_mistake(0, 0, 0.05, {"play": "R1"}, {"play": "R1", "uno": True})
    message = list_luck_by_step(make_reviewed_match(MOVES[0], unsaid))[1]["better"]
    assert message == (
        "Better: Red 2 (+10 percentage points, ±2). Better: say UNO (+5 percentage points, ±2)."
    )


def test_only_the_likeliest_winners_of_many_players_are_shown() -> None:
    match = begin(["R1 R2", "R3 G9", "B1 B2", "B3 B4", "Y1 Y2"], "R5", hand_limit=1)
    Match.objects.update(phase="over", ended="hand-limit", due=None)
    match.hands.update(points=[0] * 5, ended_at=timezone.now())
    store.forget(match.pk)
    match = reload(match)
    accounts = [replace(LOSER, curve=[chance]) for chance in (0.1, 0.3, 0.2, 0.05, 0.35)]
    seats = list(match.seats.all())
    store_completed_review(match, ReviewedHand(1, [seat.number for seat in seats], accounts, []))
    names = [seat.said for seat in seats]
    [found] = list_luck_by_step(match)
    assert found["text"] == (
        f"Most likely to win: {names[4]} 35%, {names[1]} 30%, {names[2]} 20% and {names[0]} 10%."
    )
    assert len(found["chances"]) == 5


def test_chances_are_keyed_by_seat_of_the_match() -> None:
    match = play_short_match()
    store_completed_review(
        match, ReviewedHand(1, [*reversed(make_reviewed_hand().players)], [WINNER, LOSER], [])
    )
    assert list_luck_by_step(match)[0]["chances"] == {"1": 62, "0": 40}


def test_unreviewed_hand_has_no_chances() -> None:
    match = play_short_match()
    store_completed_review(match, replace(make_reviewed_hand(), number=2))
    assert list_luck_by_step(match) == list_luck_by_step(play_short_match()) == []


@pytest.mark.parametrize(
    "fields",
    [{"replays": "never"}, {"viewers": "delayed", "viewer_delay_seconds": 60}, {"stopped": True}],
)
def test_reader_without_access_gets_no_review(fields: dict[str, Any]) -> None:
    stopped = fields.pop("stopped", False)
    if stopped:
        fields = {"viewers_until": timezone.now()}
    match = make_reviewed_match(*MOVES, **fields)
    shown = queries.match_for_seat(match, None).snapshot
    assert (list_luck_by_step(match), queries.review_sentence(shown)) == ([], "")
    own = queries.match_for_seat(match, seat_number(0)).snapshot
    # A review reveals the winner, so it is hidden from players while the event hides the places.
    open_to_players = fields.get("replays") != "never" and not stopped
    assert bool(queries.review_sentence(own)) == open_to_players


def test_replay_page_with_a_review_matches_the_protocol() -> None:
    match = make_reviewed_match(*MOVES)
    snapshot, message = queries.match_for_seat(match, None).snapshot, list_luck_by_step(match)
    page = queries.replay_page(snapshot, match.hands.get(), None, message)
    assert page["luck"] == message
    validate("ReplayPage", page)
