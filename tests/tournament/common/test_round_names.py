"""Tests of the names of rounds."""

import pytest

from tests.factories import make_event
from tests.tournament.staging import make_stage
from tournament.common.round_names import draw_text, make_round, name_of, next_ordinal, round_names
from tournament.models import Round, Stage

QUARTER, SEMI = Round.Name.QUARTER, Round.Name.SEMI


@pytest.mark.parametrize(
    ("after", "used", "title", "button"),
    [
        (0, [], "Final", "Draw seats for the final"),
        (0, [SEMI], "Final", "Draw seats for the final"),
        (1, [], "Semi-final", "Draw seats for the semi-final"),
        (1, [QUARTER], "Semi-final", "Draw seats for the semi-final"),
        (1, [SEMI], "Round 4", "Draw seats for round 4"),  # the stage already has a semi-final
        (2, [], "Quarter-final", "Draw seats for the quarter-final"),
        (2, [QUARTER], "Round 4", "Draw seats for round 4"),
        (3, [], "Round 4", "Draw seats for round 4"),
        (9, [QUARTER, SEMI], "Round 4", "Draw seats for round 4"),
    ],
)
def test_round_name_depends_on_the_remaining_rounds(
    after: int, used: list[str], title: str, button: str
) -> None:
    coming = make_round(Stage(number=2), 4, after, used)
    assert (coming.title, draw_text(coming)) == (title, button)
    assert coming.is_final is (after == 0)


def test_deleted_round_is_named_by_its_position_in_the_stage() -> None:
    names = {(1, 1): "Round 1", (2, 1): "Semi-final"}
    assert name_of((2, 1), names, "Finals") == "Semi-final"
    assert name_of((2, 2), names, "Finals") == "Finals, Round 2"
    assert name_of((1, 2), {}, "First round") == "First round, Round 2"


@pytest.mark.django_db
def test_rounds_are_numbered_across_the_event() -> None:
    event = make_event()
    assert (next_ordinal(event), round_names(event)) == (1, {})
    first, second = make_stage(event), make_stage(event, 2)
    for ordinal, (stage, number, name) in enumerate([(first, 1, ""), (first, 2, ""),
                                                     (second, 1, SEMI)], 1):  # fmt: skip
        Round.objects.create(stage=stage, number=number, ordinal=ordinal, name=name)
    assert next_ordinal(event) == 4
    assert next_ordinal(make_event()) == 1
    assert round_names(event) == {
        (1, 1): "Round 1",
        (1, 2): "Round 2",
        (2, 1): "Semi-final",
    }
    Round.objects.filter(ordinal=1).delete()  # its ordinal is not reused
    assert next_ordinal(event) == 4
