"""Tests of the values that separate neighbouring players."""

from fractions import Fraction

import pytest

from tournament.pure.ranking import MatchResult, Value, format_pair, rank_players


def test_reason_shows_enough_decimals_to_tell_values_apart() -> None:
    """Check two shares of table points that would both be rounded to 0.08."""
    tables = [MatchResult((1, 2), (60, 690)), MatchResult((3, 4), (60, 700))]
    rows = rank_players(dict(enumerate("ABCD", 1)), tables, ("points", "share"))
    assert [row.name for row in rows] == ["D", "B", "A", "C"]
    assert rows[-1].sentence == "Behind A on share of table points: 0.079 to 0.080."


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ((Fraction(1, 3), Fraction(1, 2)), ("0.33", "0.50")),
        ((Fraction(1), Fraction(9_999, 10_000)), ("1", "0.9999")),
        ((Fraction(1, 3), Fraction(1, 3)), ("0.33", "0.33")),
        ((Fraction(1, 1_000), Fraction(0)), ("0.001", "0")),
        ((None, Fraction(3)), ("–", "3")),
    ],
)
def test_different_values_are_formatted_differently(
    values: tuple[Value, Value], shown: tuple[str, str]
) -> None:
    assert format_pair(*values) == shown
