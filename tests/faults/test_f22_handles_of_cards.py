"""F22: what identifies a card says nothing about its face."""

import pytest

from tests.games.helpers import act, begin
from tests.games.viewing import view

pytestmark = pytest.mark.django_db


def test_cards_keep_their_handles_while_others_come_and_go() -> None:
    match = begin(["R1 R1 G4", "R4 R5 R6"], "R7", "B1 Y1")
    before = {card["id"]: card["card"] for card in view(match, 0)["cards"]}
    assert list(before.values()) == ["R1", "R1", "G4"]
    assert len(before) == 3
    act(match, 0, {"play": "R1"})
    act(match, 1, {"play": "R4"})
    act(match, 0, {"draw": True})
    after = {card["id"]: card["card"] for card in view(match, 0)["cards"]}
    assert list(after.values()) == ["R1", "G4", "B1"]
    assert {name: before[name] for name in before if name in after} == dict(list(after.items())[:2])
