"""Tests of the plausibility check of totals that people enter by hand."""

import pytest

from games.rules.ruleset import rulesets
from games.rules.scoring import MatchScore
from games.rules.totals import Bounds, explain_impossible_totals

TIMED_BOUNDS = Bounds(timed=True)
UNBOUNDED = Bounds()


def get_rejection_reason(
    points: list[int], bounds: Bounds = UNBOUNDED, rules: str = "uno-400", **options: object
) -> str:
    return explain_impossible_totals(rulesets.make(rules, options), points, bounds)


@pytest.mark.parametrize(
    ("points", "bounds"),
    [
        ([400, 0, 0, 0], UNBOUNDED),
        ([120, 410, 0, 35], UNBOUNDED),
        ([399, 1019, 399, 399], UNBOUNDED),
        ([0, 0, 0, 0], TIMED_BOUNDS),
        ([90, 0, 35, 0], TIMED_BOUNDS),
        ([90, 0, 35, 0], Bounds(2)),
        ([90, 35, 20, 410], Bounds(4)),
        ([620, 0], Bounds(1)),
    ],
)
def test_possible_totals_are_accepted(points: list[int], bounds: Bounds) -> None:
    assert get_rejection_reason(points, bounds) == ""


@pytest.mark.parametrize(
    ("points", "bounds", "words"),
    [
        ([0, 0, 0, 0], UNBOUNDED, "At least one player must have points."),
        ([0, 0, 0, 0], Bounds(2), "At least one player must have points."),
        (
            [399, 0, 0, 0],
            UNBOUNDED,
            "No one has reached the target of 400 points, and the match has no other limit.",
        ),
        ([400, 410, 0, 0], UNBOUNDED, "Only one player can have reached the target of 400 points."),
        (
            [1640, 0, 0, 0],
            UNBOUNDED,
            "No number of hands can add up to 1640 points with these cards.",
        ),
        (
            [1500, 0, 0, 0],
            UNBOUNDED,
            "One hand would have had to be worth 1101 points, more than half the value of "
            "the whole deck.",
        ),
        (
            [20, 30],
            Bounds(1),
            "Only one side scores in each hand, so these totals would take 2 hands. The "
            "match has only 1 hand.",
        ),
        (
            [300, 300, 300, 300],
            Bounds(2),
            "Only one side scores in each hand, so these totals would take 4 hands. The "
            "match has only 2 hands.",
        ),
    ],
)
def test_impossible_final_totals_are_explained(
    points: list[int], bounds: Bounds, words: str
) -> None:
    assert get_rejection_reason(points, bounds) == words


def test_every_loser_holds_a_card_that_counts() -> None:
    three_losers, one_loser = [2, 0, 0, 0], [2, 0]
    assert get_rejection_reason(three_losers, TIMED_BOUNDS, "crazy-eights") == (
        "No number of hands can add up to 2 points with these cards."
    )
    assert get_rejection_reason(one_loser, TIMED_BOUNDS, "crazy-eights") == ""


@pytest.mark.parametrize(
    ("points", "bounds", "words"),
    [
        ([120, 500, 120, 500], UNBOUNDED, ""),
        ([120, 60, 120, 60], Bounds(2), ""),
        (
            [120, 500, 110, 500],
            UNBOUNDED,
            "Partners (seats 1 and 3, seats 2 and 4) must have the same number of points.",
        ),
        (
            [500, 510, 500, 510],
            UNBOUNDED,
            "Only one pair can have reached the target of 500 points.",
        ),
        (
            [120, 60, 120, 60],
            Bounds(1),
            "Only one side scores in each hand, so these totals would take 2 hands. The "
            "match has only 1 hand.",
        ),
    ],
)
def test_partners_must_have_equal_points(points: list[int], bounds: Bounds, words: str) -> None:
    assert get_rejection_reason(points, bounds, "uno-500", partners=True) == words


@pytest.mark.parametrize(
    ("points", "bounds", "words"),
    [
        ([30, 410, 420, 90], UNBOUNDED, ""),
        ([0, 60, 70, 80], Bounds(1), ""),
        ([10, 60, 70, 80], Bounds(2), ""),
        (
            [400, 410, 420, 430],
            UNBOUNDED,
            "Not everyone can have reached the target of 400 points.",
        ),
        (
            [10, 60, 70, 80],
            Bounds(1),
            "The winner of a hand scores nothing, so these totals would take more than 1 "
            "hand, the limit for this match.",
        ),
        (
            [0, 0, 0, 3000],
            Bounds(3),
            "No number of hands can add up to 3000 points with these cards.",
        ),
        (
            [0, 900, 900, 900],
            UNBOUNDED,
            "The last hand would have had to be worth more points than the whole deck.",
        ),
    ],
)
def test_winner_of_a_hand_scores_nothing_when_the_lowest_total_wins(
    points: list[int], bounds: Bounds, words: str
) -> None:
    assert get_rejection_reason(points, bounds, scoring="lowest") == words


@pytest.mark.parametrize(
    ("points", "bounds", "words"),
    [
        ([30, 510, 520, 600], UNBOUNDED, ""),
        ([30, 510, 20, 600], TIMED_BOUNDS, ""),
        (
            [30, 510, 20, 600],
            UNBOUNDED,
            "The match has no other limit, so all players but one must have reached the "
            "target of 500 points.",
        ),
        (
            [500, 510, 520, 600],
            TIMED_BOUNDS,
            "Not everyone can have reached the target of 500 points.",
        ),
    ],
)
def test_elimination_leaves_one_player(points: list[int], bounds: Bounds, words: str) -> None:
    assert get_rejection_reason(points, bounds, "uno-500", scoring="elimination") == words


def test_search_for_the_fewest_hands_is_limited() -> None:
    """Check that the search ends even if the target could only be reached in very many hands."""
    assert get_rejection_reason([100, 0], Bounds(1), target=99_999) == ""
    assert "points with these cards." in get_rejection_reason([99_999, 0], UNBOUNDED, target=99_999)


def test_any_card_total_is_possible_when_only_a_hand_limit_ends_the_match() -> None:
    assert get_rejection_reason([100, 0], Bounds(1), target=0) == ""
    assert get_rejection_reason([900, 0], Bounds(4), target=0) == ""
    assert get_rejection_reason([100, 0], UNBOUNDED, target=0) == (
        "This match has no target and no limit, so it would never end."
    )


def test_points_never_end_a_match_without_a_target() -> None:
    score = MatchScore(rulesets.make("uno-500", {"target": 0}), 2, [(90_000, 0)])
    assert (score.over, score.playing) == (False, [0, 1])


def test_unreachable_target_counts_as_no_target() -> None:
    rules = rulesets.make("uno-500", {"target": 100_000})
    assert (rules.target, rules.changed_options()) == (0, {"target": 0})
