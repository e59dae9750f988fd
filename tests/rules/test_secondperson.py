"""What somebody did is told to them as "you", with what they alone have seen."""

from typing import Any

import pytest

from games.rules import rulesets
from games.rules.secondperson import YOURS
from games.rules.sentences import sentence, told

OCHO = rulesets.make("ocho", {})
NAMES = ["Asha", "Ben", "Chitra"]
SEEN = {"0": {"cards": {"1": "R7", "2": "B2"}}}


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"event": kind, **fields}


PLAY = event("played", seat=0, card="R7", uno=False)


@pytest.mark.parametrize(
    ("happened", "you", "text"),
    [
        (PLAY, None, "Asha plays Red 7."),
        (PLAY, 1, "Asha plays Red 7."),
        (PLAY, 0, "You play Red 7."),
        (PLAY | {"uno": True, "color": "B"}, 0, "You play Red 7, name blue and say UNO."),
        (
            event("drew", seat=1, cards=2, why="dead_red"),
            1,
            "You have no red card and draw 2 cards.",
        ),
        (event("drew", seat=1, cards=0, why="turn"), 1, "You have to draw, but no card is left."),
        (event("caught", seat=1, by=0, cards=2), 0, "You catch Ben, who has not said UNO."),
        (event("caught", seat=1, by=0, cards=2), 1, "Asha catches you, as you have not said UNO."),
        (event("swapped", seat=0) | {"with": 1}, 1, "Asha swaps hands with you."),
        (event("shielded", seat=0, of=1, cards=4), 0, "Your Shield sends 4 cards back to Ben."),
        (event("said_ocho", seat=0), 0, "you say “Ocho!”"),
        (event("revealed", seat=0, private=SEEN), 0, "You see Red 7 of Ben, Blue 2 of Chitra."),
        (event("revealed", seat=0, private=SEEN), 1, "Asha sees one card of each opponent."),
    ],
)
def test_one_event(happened: dict[str, Any], you: int | None, text: str) -> None:
    assert sentence(happened, NAMES, OCHO, you) == text


def test_the_whole_of_an_action_has_the_reader_in_each_of_its_parts() -> None:
    events = [PLAY | {"card": "DR"}, event("drew", seat=1, cards=2, why="dead_red")]
    assert told(events, NAMES, OCHO, 0).startswith("You play Dead Red: Ben has no red card")
    assert (
        told(events, NAMES, OCHO, 1)
        == "Asha plays Dead Red: you have no red card and draw 2 cards."
    )


def test_a_won_challenge_tells_its_player_what_the_other_held() -> None:
    bluff = event("challenged", seat=0, of=1, guilty=True, private={"0": {"cards": ["R7", "B2"]}})
    assert (
        sentence(bluff, NAMES, OCHO, 0) == "You challenge Ben: it was a bluff, with Red 7, Blue 2."
    )
    assert sentence(bluff, NAMES, OCHO, 1) == "Asha challenges you: it was a bluff."


def test_every_text_in_the_second_person_fills_the_same_places() -> None:
    for text, yours in YOURS.items():
        places = {place for place in ("{cards}", "{color}", "{points}", "{card}") if place in text}
        assert all(place in yours for place in places), text
