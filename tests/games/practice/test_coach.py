"""Tests of what a practice table explains, and when."""

import pytest
from django.utils import timezone

from games import queries, store
from games.models import Match
from games.protocol.table import CoachStep
from tests.games.helpers import act, begin, seat_number

pytestmark = pytest.mark.django_db


def coach(match: Match, seat: int | None = 0) -> dict[str, CoachStep]:
    snapshot = store.load(match.pk)
    view = queries.table_view(snapshot, seat_number(seat), {}, timezone.now(), controls=True)
    return {step["key"]: step for step in view["coach"]}


def due(match: Match, seat: int = 0) -> list[str]:
    return [key for key, step in coach(match, seat).items() if step["due"]]


def test_only_a_practice_table_explains_itself_and_only_to_its_player() -> None:
    assert coach(begin(["R1 R2", "R3 G9"], "R5")) == {}
    assert coach(begin(["R1 R2", "R3 G9"], "R5", practice=True), None) == {}


def test_what_fits_names_the_cards_that_can_be_played_now() -> None:
    match = begin(["R1 G1 W", "R4 R8 R6"], "R7", practice=True)
    fits = coach(match)["fits"]
    assert fits["text"].startswith(
        "A card fits if it has the same colour or the same number or symbol as the top card"
    )
    assert fits["hint"] == "You can play Red 1 and Wild now: tap a card with a bright edge."
    assert due(match) == ["fits"]
    assert coach(match, 1)["fits"]["hint"].startswith("Cards you can play get a bright edge")
    assert due(match, 1) == []


def test_drawing_is_due_when_nothing_fits_or_a_card_was_drawn() -> None:
    match = begin(["G1 G2 B3", "R4 R8 R6"], "R7", "R9", practice=True)
    assert due(match) == ["draw"]
    act(match, 0, {"draw": True})
    assert due(match) == ["fits", "draw"]


def test_specials_penalties_and_uno_are_due_when_the_table_shows_them() -> None:
    match = begin(["R+2 G1 B3", "R4 R8 G6"], "R7", practice=True)
    act(match, 0, {"play": "R+2"})
    assert due(match, 1) == ["draw", "special", "stack"]
    few = begin(["R1 R2", "R3 G9"], "R5", practice=True)
    assert due(few) == ["fits", "uno"]


def test_the_special_card_that_lies_on_the_pile_is_the_one_that_is_explained() -> None:
    match = begin(["RS R+2 B3", "R4 RR RR"], "R7", practice=True)
    assert coach(match, 1)["special"]["text"].startswith("Reverse: ")
    act(match, 0, {"play": "RS"})
    assert coach(match, 1)["special"]["text"] == "Skip: The next player loses their turn."


def test_winning_tells_the_number_that_wins() -> None:
    score = coach(begin(["R1 G1", "R4 R8"], "R7", ruleset="uno-500", practice=True))["score"]
    assert score["text"].endswith(
        "The first player to reach the target wins. The target is 500 points."
    )
