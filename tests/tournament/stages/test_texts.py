import pytest

from tests.tournament.helpers import (
    first_stage,
    make_organized_event,
    make_second_stage,
    play_first_round,
)
from tournament.advancing.services import qualify
from tournament.models import Stage
from tournament.stages.cut import CutRule
from tournament.stages.texts import stage_text

pytestmark = pytest.mark.django_db

COUNT_UNDECIDED = (
    "The organizers will decide how many players advance once they know how many took part."
)
BY_TURNOUT = (
    "How many players advance depends on turnout: 8 if there are at least 17 players, 16 if there "
    "are at least 33 players and 25% if there are at least 65 players."
)


@pytest.mark.parametrize(
    ("rule", "value", "sentence"),
    [
        ("number", 8, "Then the top 8 players advance."),
        ("number", 1, "Then the top player advances."),
        ("share", 25, "Then the top 25% of the players who took part advance."),
        ("top_k", 2, "Then the top 2 of each table advance."),
        ("top_k", 1, "Then the winner of each table advances."),
        ("thresholds", 8, BY_TURNOUT),
        ("number", 0, COUNT_UNDECIDED),
        ("share", 150, COUNT_UNDECIDED),
    ],
)
def test_text_of_the_first_stage_states_its_rounds_and_rule(
    rule: str, value: int, sentence: str
) -> None:
    event, _ = make_organized_event(0)
    event.stages.filter(number=1).update(qualify_rule=rule, qualify_value=value)
    assert stage_text(first_stage(event)) == f"Everyone plays 3 rounds. {sentence}"


def test_text_of_a_closed_stage_states_how_many_advanced() -> None:
    event, organizer = make_organized_event(16)
    make_second_stage(event, organizer, 8)
    text = "Everyone played 1 round. 8 players advanced."
    assert stage_text(first_stage(event)) == text


def test_text_of_a_closed_stage_states_that_no_one_advanced() -> None:
    event, organizer = make_organized_event(8)
    stage = play_first_round(event, organizer)
    qualify(stage, organizer, CutRule(Stage.Rule.THRESHOLDS, 8, Stage.Ties.LOTS, 1), [])
    assert stage_text(first_stage(event)).endswith("No one advanced. The standings decide.")


@pytest.mark.parametrize(
    ("through", "sentence"),
    [
        (1, "No opponents are left, so the only player who advanced has won."),
        (4, "There is only one table: the final."),
        (8, "The top 2 of each table advance until only the final table is left."),
    ],
)
def test_text_of_the_bracket_depends_on_the_number_of_players(through: int, sentence: str) -> None:
    event, organizer = make_organized_event(16)
    before = "The top 2 of each table advance until only the final table is left."
    assert stage_text(event.stages.get(number=2)) == before
    assert stage_text(make_second_stage(event, organizer, through)) == sentence
