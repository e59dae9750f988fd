"""Tests of describing chances in words, and of sorting them."""

import pytest

from tournament.planning.qualification_odds import describe_chance, sort_shares
from tournament.standings.rows import QualifyingChance


@pytest.mark.parametrize(
    ("share", "key", "text"),
    [
        (1.0, "safe", "safe"),
        (0.995, "safe", "safe"),
        (0.9949, "open", "95%"),
        (0.96, "open", "95%"),
        (0.5, "open", "50%"),
        (0.28, "open", "30%"),
        (0.254, "open", "25%"),
        (0.014, "open", "5%"),
        (0.0051, "open", "5%"),
        (0.005, "out", "eliminated"),
        (0.0, "out", "eliminated"),
    ],
)
def test_near_certain_chances_are_words_and_others_are_percentages(
    share: float, key: str, text: str
) -> None:
    assert describe_chance(share) == QualifyingChance(key, text)


def test_player_without_a_simulated_share_has_no_chance() -> None:
    assert describe_chance(None) is None


def test_better_place_has_a_better_chance_with_the_same_matches_left() -> None:
    shares = {1: 0.82, 2: 0.85, 3: 0.2, 4: 0.3, 5: 0.9}
    assert sort_shares(shares, [[1, 2, 3, 4], [5], [6]]) == {
        1: 0.85,
        2: 0.82,
        3: 0.3,
        4: 0.2,
        5: 0.9,
    }
