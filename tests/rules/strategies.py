"""Hypothesis strategies for rule sets with any options, hands in any state, and any actions."""

from random import Random
from typing import Any

from hypothesis import strategies as st

from games.rules.actions.actions import Action
from games.rules.actions.codes import STAGES, TURN
from games.rules.chance import QuickChance, RecordingChance
from games.rules.deck import decks
from games.rules.hand.events import Event
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import OPTIONS, OptionError, RuleSet

# Hands with few cards end sooner, and most special situations occur near the end.
_INTS = {"hand_size": (1, 6), "target": (1, 1000), "blanks": (0, 4)}


def _choose_value(name: str, rng: Random) -> Any:
    option = OPTIONS[name]
    if option.kind == "int":
        return rng.randint(*_INTS.get(name, (option.min, min(option.max, 6))))
    if option.kind in ("choice", "bool"):
        return rng.choice(list(option.values))
    return "" if option.kind == "text" else rng.choice(decks.all_notations())


def choose_random_rules(rng: Random) -> tuple[RuleSet, int]:
    """Return a rule set with about a quarter of its options changed, and a number of players.

    Usually there are few players with few cards each. Occasionally, nearly the whole deck is dealt.
    """
    while True:
        changed = {name: _choose_value(name, rng) for name in OPTIONS if rng.random() < 0.25}
        changed["hand_size"] = _choose_value("hand_size", rng)
        try:
            rs = rulesets.make(rng.choice(list(rulesets.RULE_SETS)), changed)
        except OptionError:
            continue
        seats = rng.randint(rs.min_seats, rng.choice([rs.min_seats, 4, rs.max_seats]))
        if rng.random() < 0.2:
            deck, most = len(rs.cards()) - 1, OPTIONS["hand_size"].max
            seats = 4 if rs.partners else -(-deck // most)
            rs = rulesets.make(
                rs.key, {**rs.changed_options(), "hand_size": min(deck // seats, most)}
            )
        return rs, seats


class RandomGame:
    """A hand from a shuffled deck, played with random actions. Its random results are recorded."""

    def __init__(self, rs: RuleSet, seats: int, dealer: int, seed: int) -> None:
        self.rs = rs
        self.dealer = dealer
        self.rng = Random(seed)
        self.chance = RecordingChance(QuickChance(self.rng.random), rs.pack)
        kinds = rs.cards()
        self.rng.shuffle(kinds)
        self.deck = rs.pack.notations(kinds)
        self.actions: list[dict[str, Any]] = []
        self.opening: list[Event] = []
        # A player who rarely plays cards empties the piles and may block the hand.
        self.eagerness = self.rng.choice([0.7, 0.7, 0.7, 0.1])
        self.hand = Position.deal(rs, seats, dealer, self.deck, self.chance, self.opening)

    def play_random_action(self) -> list[Event]:
        """Apply a random legal action of any seat, usually a play, and return its events."""
        hand = self.hand
        legal = [
            (seat, action) for seat in range(hand.seats) for action in hand.legal_actions(seat)
        ]
        plays = [pair for pair in legal if pair[1].verb == "play"]
        seat, action = self.rng.choice(
            plays if plays and self.rng.random() < self.eagerness else legal
        )
        self.actions.append({"seat": seat, **action.to_json()})
        return hand.apply(seat, action)

    def play_random_actions(self, steps: int) -> "RandomGame":
        """Play `steps` random actions, or fewer if the hand ends first."""
        for _ in range(steps):
            if self.hand.over:
                break
            self.play_random_action()
        return self


def list_conditions(hand: Position) -> list[str]:
    """Return the temporary conditions that apply to the hand now.

    Many bugs occur only under such conditions.
    """
    found = {
        "uncalled": hand.uncalled,
        "emptied": hand.emptied,
        "passes": hand.passes,
        "shielded": hand.resume >= 0,
        STAGES[hand.stage]: hand.stage != TURN,
    }
    return [name for name, applies in found.items() if applies]


def make_game(seed: int, steps: int) -> RandomGame:
    """Return a hand with random rules after at most `steps` actions.

    It usually stops while a temporary condition applies.
    """
    rng = Random(seed)
    rs, seats = choose_random_rules(rng)
    dealer, chance = rng.randrange(seats), rng.getrandbits(32)
    ahead = RandomGame(rs, seats, dealer, chance)
    moments: dict[str, list[int]] = {}
    while not ahead.hand.over and len(ahead.actions) < steps:
        for name in ["any", *list_conditions(ahead.hand)]:
            moments.setdefault(name, []).append(len(ahead.actions))
        ahead.play_random_action()
    moments["end"] = [len(ahead.actions)]
    stop = rng.choice(moments[rng.choice(sorted(moments))])
    return RandomGame(rs, seats, dealer, chance).play_random_actions(stop)


def random_games(steps: int = 80) -> st.SearchStrategy[RandomGame]:
    """Generate hands in any state.

    Each hand is derived from a single number, so that examples spread well over all states.
    """
    return st.builds(make_game, st.integers(0, 2**64), st.just(steps))


def random_actions(rs: RuleSet, seats: int) -> st.SearchStrategy[Action]:
    """Generate well-formed actions, most of which are illegal."""
    held = st.sampled_from([rs.pack.notation[kind] for kind in rs.card_counts()])
    seat = st.integers(-1, seats)
    letters = st.sampled_from([*decks.COLORS, *decks.SUITS])
    plays = st.builds(
        Action.play,
        st.one_of(held, st.sampled_from(decks.all_notations())),
        st.one_of(st.just(""), letters),
        uno=st.booleans(),
        ocho=st.booleans(),
        seat=seat,
    )
    others = st.one_of(
        st.builds(Action, st.sampled_from(["draw", "pass", "challenge", "call"])),
        st.builds(lambda color: Action("choose", color=color), letters),
        st.builds(lambda of: Action("catch", seat=of), seat.filter(lambda of: of >= 0)),
    )
    return st.one_of(plays, plays, others)
