"""Actions per second in random playouts of other engines.

python bench/peers.py SECONDS

`bench.rules` runs this script in a separate virtual environment.
"""

import json
import random
import sys
import time
from collections.abc import Callable


def load_rlcard_uno() -> Callable[[], int]:
    """Return a function that plays a hand of RLCard's UNO and returns the number of actions.

    RLCard supports only two players.
    """
    import rlcard

    env = rlcard.make("uno", config={"seed": 1})

    def play_hand() -> int:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            state, _ = env.step(random.choice(list(state["legal_actions"])))
            steps += 1
        return steps

    return play_hand


def load_open_spiel_crazy_eights() -> Callable[[], int]:
    """Return a function that plays a hand of OpenSpiel's crazy eights with four players.

    The function returns the number of actions, including chance moves such as dealing.
    """
    import pyspiel

    game = pyspiel.load_game("crazy_eights(players=4)")

    def play_hand() -> int:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(random.choices(outcomes, weights)[0])
            else:
                state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    return play_hand


def measure_rate(play_hand: Callable[[], int], seconds: float) -> float:
    play_hand()
    start = time.process_time()
    steps = 0
    while (elapsed := time.process_time() - start) < seconds:
        steps += play_hand()
    return steps / elapsed


if __name__ == "__main__":
    seconds = float(sys.argv[1])
    random.seed(1)
    rates = {
        "RLCard env.step (uno)": measure_rate(load_rlcard_uno(), seconds),
        "OpenSpiel crazy_eights from Python": measure_rate(load_open_spiel_crazy_eights(), seconds),
    }
    print(json.dumps(rates))
