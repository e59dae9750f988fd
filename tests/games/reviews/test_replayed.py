"""Tests of the chart below a replay, with its marks and requests for a review."""

from typing import Any

import pytest
from django.utils import timezone

from games import queries
from games.json_values.reviewed import ReviewedHand
from games.models import Match, Review
from games.protocol.faces import Person, faces_at
from games.reviews.replayed import HandLuck
from games.seats import SeatNumber
from tests.games.helpers import make_match, seat_number
from tests.games.reviewing import (
    LOSER,
    MOVES,
    WINNER,
    make_reviewed_hand,
    play_short_match,
    store_completed_review,
)
from tests.typed import sure

pytestmark = pytest.mark.django_db


def get_luck(match: Match, seat: int | None = None) -> HandLuck:
    snapshot = queries.match_for_seat(match, seat_number(seat)).snapshot
    return queries.hand_luck(snapshot, match.hands.get(number=1), seat_number(seat))


def test_mark_is_placed_at_the_replay_step_after_the_move() -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*reversed(MOVES)))
    one, two = (seat.said for seat in match.seats.all())
    first, second = get_luck(match).marks
    assert (first.step, first.x, first.y) == (1, 33.33, 30.0)
    assert (second.step, second.x, second.y) == (2, 66.67, 80.0)
    assert first.text == f"Step 1, {one}. Better: Red 2 (+10 percentage points, ±2)."
    assert second.text == f"Step 2, {two}. Better: draw (+7 percentage points, ±2)."


def test_marks_of_the_readers_own_moves_are_highlighted() -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand(*MOVES))
    assert [mark.own for mark in get_luck(match, 1).marks] == [False, True]
    assert [mark.own for mark in get_luck(match).marks] == [False, False]


def test_curve_colours_match_the_faces_at_the_table() -> None:
    match = play_short_match()
    store_completed_review(match, make_reviewed_hand())
    drawn = sure(get_luck(match).curves)
    [shown] = queries.review_page(queries.match_for_seat(match, None).snapshot, None)["hands"]
    people = [Person(seat.name, seat.user_id) for seat in match.seats.all()]
    tones = [face["tone"] for face in faces_at(people)]
    assert [line.tone for line in drawn.lines] == tones
    assert [line.tone for line in shown.curves.lines] == tones


def test_player_keeps_their_colour_if_others_were_not_dealt_in() -> None:
    match = play_short_match()
    tones = [
        face["tone"] for face in faces_at([Person(s.name, s.user_id) for s in match.seats.all()])
    ]
    store_completed_review(match, ReviewedHand(1, [SeatNumber(1)], [LOSER], []))
    [shown] = queries.review_page(queries.match_for_seat(match, None).snapshot, None)["hands"]
    assert [line.tone for line in shown.curves.lines] == [tones[1]]


@pytest.mark.parametrize(
    ("requested", "answer", "is_open"),
    [(False, False, True), (True, False, True), (True, True, False)],
)
def test_review_is_open_until_it_is_complete(requested: bool, answer: bool, is_open: bool) -> None:
    match = play_short_match()
    if answer:
        store_completed_review(match, make_reviewed_hand())
    elif requested:
        Review.objects.create(match=match, total=3, asked_at=timezone.now())
    found = get_luck(match)
    assert (found.may, found.open, found.curves is not None) == (True, is_open, answer)


@pytest.mark.parametrize("fields", [{"replays": "never"}])
def test_match_with_hidden_cards_has_no_review(fields: dict[str, Any]) -> None:
    found = get_luck(play_short_match(**fields))
    assert (found.may, found.open, found.steps, found.marks) == (False, False, [], [])


def test_running_match_cannot_be_reviewed() -> None:
    found = get_luck(make_match(people=2))
    assert (found.may, found.open) == (False, False)


def test_hand_without_a_review_has_no_chart() -> None:
    match = play_short_match()
    store_completed_review(
        match, ReviewedHand(2, [SeatNumber(0), SeatNumber(1)], [WINNER, LOSER], [])
    )
    found = get_luck(match)
    assert (found.may, found.open, found.curves, found.steps) == (True, False, None, [])
