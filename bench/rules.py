"""Random playouts per rule set, actions per second on one core, beside two other engines.

python bench/rules.py [SECONDS per measurement]

Four players, all rules, the seat to act choosing evenly among everything that is legal for it. The
hand is the one of live play, driven by codes instead of JSON, and without a log. Processor time is
counted, so that what else the machine does matters little. The other engines are installed into a
venv of the bench's own.
"""

import json
import subprocess
import sys
import time
import venv
from pathlib import Path
from random import Random

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from games.rules import rulesets  # noqa: E402
from games.rules.chance import QuickChance  # noqa: E402
from games.rules.hand import Hand  # noqa: E402

PEERS = ["rlcard==1.2.0", "open_spiel==2.0.2"]
VENV = HERE / ".venv"
SEATS = 4


def play_hand(rs: rulesets.RuleSet, dealer: int, deck: list[int], chance: QuickChance) -> int:
    """One random hand; how many actions it took."""
    random = chance.random
    chance.shuffle(deck)
    hand = Hand.deal(rs, SEATS, dealer, deck, chance)
    actions = 0
    while not hand.over:
        codes = hand.legal_codes()
        hand.apply_code(codes[int(random() * len(codes))])
        actions += 1
    return actions


def rate(rs: rulesets.RuleSet, seconds: float) -> tuple[float, float]:
    """Actions per second, and actions per hand."""
    chance = QuickChance(Random(1).random)
    deck = rs.cards()
    play_hand(rs, 0, deck, chance)
    began = time.process_time()
    hands = actions = 0
    while (took := time.process_time() - began) < seconds:
        actions += play_hand(rs, hands % SEATS, deck, chance)
        hands += 1
    return actions / took, actions / hands


def peer_rates(seconds: float) -> dict[str, float]:
    """Actions per second of the other engines, in their own venv."""
    python = VENV / "bin" / "python"
    if not (VENV / "installed").exists():
        print(f"installing {' and '.join(PEERS)} into {VENV.relative_to(HERE.parent)} …")
        venv.create(VENV, with_pip=True, clear=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        done = subprocess.run([*pip, *PEERS], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        (VENV / "installed").touch()
    command = [python, HERE / "peers.py", str(seconds)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main(seconds: float) -> None:
    print(f"Random playouts, {SEATS} players, full rules, one core")
    rates = {}
    for key, rs in rulesets.RULE_SETS.items():
        rates[key], length = rate(rs, seconds)
        print(f"  {key:34} {rates[key]:>10,.0f} actions/s   {length:6,.0f} actions a hand")
    print("Others in the same run, and how many times as fast uno-500 is")
    for name, theirs in peer_rates(seconds).items():
        print(f"  {name:34} {theirs:>10,.0f} actions/s   {rates['uno-500'] / theirs:6.1f} times")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
