"""Fast version of the plain bot, based on action codes and bit masks, for hundreds of playouts.

It rates cards like the plain bot, but counts kinds instead of cards and needs no view. A decision
takes two microseconds, while a view alone would take fifty. It always calls UNO, and bluffs only if
it has to play and no other card fits.
"""

from __future__ import annotations

from functools import lru_cache

from games.rules.actions.codes import (
    ACCUSE,
    CHALLENGE,
    CHOICE,
    CHOOSE,
    DRAW,
    KEEP,
    PASS,
    TURN,
    UNO_BIT,
    play_code,
)
from games.rules.deck import roles
from games.rules.deck.cards import BIT
from games.rules.hand.compiled import CompiledRules, compile_rules
from games.rules.hand.engine import Engine
from games.rules.hand.state import HandState
from games.rules.ruleset.rulesets import RuleSet

# A Wild Draw Four is probably a bluff if its player still holds at least this many cards.
_SUSPICIOUS = 4
_NOTHING = -1_000


class RolloutPolicy:
    """Plain strategy for one rule set."""

    def __init__(self, rs: RuleSet, tables: CompiledRules) -> None:
        self.rs = rs
        self.always = tables.always
        self.wildlike = tables.wildlike
        self.colors = tables.of_color[:4]
        self.suit = [self.colors[card.color] if card.color >= 0 else 0 for card in tables.cards]
        self.alike = [_find_alike_kinds(kind, tables) for kind in range(len(tables.cards))]
        self.saved = [card.role.saved for card in tables.cards]
        self.fours = tables.role_mask(roles.WILD_DRAW_FOUR) if tables.is_bluff(-1, 0) else 0
        self.tempo = sum(BIT[kind] for kind in tables.kinds if tables.cards[kind].role.tempo)
        self.points = [card.points for card in tables.cards]
        self.numbers = tables.role_mask(roles.NUMBER)
        self.red = tables.red
        self.dead_red = 0 if rs.dead_red_spares_player else tables.role_mask(roles.DEAD_RED)
        self.boo_blue = tables.role_mask(roles.BOO_BLUE)
        self.swap_bit = tables.swap_bit
        self.uno = UNO_BIT if rs.uno_penalty else 0

    def choose_code(self, hand: HandState) -> int:
        """Return the code of the action chosen for the seat whose turn it is."""
        seat = hand.actor
        held = hand.masks[seat]
        fits = held & hand.fits
        if fits & self.fours and held & self.colors[hand.hue]:
            # The policy bluffs only if it has to play and no other card fits.
            forced = hand.stage == TURN and not self.rs.renege
            fits = fits & ~self.fours or (fits if forced else 0)
        if not fits or hand.stage == KEEP:
            return self._choose_without_play(hand)
        kind = fits.bit_length() - 1
        if fits & fits - 1:
            kind = self._choose_best_kind(hand, seat, held, fits & ~self.always or fits)
        bit = BIT[kind]
        if bit & self.wildlike:
            return self._choose_wild_color(hand, seat, kind)
        return kind | self.uno if len(hand.hands[seat]) == 2 else kind

    def _choose_wild_color(self, hand: HandState, seat: int, kind: int) -> int:
        held = hand.hands[seat]
        color = self.best_color(hand.masks[seat] & ~BIT[kind])
        if BIT[kind] & self.swap_bit and len(held) > 1:
            others = [o for o in range(hand.seats) if o != seat and not hand.are_partners(o, seat)]
            shortest = min(others, key=lambda other: len(hand.hands[other]))
            return play_code(kind, color, swap=shortest)
        return play_code(kind, color) | (self.uno if len(held) == 2 else 0)

    def _choose_best_kind(self, hand: HandState, seat: int, hand_mask: int, fits: int) -> int:
        """Return the best of several kinds.

        For speed, the loop calls no other method for common cards. Half of a playout's time is
        spent here.
        """
        suit, similar, saved = self.suit, self.alike, self.saved
        gain = 0
        if fits & self.tempo:
            after = (seat + hand.direction) % hand.seats
            gain = (7 if hand.seats == 2 else -5) + 6 * (len(hand.hands[after]) <= 2)
        late = self.numbers if min(map(len, hand.hands)) <= 3 else 0
        special = self.dead_red | self.boo_blue
        best, most = -1, float(_NOTHING)
        while fits:
            bit = fits & -fits
            fits ^= bit
            kind = bit.bit_length() - 1
            worth = 5.0 * (hand_mask & suit[kind]).bit_count() - saved[kind]
            worth += 2 * (hand_mask & similar[kind]).bit_count()
            if bit & self.tempo:
                worth += gain
            elif bit & late:
                worth += 0.3 * self.points[kind]
            elif bit & special:
                worth -= self._rate_risk(hand, seat, hand_mask ^ bit, bit)
            if worth > most:
                best, most = kind, worth
        return best

    def _rate_risk(self, hand: HandState, seat: int, rest: int, bit: int) -> int:
        """Return how much a Dead Red or Boo Blue may cost its own player."""
        if bit & self.dead_red:
            return 30 * (not rest & self.red)
        return 30 * (len(hand.hands[seat]) - 1 <= min(map(len, hand.hands)))

    def best_color(self, hand_mask: int) -> int:
        """Return the colour that most of these kinds have."""
        counts = [(hand_mask & color).bit_count() for color in self.colors]
        return counts.index(max(counts))

    def _choose_without_play(self, hand: HandState) -> int:
        if hand.stage == TURN:
            return DRAW
        if hand.stage == CHOICE:
            return CHOOSE + self.best_color(hand.masks[hand.actor])
        if hand.stage == ACCUSE and len(hand.hands[hand.source]) >= _SUSPICIOUS:
            return CHALLENGE
        if hand.owed:
            return DRAW
        # The only playable card is the Wild Draw Four just drawn, and playing it would be a bluff.
        return PASS


def _find_alike_kinds(kind: int, tables: CompiledRules) -> int:
    cards, face = tables.cards, tables.cards[kind].face
    return sum(BIT[k] for k in tables.kinds if k != kind and cards[k].face == face)


@lru_cache(maxsize=64)
def plain_policy(rs: RuleSet) -> RolloutPolicy:
    """Return the plain policy for a rule set. It is created once and cached."""
    return RolloutPolicy(rs, compile_rules(rs))


def play_on(hand: Engine, player: RolloutPolicy, actions: int) -> None:
    """Continue a hand for at most ``actions`` actions, or until its end if that comes first."""
    code, apply_code = player.choose_code, hand.apply_code
    for _ in range(actions):
        if hand.over:
            return
        apply_code(code(hand))
