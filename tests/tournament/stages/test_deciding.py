"""Sentences about how each stage of an event is decided."""

import pytest

from tests.factories import make_event
from tests.tournament.staging import make_stage
from tournament.models import Event, Stage
from tournament.pure.formats.sentences import describe_winning
from tournament.results.queries import rules_of
from tournament.stages.deciding import describe_deciding

pytestmark = pytest.mark.django_db

# The formats of the stages, the scoring, the clause in the description of the format, and the
# sentence on the event's page.
CASES: list[tuple[list[str], str, str, str]] = [
    (
        [],
        "winner-takes",
        "the player with the most points over all rounds wins the event",
        "The player with the most points after all rounds wins.",
    ),
    (
        ["rounds"],
        "winner-takes",
        "the player with the most points over all rounds wins the event",
        "The player with the most points after 3 rounds wins.",
    ),
    (
        ["rounds"],
        "lowest",
        "the player with the fewest points per match over all rounds wins the event",
        "The player with the fewest points per match after 3 rounds wins.",
    ),
    (
        ["rounds"] * 2,
        "winner-takes",
        "the player with the most points in the last stage wins the event",
        "Stage 2: the player with the most points wins, and earlier rounds don’t count.",
    ),
    (
        ["rounds"] * 2,
        "lowest",
        "the player with the fewest points per match in the last stage wins the event",
        "Stage 2: the player with the fewest points per match wins, and earlier rounds "
        "don’t count.",
    ),
    (
        ["bracket"],
        "winner-takes",
        "the winner of the final wins the event",
        "Knockout: the top 2 of each table advance until only the final table is left. "
        "At each table, the player with the most points wins.",
    ),
    (
        ["rounds", "bracket"],
        "lowest",
        "the winner of the final wins the event",
        "Then knockout: the top 2 of each table advance until only the final table is "
        "left. At each table, the player with the fewest points wins.",
    ),
]


def make_event_with_stages(formats: list[str], scoring: str) -> tuple[Event, list[Stage]]:
    event = make_event(options={"scoring": scoring})
    return event, [
        make_stage(event, n, format=each, advance=2, title=f"Stage {n}", rounds_planned=3)
        for n, each in enumerate(formats, 1)
    ]


@pytest.mark.parametrize(("formats", "scoring", "clause", "sentence"), CASES)
def test_page_explains_what_decides_the_winner(
    formats: list[str], scoring: str, clause: str, sentence: str
) -> None:
    event, stages = make_event_with_stages(formats, scoring)
    assert describe_winning(stages, rules_of(event).scoring) == clause
    assert sentence in describe_deciding(event, stages)


def test_first_tie_break_is_named_if_points_decide() -> None:
    event, stages = make_event_with_stages(["rounds"], "winner-takes")
    assert describe_deciding(event, stages).endswith(" The first tie-break is matches won.")
    event, stages = make_event_with_stages(["rounds", "bracket"], "winner-takes")
    assert "tie-break" not in describe_deciding(event, stages)


@pytest.mark.parametrize(
    ("rule", "value", "scoring", "sentence"),
    [
        ("number", 8, "winner-takes", "the 8 players with the most points advance."),
        ("number", 1, "winner-takes", "the player with the most points advances."),
        ("number", 8, "lowest", "the 8 players with the fewest points per match advance."),
        ("share", 25, "winner-takes", "the top 25% of the players advance."),
        ("top_k", 2, "winner-takes", "the top 2 of each table in the last round advance."),
        ("top_k", 1, "winner-takes", "the winner of each table in the last round advances."),
        ("number", 0, "winner-takes", "the organizers decide how many players advance."),
    ],
)
def test_description_of_a_rule_states_which_players_advance(
    rule: str, value: int, scoring: str, sentence: str
) -> None:
    event, stages = make_event_with_stages(["rounds", "bracket"], scoring)
    stages[0].qualify_rule, stages[0].qualify_value = rule, value
    assert describe_deciding(event, stages).startswith(f"Stage 1: {sentence} Then knockout: ")


def test_description_states_what_decides_if_turnout_is_low() -> None:
    event, stages = make_event_with_stages(["rounds", "rounds"], "lowest")
    stages[0].thresholds = "9: 4, 17: 8"
    assert describe_deciding(event, stages).startswith(
        "Stage 1: how many players advance depends on turnout. With fewer than 9 "
        "players, no one advances, and the player with the fewest points per match "
        "wins. "
    )
    stages[0].qualify_rule = Stage.Rule.TOP_K
    assert "no one advances" not in describe_deciding(event, stages)
    assert "no one advances" not in describe_deciding(event, stages[:1])


def test_number_of_spots_is_shown_once_known() -> None:
    event, stages = make_event_with_stages(["rounds", "bracket"], "winner-takes")
    assert describe_deciding(event, stages, 32, 8).startswith(
        "Stage 1: the 8 players with the most points advance. Then knockout: "
    )


def test_small_event_is_described_without_a_knockout() -> None:
    event, stages = make_event_with_stages(["rounds", "bracket"], "winner-takes")
    stages[1].state = Stage.State.WAITING
    small = (
        "The player with the most points after 3 rounds wins. The first tie-break is matches won."
    )
    assert describe_deciding(event, stages, 16) == small
    assert "Then knockout: " in describe_deciding(event, stages, 17)
    # The organizers have opened the second stage despite the small number of players.
    stages[1].state = Stage.State.OPEN
    assert "Then knockout: " in describe_deciding(event, stages, 16)
