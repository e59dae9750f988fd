"""Helpers for reviews: a finished match, and a review of it with known figures."""

from typing import Any

from django.utils import timezone

from games.json_values.reviewed import MatchReview, ReviewedHand, ReviewedMove, ReviewedPlayer
from games.models import Match, Review
from games.seats import PlayerIndex, SeatNumber
from tests.games.helpers import act, begin, reload


def play_short_match(**fields: Any) -> Match:
    """Play a match with a single hand of three moves, which seat 0 wins."""
    match = begin(["R1 R2", "R3 G9"], "R5", **{"hand_limit": 1} | fields)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    return reload(match)


WINNER = ReviewedPlayer(0.5, 0.12, 0.48, -0.1, 0.0004, [0.62, 0.7, 0.8, 1.0])
LOSER = ReviewedPlayer(0.5, -0.1, -0.33, -0.07, 0.0001, [0.4, 0.3, 0.2, 0.0])


def make_mistake(player: int, step: int, cost: float, chosen: Any, better: Any) -> ReviewedMove:
    return ReviewedMove(PlayerIndex(player), step, chosen, better, cost, 0.011)


MOVES = [
    make_mistake(0, 0, 0.1, {"play": "R1", "uno": True}, {"play": "R2", "uno": True}),
    make_mistake(1, 1, 0.07, {"play": "R3", "uno": True}, {"draw": True}),
]


def make_reviewed_hand(*moves: ReviewedMove) -> ReviewedHand:
    return ReviewedHand(1, [SeatNumber(0), SeatNumber(1)], [WINNER, LOSER], list(moves))


def store_completed_review(match: Match, *hands: ReviewedHand) -> Review:
    """Create the match's review with these hands, as if the worker had completed it."""
    now = timezone.now()
    answer = MatchReview(list(hands)).to_json()
    return Review.objects.create(
        match=match, total=3, done=3, asked_at=now, answered_at=now, answer=answer
    )
