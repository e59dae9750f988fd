"""Tables compiled once for each rule set, so that playing a hand needs only look-ups.

Sets of kinds are bit masks, and actions are the codes defined in ``codes``. ``bound`` adds the
effects of cards to these tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from games.rules.actions.codes import (
    ACCUSE,
    CALL,
    CHALLENGE,
    CHOICE,
    CHOOSE,
    DRAW,
    DRAWN,
    EMPTY,
    KEEP,
    LAST,
    OWED,
    PASS,
    SIZES,
    STAGES,
    TURN,
    TWO,
    play_code,
)
from games.rules.deck import roles
from games.rules.deck.cards import BIT, Card
from games.rules.deck.roles import CardRole
from games.rules.ruleset.rulesets import RuleSet

_CACHE_LIMIT = 20_000


class Play(NamedTuple):
    """A play, decoded from its code.

    * ``bit``: the bit of the kind in masks.
    * ``color``: the colour in force after the play.
    * ``fits``: the mask of the kinds that fit on the card after the play.
    * ``uno``: true if the player calls UNO with the play.
    """

    kind: int
    bit: int
    color: int
    fits: int
    uno: bool


def kinds_of(mask: int) -> Iterator[int]:
    """Yield the kinds in a mask, in ascending order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class CompiledRules:
    """Tables of one rule set.

    ``menus[stage][size]`` caches the codes of all possible actions by the mask of playable kinds.
    """

    def __init__(self, rs: RuleSet) -> None:
        self.rs = rs
        self.cards = rs.pack.cards
        self.notation = rs.pack.notation
        self.kinds = list(rs.card_counts())
        self.always = self._build_mask(self._is_always_playable)
        self.wildlike = self._build_mask(lambda card: card.names_color)
        # The last entry is also index -1, the index of no colour.
        self.of_color = [self._color_mask(color) for color in range(4)] + [0]
        any_card = [self._build_mask(lambda card: True)] * len(self.cards)
        self.fits = [self._build_fits_table(color) for color in range(4)] + [any_card]
        self.answer_two, self.answer_four, self.answer_shield = self._compile_answers()
        self.plays = dict(self._iter_plays())
        self.menus: list[list[dict[int, tuple[int, ...]]]] = [[{} for _ in SIZES] for _ in STAGES]
        swaps = rs.blanks > 0 and rs.blank_rule == "swap"
        self.swap_bit = BIT[rs.pack.blank] if swaps else 0
        self.fours = self.role_mask(roles.WILD_DRAW_FOUR)
        # A player who goes out with one of these wins only after the penalty is settled (002).
        after_stack = rs.last_draw_two == "after-stack"
        self.waiting = self.role_mask(roles.DRAW_TWO) if after_stack else 0
        self._parts = [
            [tuple(self._iter_plays_of_kind(kind, size)) for kind in range(len(self.cards))]
            for size in SIZES
        ]
        self._rests = [
            [
                [tuple(self._iter_other_codes(stage, size, some)) for some in (False, True)]
                for size in SIZES
            ]
            for stage in range(len(STAGES))
        ]
        self._guarded = rs.wild_draw_four == "no-matching-color"
        self.red = self._role_color_mask(roles.DEAD_RED)

    def _build_mask(self, predicate: Callable[[Card], bool]) -> int:
        return sum(BIT[kind] for kind in self.kinds if predicate(self.cards[kind]))

    def role_mask(self, *wanted: CardRole) -> int:
        """Return the mask of the deck's kinds that have one of these roles."""
        return self._build_mask(lambda card: card.role in wanted)

    def _is_always_playable(self, card: Card) -> bool:
        return card.color < 0 or (card.colored_wild and self.rs.face_wilds == "anytime")

    def _color_mask(self, color: int) -> int:
        return self._build_mask(lambda card: card.color == color) & ~self.always

    def _role_color_mask(self, role: CardRole) -> int:
        """Return the mask of all kinds that have the same colour as the cards with this role."""
        colors = {self.cards[kind].color for kind in kinds_of(self.role_mask(role))}
        return sum(self.of_color[color] for color in colors)

    def _build_fits_table(self, color: int) -> list[int]:
        table = [0] * len(self.cards)
        for top in self.kinds:
            table[top] = self._compute_fits(color, top)
        return table

    def _compute_fits(self, color: int, top: int) -> int:
        # Wild cards have no number or symbol (all), so only other wild cards have the same face.
        face = self.cards[top].face
        return self._build_mask(lambda card: card.color == color or card.face == face) | self.always

    def _compile_answers(self) -> tuple[int, int, int]:
        shield = self.role_mask(roles.SHIELD)
        twos = self.role_mask(roles.DRAW_TWO)
        on_two = on_four = shield
        if self.rs.stacking != "none":
            on_two |= twos
        if self.rs.stacking == "any-draw":
            fours = self.role_mask(roles.WILD_DRAW_FOUR)
            on_two |= fours
            on_four |= twos | fours
        return on_two, on_four, shield

    def is_bluff(self, hand_mask: int, color: int) -> bool:
        """Return whether playing a Wild Draw Four from this hand is a bluff (001, 003).

        ``hand_mask`` may include the Wild Draw Four itself.
        """
        return self._guarded and bool(hand_mask & self.of_color[color])

    def _iter_plays(self) -> Iterator[tuple[int, Play]]:
        for kind in self.kinds:
            for color in range(-1, 4):
                new = color if BIT[kind] & self.wildlike else self.cards[kind].color
                for uno in (False, True):
                    play = Play(kind, BIT[kind], new, self.fits[new][kind], uno)
                    yield play_code(kind, color, uno), play

    def menu(self, stage: int, size: int, playable: int) -> tuple[int, ...]:
        """Return the codes of all actions of the seat whose turn it is, and cache them.

        Catches are left out, and a swap does not name the other seat yet.
        """
        cache = self.menus[stage][size]
        if len(cache) >= _CACHE_LIMIT:
            cache.clear()
        # Most menus of a long hand are new, so they are composed of prepared parts.
        parts = self._parts[size]
        codes: list[int] = []
        for kind in kinds_of(playable):
            codes += parts[kind]
        codes += self._rests[stage][size][playable > 0]
        menu = cache[playable] = tuple(codes)
        return menu

    def _iter_plays_of_kind(self, kind: int, size: int) -> Iterator[int]:
        if not BIT[kind] & self.wildlike:
            colors = range(-1, 0)
        else:
            # A wild card played as the last card needs no colour.
            colors = range(-1, 4) if size == LAST else range(4)
        for color in colors:
            yield play_code(kind, color)
            if size == TWO:
                yield play_code(kind, color, True)

    def _iter_other_codes(self, stage: int, size: int, playable: bool) -> Iterator[int]:
        """Yield the codes of all actions except plays. ``playable`` is true if a card fits."""
        if size == TWO and playable and self.rs.uno_before_play:
            yield CALL
        if stage in (OWED, ACCUSE) or (stage == TURN and (self.rs.renege or not playable)):
            yield DRAW
        if stage == ACCUSE:
            yield CHALLENGE
        if stage in (EMPTY, KEEP) or (stage == DRAWN and self.rs.drawn_card == "may"):
            yield PASS
        if stage == CHOICE:
            yield from range(CHOOSE, CHOOSE + 4)


@lru_cache(maxsize=64)
def compile_rules(rs: RuleSet) -> CompiledRules:
    """Return the tables of a rule set. They are created once and cached."""
    return CompiledRules(rs)
