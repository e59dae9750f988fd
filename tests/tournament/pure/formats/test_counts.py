"""Tests of the number of rounds of a stage."""

import pytest

from tournament.pure.formats.counts import count_rotation_rounds, count_rounds
from tournament.pure.formats.shapes import MatchPlan, StagePlan


@pytest.mark.parametrize(("players", "rounds"), [(3, None), (4, 3), (8, 7)])
def test_rotation_lasts_until_all_pairs_have_played(players: int, rounds: int | None) -> None:
    assert count_rotation_rounds(players) == rounds


def test_impossible_bracket_has_no_number_of_rounds() -> None:
    play = MatchPlan("uno-400", "winner-takes", 400, False, 2, 10, 4)
    bracket = StagePlan("Final", format="bracket", advance=9)
    assert count_rounds(bracket, 30, play) is None
