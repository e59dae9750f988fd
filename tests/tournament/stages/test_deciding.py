"""What decides an event is said alike on its page and in the sentence that tells all of it."""

import pytest

from tests.factories import make_event
from tests.tournament.staging import make_stage
from tournament.events.formats.sentences import decides
from tournament.models import Event, Stage
from tournament.results.queries import rules_of
from tournament.stages.deciding import what_decides

pytestmark = pytest.mark.django_db

EQUAL = "Only on equal points something else counts: "
# Stages by their formats, a way of counting, the clause, and what is said around it.
CASES: list[tuple[list[str], str, str]] = [
    ([], "winner-takes", "the most points over all rounds win the event"),
    (["rounds"], "winner-takes", "the most points over all rounds win the event"),
    (["rounds"], "lowest", "the fewest points per match over all rounds win the event"),
    (["rounds"] * 2, "winner-takes", "the most points in the last stage win the event"),
    (
        ["rounds"] * 2,
        "lowest",
        "the fewest points per match in the last stage win the event",
    ),
    (["bracket"], "winner-takes", "the winner of the final wins the event"),
    (["rounds", "bracket"], "winner-takes", "the winner of the final wins the event"),
]


def event_of(formats: list[str], scoring: str) -> tuple[Event, list[Stage]]:
    event = make_event(options={"scoring": scoring})
    return event, [
        make_stage(event, n, format=each, advance=2) for n, each in enumerate(formats, 1)
    ]


@pytest.mark.parametrize(("formats", "scoring", "clause"), CASES)
def test_the_event_s_page_says_the_clause_as_a_sentence(
    formats: list[str], scoring: str, clause: str
) -> None:
    event, stages = event_of(formats, scoring)
    assert decides(stages, rules_of(event).scoring) == clause
    sentence = f"{clause[0].upper()}{clause[1:]}."
    assert sentence in what_decides(event, stages)


def test_around_it_a_table_s_winner_who_goes_on_and_what_counts_on_equal_points() -> None:
    event, stages = event_of(["rounds", "bracket"], "winner-takes")
    assert what_decides(event, stages) == (
        "At a table the most points win. The best 2 of each table go on. The winner of the final "
        "wins the event. Earlier rounds decide only who gets there. With fewer than 17 players "
        "nobody goes on; then the most points over all rounds win the event."
    )
    event, stages = event_of(["rounds"], "winner-takes")
    assert what_decides(event, stages).startswith(
        f"The most points over all rounds win the event. {EQUAL}"
    )


def test_only_where_the_turnout_decides_few_players_end_with_the_rounds() -> None:
    event, stages = event_of(["rounds", "rounds"], "lowest")
    stages[0].thresholds = "9: 4, 17: 8"
    few = "With fewer than 9 players nobody goes on; then the fewest points per match"
    assert few in what_decides(event, stages)
    stages[0].qualify_rule = Stage.Rule.TOP_K
    assert "nobody goes on" not in what_decides(event, stages)
    assert "nobody goes on" not in what_decides(event, stages[:1])
