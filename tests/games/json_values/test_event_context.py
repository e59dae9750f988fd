"""Tests of the name of a match: its round and table in an event, or its title."""

from typing import Any

import pytest

from games.json_values.event_context import Occasion
from games.models import Match


@pytest.mark.parametrize(
    ("occasion", "label", "stored"),
    [
        (Occasion(4, 2), "Round 2, table 4", {"table": 4, "round": 2}),
        (
            Occasion(2, 5, "quarter"),
            "Quarter-final, table 2",
            {"table": 2, "round": 5, "name": "quarter"},
        ),
        (
            Occasion(1, 6, "semi"),
            "Semi-final, table 1",
            {"table": 1, "round": 6, "name": "semi"},
        ),
        (Occasion(1), "Final, table 1", {"table": 1, "round": None}),
    ],
)
def test_event_match_is_named_after_its_round_and_table(
    occasion: Occasion, label: str, stored: dict[str, Any]
) -> None:
    assert (occasion.label, occasion.to_json()) == (label, stored)
    assert Occasion.from_json(stored) == occasion
    assert Match(title="Another", occasion=occasion).heading == label


@pytest.mark.parametrize("occasion", [Occasion(), Occasion(round=3), Occasion(name="semi")])
def test_occasion_without_a_table_is_empty(occasion: Occasion) -> None:
    assert not occasion
    assert occasion.to_json() == {}
    assert Match(title="A friendly game", occasion=occasion).heading == "A friendly game"


def test_practice_match_is_always_called_practice() -> None:
    assert Match(title="Another", occasion=Occasion(4, 2), practice=True).heading == "Practice"


@pytest.mark.parametrize(
    ("pk", "title", "label"), [(7, "", "Match 7"), (7, "A friendly game", "A friendly game")]
)
def test_match_without_a_title_is_named_by_its_number(pk: int, title: str, label: str) -> None:
    assert str(Match(pk=pk, title=title)) == label


@pytest.mark.parametrize(
    ("before", "start"), [([], []), ([[5, 0]], [5, 0]), ([[5, 0], [0, 7], [1, 1]], [6, 8])]
)
def test_seats_start_with_the_sum_of_earlier_hands(
    before: list[list[int]], start: list[int]
) -> None:
    assert Match(before=before).start == start
