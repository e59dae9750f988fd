"""Sentences about how a finished event was decided."""

import pytest

from tests.tournament.helpers import make_finished_final
from tests.tournament.stages.test_deciding import make_event_with_stages
from tournament.models import Event
from tournament.stages.deciding import describe_deciding
from tournament.stages.texts import stage_text
from tournament.standings.freezing import freeze

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("formats", "scoring", "sentence"),
    [
        (["rounds"], "winner-takes", "The player with the most points after 0 rounds won."),
        (["rounds"], "lowest", "The player with the fewest points per match after 0 rounds won."),
        (
            ["bracket"],
            "elimination",
            "Knockout: the top 2 of each table advanced. A player who reached the target was out "
            "of the match, and the last player left won it.",
        ),
    ],
)
def test_description_is_in_the_past_tense_once_the_winner_is_announced(
    formats: list[str], scoring: str, sentence: str
) -> None:
    event, stages = make_event_with_stages(formats, scoring)
    event.state = Event.State.FINISHED
    assert describe_deciding(event, stages).startswith(sentence)


def test_frozen_final_is_described_in_the_present_tense() -> None:
    event = make_finished_final([300, 200, 100])
    stages = list(event.stages.filter(number=1))
    assert describe_deciding(event, stages).startswith("The winner of the final won the event.")
    assert stage_text(stages[0]) == "There was only one table: the final."
    Event.objects.filter(pk=event.pk).update(state=Event.State.RUNNING)
    freeze(event, event.organizers.get())
    event = Event.objects.get(pk=event.pk)
    assert describe_deciding(event, stages).startswith("The winner of the final wins the event.")
