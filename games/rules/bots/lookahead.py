"""Search for the strong bot's next move, based only on the bot's own view.

The search repeatedly deals the hidden cards at random, consistently with everything that the bot
has seen. In each deal, it tries every move and lets plain players continue for a round or two. All
moves are tried on the same deals, so luck affects them equally. At regular intervals, the worse
half of the moves is dropped, until one move is left.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from games.rules.actions.actions import Action
from games.rules.actions.codes import ACCUSE, CHOICE, DRAWN, EMPTY, KEEP, OWED, TURN
from games.rules.actions.knowledge import PlayerView
from games.rules.actions.moves import Move
from games.rules.bots import rollout, win_chance
from games.rules.bots.determinization import HiddenCards, reset_hand
from games.rules.chance import QuickChance
from games.rules.hand import codec
from games.rules.hand.position import Position
from games.rules.ruleset.rulesets import RuleSet

TimeCheck = Callable[[], bool]

# Number of simulated actions for one decision. They take about 30 ms.
ACTIONS = 10_000
# A move must be better than the plain bot's choice by this margin, because that choice is usually
# good. The margin shrinks as the number of deals grows.
FAVOUR = 0.08


def choose_move(
    view: PlayerView,
    rs: RuleSet,
    moves: Sequence[Move],
    favourite: Move,
    rng: Random,
    has_time: TimeCheck,
) -> Move:
    """Choose the best of several moves. ``favourite`` is replaced only by a clearly better one.

    ``has_time`` is called after each deal. If it returns False, the search ends early.
    """
    search = MoveSearch(view, rs, rng)
    ordered = [favourite, *(move for move in moves if move != favourite)]
    return ordered[search.find_best([search.encode(move) for move in ordered], has_time)]


class MoveSearch:
    """Search for the best move of the seat whose turn it is."""

    def __init__(self, view: PlayerView, rs: RuleSet, rng: Random) -> None:
        # The system's generator would be much too slow for a hundred deals.
        rng = Random(rng.getrandbits(64))  # noqa: S311 - for simulated deals only
        self.start = _build_seen_hand(view, rs, QuickChance(rng.random))
        self.hidden = HiddenCards(view, self.start, rng)
        self.hand = Position(rs, view["seats"], view["dealer"], self.start.chance)
        self.player = rollout.plain_policy(rs)
        seat, seats = view["seat"], range(view["seats"])
        self.seat = seat
        self.team = [s for s in seats if s == seat or self.start.are_partners(s, seat)]
        self.depth = 4 + 2 * view["seats"]

    def encode(self, move: Move) -> int:
        """Return the code of a move."""
        return codec.encode(self.start, self.seat, Action.from_json(move))

    def find_best(self, codes: Sequence[int], has_time: TimeCheck) -> int:
        """Return the index of the code with the best chance of winning. The first gets a bonus."""
        won = [0.0] * len(codes)
        left = list(range(len(codes)))
        rounds = (len(codes) - 1).bit_length()
        budget = ACTIONS // self.depth // rounds
        deals = 0
        for _ in range(rounds):
            for _ in range(budget // len(left)):
                deals += 1
                self._try_moves(codes, left, won)
                if not has_time():
                    return self._rank_moves(left, won, deals)[0]
            left = self._rank_moves(left, won, deals)[: (len(left) + 1) // 2]
        return left[0]

    def _rank_moves(self, candidates: list[int], won: list[float], deals: int) -> list[int]:
        favour = FAVOUR * deals**0.5
        return sorted(candidates, key=lambda n: -won[n] - favour * (n == 0))

    def _try_moves(self, codes: Sequence[int], candidates: list[int], won: list[float]) -> None:
        """Deal the hidden cards at random, and try each remaining move in that deal."""
        self.hidden.deal(self.start)
        for n in candidates:
            won[n] += self._play_out_move(codes[n])

    def _play_out_move(self, code: int) -> float:
        hand = self.hand
        reset_hand(hand, self.start)
        hand.apply_code(code)
        rollout.play_on(hand, self.player, self.depth)
        shares = win_chance.win_chances(hand, self.player)
        return sum(shares[seat] for seat in self.team)


def _build_seen_hand(view: PlayerView, rs: RuleSet, chance: QuickChance) -> Position:
    """Build a hand from the view of the seat whose turn it is.

    It lacks the other players' cards and the draw pile.
    """
    hand = Position(rs, view["seats"], view["dealer"], chance)
    watched = view["watched"]
    hand.direction = view["direction"]
    hand.discard = rs.kinds(watched["discards"])
    hand.set_top(hand.discard[-1], rs.pack.color_index(view["color"]))
    own = rs.kinds(view["cards"])
    hand.hands[view["seat"]] = own
    hand.masks[view["seat"]] = hand.mask_of(own)
    hand.fits = hand.mask_of(rs.kinds(view["playable"]))
    hand.actor = view["seat"]
    hand.stage = _find_stage(view, rs)
    hand.drawn = rs.kind(view["drawn"]) if view["drawn"] else -1
    hand.owed = view["penalty"]["cards"] if view["penalty"] else 0
    hand.said = sum(1 << seat for seat in view["said_uno"])
    hand.source, hand.resume = watched["source"], watched["resume"]
    hand.keeps_turn, hand.emptied = watched["keeps_turn"], list(watched["emptied"])
    return hand


def _find_stage(view: PlayerView, rs: RuleSet) -> int:
    may = view["may"]
    if may["choose"]:
        return CHOICE
    if view["penalty"]:
        return ACCUSE if may["challenge"] else OWED
    if view["drawn"]:
        return KEEP if may["pass"] and rs.drawn_card == "must" else DRAWN
    return EMPTY if may["pass"] else TURN
