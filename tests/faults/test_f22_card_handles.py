"""F22: handles of cards, which reveal nothing about the faces."""

import json
from typing import Any

import pytest

from games.models import Match
from tests.games.helpers import act, begin
from tests.games.viewing import get_view

pytestmark = pytest.mark.django_db


def test_cards_keep_their_handles_while_the_hand_changes() -> None:
    match = begin(["R1 R1 G4", "R4 R5 R6"], "R7", "B1 Y1")
    before = {card["id"]: card["card"] for card in get_view(match, 0)["cards"]}
    assert list(before.values()) == ["R1", "R1", "G4"]
    assert len(before) == 3
    act(match, 0, {"play": "R1"})
    act(match, 1, {"play": "R4"})
    act(match, 0, {"draw": True})
    after = {card["id"]: card["card"] for card in get_view(match, 0)["cards"]}
    assert list(after.values()) == ["R1", "G4", "B1"]
    assert {name: before[name] for name in before if name in after} == dict(list(after.items())[:2])


def test_handles_are_sent_only_to_their_player() -> None:
    match = begin(["R1 R1 G4", "R4 R5 R6"], "R7")
    own = [card["id"] for card in get_view(match, 0)["cards"]]
    for other in (1, None):
        sent = json.dumps(get_view(match, other))
        assert [handle for handle in own if handle in sent] == []


@pytest.mark.parametrize("hidden", ["R1 R2 R3", "W+4 W+4 W+4", "B+2 W Y9", "G0 BS YR"])
def test_messages_to_others_have_the_same_length_for_any_cards(hidden: str) -> None:
    plain, other = begin(["Y1 Y2 Y3", "R4 R5 R6"], "R7"), begin([hidden, "R4 R5 R6"], "R7")
    sizes = [
        {seat: len(json.dumps(view_without_identity(match, seat))) for seat in (1, None)}
        for match in (plain, other)
    ]
    assert sizes[0] == sizes[1]


# Keys whose values differ between any two matches.
MATCH_SPECIFIC_KEYS = ("match", "seats", "clock", "log", "prompt", "last", "deal")


def view_without_identity(match: Match, seat: int | None) -> dict[str, Any]:
    """Return a seat's view without the keys that differ between any two matches."""
    return {
        key: value for key, value in get_view(match, seat).items() if key not in MATCH_SPECIFIC_KEYS
    }
