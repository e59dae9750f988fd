"""Tests of a stage's label: the organizers' title, or the translated name."""

import pytest
from django.utils import translation

from tests.tournament.helpers import make_organized_event
from tournament.models import Stage
from tournament.pure.formats import LATER, READY, ReadyFormat

Name = Stage.Name


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["Rounds", "Knockout", "Finals"]),
        ("bn", ["রাউন্ড", "নকআউট", "ফাইনাল পর্ব"]),
        ("hi", ["राउंड", "नॉकआउट", "फ़ाइनल चरण"]),
    ],
)
def test_stage_name_is_translated_for_the_reader(language: str, expected: list[str]) -> None:
    names = [Name.ROUNDS, Name.KNOCKOUT, Name.FINALS]
    with translation.override(language):
        assert [Stage(name=name).label for name in names] == expected
        assert [str(Stage(name=name)) for name in names] == expected
        assert {str(Stage(title="Morning", name=name)) for name in names} == {"Morning"}


@pytest.mark.parametrize("ready", READY.values(), ids=READY)
def test_stages_of_predefined_formats_have_a_name_and_no_title(ready: ReadyFormat) -> None:
    assert all(plan.name in Name.values and not plan.title for plan in ready.stages)
    assert len({plan.name for plan in ready.stages}) == len(ready.stages)


def test_added_stages_have_a_name_and_no_title() -> None:
    assert {key: plan.name for key, plan in LATER.items()} == {
        "rounds": Name.LATER,
        "bracket": Name.FINALS,
    }


@pytest.mark.django_db
def test_stages_of_a_new_event_are_labelled_by_their_names() -> None:
    event, _organizer = make_organized_event(0)
    assert [stage.label for stage in event.stages.order_by("number")] == [
        "First round (everyone plays)",
        "Second round (knockout)",
    ]
