import pytest

from tests.tournament.helpers import first_stage, organized, played_first_round, qualified
from tournament.advancing.services import qualify
from tournament.models import Stage
from tournament.stages.cut import CutRule
from tournament.stages.texts import stage_text

pytestmark = pytest.mark.django_db

NOT_KNOWN_YET = "How many go through, the organizers say when they know how many took part."
BY_TURNOUT = (
    "How many go through follows from how many take part: 8 from 17 players on, 16 from 33 players "
    "on and 25 % from 65 players on."
)


@pytest.mark.parametrize(
    ("rule", "value", "sentence"),
    [
        ("number", 8, "Then the best 8 players go through."),
        ("number", 1, "Then the best player goes through."),
        ("share", 25, "Then the best 25 % of those who took part go through."),
        ("top_k", 2, "Then the best 2 of each table go through."),
        ("top_k", 1, "Then the best of each table go through."),
        ("thresholds", 8, BY_TURNOUT),
        ("number", 0, NOT_KNOWN_YET),
        ("share", 150, NOT_KNOWN_YET),
    ],
)
def test_the_first_stage_tells_how_many_rounds_and_who_goes_through(
    rule: str, value: int, sentence: str
) -> None:
    event, _ = organized(0)
    event.stages.filter(number=1).update(qualify_rule=rule, qualify_value=value)
    assert stage_text(first_stage(event)) == f"3 rounds that everybody plays. {sentence}"


def test_a_closed_first_stage_tells_what_became_of_it() -> None:
    event, organizer = organized(16)
    qualified(event, organizer, 8)
    text = "1 round that everybody played. 8 players went through."
    assert stage_text(first_stage(event)) == text


def test_a_first_stage_that_nobody_left_tells_so() -> None:
    event, organizer = organized(8)
    stage = played_first_round(event, organizer)
    qualify(stage, organizer, CutRule(Stage.Rule.THRESHOLDS, 8, Stage.Ties.LOTS, 1), [])
    assert stage_text(first_stage(event)).endswith("No one advances: the standings decide.")


@pytest.mark.parametrize(
    ("through", "sentence"),
    [
        (1, "Nobody is left to play against: who went through has won."),
        (4, "One table: the final."),
        (8, "The best 2 of each table go on, until one table is left: the final."),
    ],
)
def test_the_second_stage_tells_the_way_to_the_final(through: int, sentence: str) -> None:
    event, organizer = organized(16)
    before = "The best 2 of each table go on, until one table is left: the final."
    assert stage_text(event.stages.get(number=2)) == before
    assert stage_text(qualified(event, organizer, through)) == sentence
