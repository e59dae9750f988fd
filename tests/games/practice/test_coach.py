"""Tests of the coach's steps at a practice table, and of when they are due."""

import pytest
from django.utils import timezone

from games import queries, store
from games.models import Match
from games.protocol.table import CoachStep
from tests.games.helpers import act, begin, seat_number

pytestmark = pytest.mark.django_db


def get_coach_steps(match: Match, seat: int | None = 0) -> dict[str, CoachStep]:
    snapshot = store.load(match.pk)
    view = queries.table_view(snapshot, seat_number(seat), {}, timezone.now(), controls=True)
    return {step["key"]: step for step in view["coach"]}


def list_due_steps(match: Match, seat: int = 0) -> list[str]:
    return [key for key, step in get_coach_steps(match, seat).items() if step["due"]]


def test_only_the_player_at_a_practice_table_sees_the_coach() -> None:
    assert get_coach_steps(begin(["R1 R2", "R3 G9"], "R5")) == {}
    assert get_coach_steps(begin(["R1 R2", "R3 G9"], "R5", practice=True), None) == {}


def test_coach_explains_the_currently_playable_cards() -> None:
    match = begin(["R1 G1 W", "R4 R8 R6"], "R7", practice=True)
    fits = get_coach_steps(match)["fits"]
    assert fits["text"].startswith(
        "A card fits if it has the same colour or the same number or symbol as the top card"
    )
    assert fits["hint"] == "You can play Red 1 and Wild now: tap a card with a bright edge."
    assert list_due_steps(match) == ["fits"]
    assert get_coach_steps(match, 1)["fits"]["hint"].startswith(
        "Cards you can play get a bright edge"
    )
    assert list_due_steps(match, 1) == []


def test_draw_step_is_due_without_playable_cards_or_after_a_draw() -> None:
    match = begin(["G1 G2 B3", "R4 R8 R6"], "R7", "R9", practice=True)
    assert list_due_steps(match) == ["draw"]
    act(match, 0, {"draw": True})
    assert list_due_steps(match) == ["fits", "draw"]


def test_special_stack_and_uno_steps_are_due_when_they_apply() -> None:
    match = begin(["R+2 G1 B3", "R4 R8 G6"], "R7", practice=True)
    act(match, 0, {"play": "R+2"})
    assert list_due_steps(match, 1) == ["draw", "special", "stack"]
    few = begin(["R1 R2", "R3 G9"], "R5", practice=True)
    assert list_due_steps(few) == ["fits", "uno"]


def test_coach_explains_the_special_card_on_the_pile() -> None:
    match = begin(["RS R+2 B3", "R4 RR RR"], "R7", practice=True)
    assert get_coach_steps(match, 1)["special"]["text"].startswith("Reverse: ")
    act(match, 0, {"play": "RS"})
    assert get_coach_steps(match, 1)["special"]["text"] == "Skip: The next player loses their turn."


def test_score_step_names_the_target() -> None:
    score = get_coach_steps(begin(["R1 G1", "R4 R8"], "R7", ruleset="uno-500", practice=True))[
        "score"
    ]
    assert score["text"].endswith(
        "The first player to reach the target wins. The target is 500 points."
    )
