"""Comparison of the bots with RLCard's rule model, in RLCard's own UNO.

python bench/rlcard_bots.py HANDS

`bench.bots` runs this script in a separate virtual environment.

RLCard's UNO has different rules. Players who can play must play. A drawn wild, or a drawn card of
the top card's colour, is played immediately. A Reverse has no effect with two players. A bot gets
its seat's view of RLCard's game in the format of `Position.view`, with the most similar options and
only the plays that RLCard allows. The opponents play at random. Each bot plays the same deals.
"""

import json
import statistics
import sys
from collections.abc import Mapping
from random import Random
from typing import Any

import numpy
import rlcard
from rlcard import models
from rlcard.games.uno.utils import ACTION_SPACE

from games.rules.actions.knowledge import PlayerView
from games.rules.bots import bots
from games.rules.chance import QuickChance
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets

RULES = rulesets.make(
    "uno-400", {"renege": False, "drawn_card": "must", "uno_penalty": 0, "challenge": False}
)
FACES = {"skip": "S", "reverse": "R", "draw_2": "+2", "wild": "W", "wild_draw_4": "W+4"}
DECK = 108


def to_notation(card: str) -> str:
    """Return Lastcard's notation of an RLCard card, such as R5 for `r-5`."""
    color, trait = card.split("-")
    face = FACES.get(trait, trait)
    return face if face.startswith("W") else color.upper() + face


def to_action(name: str) -> dict[str, Any]:
    """Return the JSON of the action with this name in RLCard."""
    if name == "draw":
        return {"draw": True}
    card = to_notation(name)
    return {"play": card, "color": name[0].upper()} if card.startswith("W") else {"play": card}


def to_view(state: Mapping[str, Any], names: Mapping[str, str]) -> PlayerView:
    """Convert RLCard's state for a seat into a `PlayerView`.

    The keys of `names` are the legal actions as JSON.
    """
    raw, seat = state["raw_obs"], int(state["raw_obs"]["current_player"])
    counts = [int(count) for count in raw["num_cards"]]
    own = [to_notation(card) for card in raw["hand"]]
    # After a reshuffle, RLCard's discard pile is empty, without its top card.
    discards = [to_notation(card) for card in raw["played_cards"]] or [to_notation(raw["target"])]
    hand = Position.set_up(
        RULES,
        [own if other == seat else [] for other in range(2)],
        [*discards[:-1], to_notation(raw["target"])],
        [],
        turn=seat,
        color=raw["target"][0].upper(),
        chance=QuickChance(Random(1).random),
    )
    seen = hand.view(seat)
    actions = [json.loads(name) for name in names]
    playable = dict.fromkeys(move["play"] for move in actions if "play" in move)
    pile = DECK - sum(counts) - len(discards)
    return seen | {
        "counts": counts,
        "draw_pile": pile,
        "actions": actions,
        "playable": list(playable),
    }


class BotAgent:
    """Agent for RLCard that plays like a Lastcard bot."""

    use_raw = False

    def __init__(self, strength: str) -> None:
        self.strength = strength
        self.rng = Random(1)

    def step(self, state: Mapping[str, Any]) -> int:
        names = {json.dumps(to_action(name)): name for name in state["raw_legal_actions"]}
        if len(names) == 1:
            return int(ACTION_SPACE[next(iter(names.values()))])
        chosen = bots.choose_action(to_view(state, names), RULES, self.strength, self.rng)
        return int(ACTION_SPACE[names[json.dumps(chosen.to_json())]])

    def eval_step(self, state: Mapping[str, Any]) -> tuple[int, list[float]]:
        return self.step(state), []


class RandomAgent(BotAgent):
    """Agent that plays any legal action at random."""

    def __init__(self) -> None:
        super().__init__("random")

    def step(self, state: Mapping[str, Any]) -> int:
        return int(self.rng.choice(list(state["legal_actions"])))


def format_win_rate(agent: Any, hands: int) -> str:
    """Return the percentage of hands that an agent wins against random play, as text.

    The agent plays each deal from both seats. The error is that of a 95 % confidence interval over
    deals.
    """
    shares = []
    for deal in range(hands // 2):
        won = 0
        for seat in (0, 1):
            env = rlcard.make("uno", config={"seed": deal})
            numpy.random.seed(deal)
            env.set_agents([agent if place == seat else RandomAgent() for place in (0, 1)])
            _, payoffs = env.run(is_training=False)
            won += payoffs[seat] > 0
        shares.append(won / 2)
    error = statistics.stdev(shares) / len(shares) ** 0.5
    return f"{100 * statistics.mean(shares):5.1f} % ± {196 * error:.1f}"


if __name__ == "__main__":
    hands = int(sys.argv[1])
    agents = {
        "uno-rule-v1 against random": models.load("uno-rule-v1").agents[0],
        "plain against random": BotAgent("plain"),
        "strong against random": BotAgent("strong"),
    }
    print(json.dumps([[label, format_win_rate(agent, hands)] for label, agent in agents.items()]))
