"""F6: actions out of turn."""

from typing import Any

import pytest

from games import services, store
from games.models import Match
from games.rules.ruleset.rulesets import RULE_SETS
from tests.faults.cases import TryCounter
from tests.games.helpers import act, begin, list_log, make_match
from tests.games.windows import open_windows
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_only_the_sender_receives_a_refusal(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second):
        answer = second.act({"play": "R3"})
        assert answer == {
            "type": "refused",
            "id": answer["id"],
            "code": "not-your-turn",
            "message": "It’s not your turn.",
            "version": 1,
        }
        first.send({"type": "ping", "version": 1})
        assert first.wait_for("pong")["version"] == 1
        assert [message["type"] for message in first.heard].count("refused") == 0


def list_turn_actions(match: Match) -> tuple[int, list[dict[str, Any]]]:
    """Return the seat to act and its available actions, without calls and catches.

    Calls and catches are allowed out of turn.
    """
    _, position = store.load(match.pk).in_play
    actions = [dict(action) for action in position.view(position.actor)["actions"]]
    return position.actor, [each for each in actions if not {"call", "catch"} & each.keys()]


def get_refusal_code(match: Match, seat: int, action: dict[str, Any]) -> str:
    with pytest.raises(services.RefusedError) as refused:
        act(match, seat, action, client_id="out of turn")
    return refused.value.code


@pytest.mark.parametrize("ruleset", RULE_SETS)
def test_no_rule_set_lets_other_players_act_out_of_turn(ruleset: str, tries: TryCounter) -> None:
    """Try each available action of the seat to act from all other seats."""
    match = services.start_match(make_match(ruleset, people=3))
    for _ in tries(3, 60):
        if store.load(match.pk).match.phase != "playing":
            match = services.start_match(make_match(ruleset, people=3))
        actor, actions = list_turn_actions(match)
        before = len(list_log(match))
        others = [seat for seat in range(3) if seat != actor]
        assert {get_refusal_code(match, seat, each) for seat in others for each in actions} == {
            "not-your-turn"
        }
        assert len(list_log(match)) == before
        act(match, actor, actions[0])
