"""F8: cards that do not fit, and wilds without a colour, are refused with a reason."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.utils import timezone

from games import services, store
from games.matches import ticks
from games.models import Match
from games.rules.actions.knowledge import PlayerView
from games.rules.hand.refusals import HandCode
from games.rules.ruleset.rulesets import RULE_SETS
from tests.faults.cases import TryCounter
from tests.games.helpers import act, begin, list_log, make_match

pytestmark = pytest.mark.django_db


def expect_refusal(match: Match, action: dict[str, Any], seat: int = 0) -> tuple[str, str]:
    """Check that an action is refused and changes nothing, and return the code and the sentence."""
    before = store.load(match.pk).match
    with pytest.raises(services.RefusedError) as refusal:
        act(match, seat, action, client_id=f"try {action}")
    after = store.load(match.pk).match
    assert (after.version, after.state) == (before.version, before.state)
    return refusal.value.code, refusal.value.sentence


@pytest.mark.parametrize(
    ("action", "code", "sentence"),
    [
        ({"play": "G4"}, "does-not-fit", "You can’t play Green 4: you need red, a 5 or a wild."),
        (
            {"play": "W"},
            "color-needed",
            "Choose a colour to play Wild: red, yellow, green or blue.",
        ),
        ({"play": "W", "color": "P"}, "color-unknown", None),
        ({"play": "W", "color": "S"}, "color-unknown", None),
        ({"play": "W", "color": ""}, "malformed", None),
        ({"play": "W", "color": ["R"]}, "malformed", None),
        ({"play": "R1", "color": "G"}, "color-not-wanted", None),
        ({"play": "R1", "with": 1}, "seat-not-wanted", None),
    ],
)
def test_refusal_states_the_reason(action: dict[str, Any], code: str, sentence: str | None) -> None:
    match = begin(["R1 G4 W W+4", "R3 R4 B9 B8"], "R5")
    found, said = expect_refusal(match, action)
    assert found == code
    assert said.endswith(".")
    assert sentence is None or said == sentence
    assert list_log(match) == []


def iter_turns(ruleset: str, count: int) -> Iterator[tuple[Match, int, PlayerView]]:
    """Yield the match, the seat to act and its view for `count` turns, played by a bot."""
    match = services.start_match(make_match(ruleset, people=3))
    for _ in range(count):
        snapshot = store.load(match.pk)
        if snapshot.match.phase != Match.Phase.PLAYING:
            match = services.start_match(make_match(ruleset, people=3))
            snapshot = store.load(match.pk)
        _, position = snapshot.in_play
        yield match, position.actor, position.view(position.actor)
        store.forget(match.pk)
        ticks.act_as_bot(store.load(match.pk), "random", timezone.now())


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_unplayable_card_is_refused_with_the_reason_in_the_view(
    ruleset: str, tries: TryCounter
) -> None:
    for match, seat, view in iter_turns(ruleset, len(list(tries(6, 60)))):
        for card, why in view["why"].items():
            code, said = expect_refusal(match, {"play": card}, seat)
            assert (code in [*HandCode], said) == (True, why)
