"""Tests of parsing and describing thresholds in the organizers' notation."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.pure.qualifying import QualifyingRule, RuleError
from tournament.pure.qualifying.rules import THRESHOLDS
from tournament.pure.qualifying.thresholds import (
    USUAL,
    Thresholds,
    describe_thresholds,
    read_thresholds,
)

QUARTER = Fraction(1, 4)


@pytest.mark.parametrize(
    ("text", "thresholds"),
    [
        ("5: 3", ((4, 0), (None, 3))),
        ("17: 8, 33: 16", ((16, 0), (32, 8), (None, 16))),
        ("  17 :8 ,33: 16  ", ((16, 0), (32, 8), (None, 16))),
        ("65: 25%", ((64, 0), (None, QUARTER))),
        ("65:25%", ((64, 0), (None, QUARTER))),
        ("1: 100 %", ((0, 0), (None, Fraction(1)))),
        ("9: 0, 10: 4", ((8, 0), (9, 0), (None, 4))),
        ("99999: 99999", ((99_998, 0), (None, 99_999))),
        (USUAL, THRESHOLDS),
    ],
)
def test_threshold_applies_from_its_number_of_players(text: str, thresholds: Thresholds) -> None:
    assert read_thresholds(text) == thresholds
    assert QualifyingRule("thresholds", thresholds=read_thresholds(text)).thresholds == thresholds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("17: 8", "8 if there are at least 17 players"),
        ("1: 8", "8 if there is at least 1 player"),
        (
            "17: 8, 33: 16",
            "8 if there are at least 17 players and 16 if there are at least 33 players",
        ),
        (
            USUAL,
            "8 if there are at least 17 players, 16 if there are at least 33 players and 25% if "
            "there are at least 65 players",
        ),
        ("65: 7%", "7% if there are at least 65 players"),
    ],
)
def test_thresholds_are_described_as_a_phrase(text: str, expected: str) -> None:
    assert describe_thresholds(text) == expected


@pytest.mark.parametrize(
    "text", ["", "17: 8,", "17", "17: 8 16", "-1: 8", "17: 8.5", "123456: 8", "17: 8 players"]
)
@pytest.mark.parametrize("read", [read_thresholds, describe_thresholds])
def test_invalid_threshold_is_quoted_in_the_message(
    read: Callable[[str], object], text: str
) -> None:
    typed = text.split(",")[-1]
    with pytest.raises(RuleError) as refused:
        read(text)
    assert str(refused.value) == (
        f"“{typed}” is not a threshold. Write a number of players, a colon and the number of "
        "players who advance, for example “17: 8”."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("17: 8, 17: 16", "Each threshold must be higher than the one before."),
        ("33: 8, 17: 16", "Each threshold must be higher than the one before."),
        ("17: 101%", "No more than 100% can advance."),
    ],
)
def test_impossible_thresholds_are_refused(text: str, expected: str) -> None:
    with pytest.raises(RuleError) as refused:
        read_thresholds(text)
    assert str(refused.value) == expected


steps = st.dictionaries(
    st.integers(1, 500),
    st.integers(0, 200) | st.integers(0, 100).map(lambda n: f"{n}%"),
    min_size=1,
).map(lambda found: dict(sorted(found.items())))


@given(steps, st.integers(0, 600))
def test_highest_reached_threshold_decides_how_many_advance(
    found: dict[int, int | str], took_part: int
) -> None:
    text = ", ".join(f"{start}: {places}" for start, places in found.items())
    rule = QualifyingRule("thresholds", thresholds=read_thresholds(text))
    reached = [places for start, places in found.items() if start <= took_part]
    last = reached[-1] if reached else 0
    if isinstance(last, str):
        last = -(-int(last.removesuffix("%")) * took_part // 100)
    assert rule.places(took_part) == min(last, took_part)
