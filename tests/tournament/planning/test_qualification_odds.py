"""A chance in words."""

import pytest

from tournament.planning.qualification_odds import chance
from tournament.standings.rows import QualifyingChance


@pytest.mark.parametrize(
    ("share", "key", "text"),
    [
        (1.0, "safe", "safe"),
        (0.995, "safe", "safe"),
        (0.9949, "open", "99%"),
        (0.99, "open", "99%"),
        (0.5, "open", "50%"),
        (0.254, "open", "25%"),
        (0.014, "open", "1%"),
        (0.0051, "open", "1%"),
        (0.005, "out", "eliminated"),
        (0.0, "out", "eliminated"),
    ],
)
def test_what_is_nearly_sure_is_a_word_and_all_else_a_figure(
    share: float, key: str, text: str
) -> None:
    assert chance(share) == QualifyingChance(key, text)


def test_who_cannot_go_through_at_all_has_none() -> None:
    assert chance(None) is None
