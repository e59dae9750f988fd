"""Tests of how a review is stored."""

import json

import pytest

from games.json_values.reviewed import MatchReview, ReviewedHand, ReviewedMove
from games.rules.bots.evaluation import WinEstimate
from games.rules.bots.luck import HandReview, LuckBreakdown, Mistake
from games.seats import PlayerIndex, SeatNumber
from tests.rules.table import make_position


def make_hand_review() -> HandReview:
    """Return a review of two players, one of whom has made four mistakes."""
    review = HandReview(make_position("uno-400", "R5|R6 R7", top="R1"), [], "it")
    review.accounts = [
        LuckBreakdown(
            0.5, [0.61234567, 1.0], deal=0.11234567, later=0.4, play=-0.01, variance=0.0004
        ),
        LuckBreakdown(0.5, [0.4, 0.0], deal=-0.1, later=-0.4),
    ]
    review.decisions = [
        Mistake(0, step, {"play": "R5"}, None, WinEstimate(cost, 0.01))
        for step, cost in enumerate((0.02, 0.3, 0.05, 0.1))
    ]
    return review


def make_reviewed_hand() -> ReviewedHand:
    return ReviewedHand.from_review(2, [SeatNumber(1), SeatNumber(3)], make_hand_review())


def test_review_survives_a_round_trip() -> None:
    review = MatchReview([make_reviewed_hand()])
    assert MatchReview.from_json(json.loads(json.dumps(review.to_json()))) == review


def test_changes_are_stored_exactly_and_curves_are_rounded_to_four_digits() -> None:
    first, second = make_reviewed_hand().accounts
    assert (first.deal, first.curve, first.won) == (0.11234567, [0.6123, 1.0], 1.0)
    assert second.won == 0.0


def test_three_most_costly_moves_are_listed_worst_first() -> None:
    assert [move.cost for move in make_reviewed_hand().worst] == [0.3, 0.1, 0.05]
    assert make_reviewed_hand().moves[0] == ReviewedMove(
        PlayerIndex(0), 0, {"play": "R5"}, None, 0.02, 0.01
    )


def test_review_of_a_newer_version_is_refused() -> None:
    with pytest.raises(ValueError, match="MatchReview of version 2 cannot be read"):
        MatchReview.from_json({"version": 2, "hands": []})
