"""A rule set worked out into tables once, so that a hand only looks things up.

Sets of kinds are bit masks; the codes of actions are in ``codes``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from games.rules import cards, effects
from games.rules.cards import BIT, CARDS, Role
from games.rules.codes import (
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
    PLAYS,
    STAGES,
    TURN,
    TWO,
    play_code,
)
from games.rules.rulesets import RuleSet

if TYPE_CHECKING:
    from games.rules.state import State

Effect = Callable[["State", int, int, int], None]

_CACHE_LIMIT = 20_000


class Play(NamedTuple):
    """All that one play code stands for; ``fits`` is what fits on the card once it lies there."""

    kind: int
    bit: int
    color: int
    fits: int
    effect: Effect | None
    uno: bool


def kinds_of(mask: int) -> Iterator[int]:
    """The kinds in a mask, ascending."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


class Compiled:
    """The tables of one rule set. ``menus[stage][size]`` caches codes by the playable kinds."""

    def __init__(self, rs: RuleSet) -> None:
        self.rs = rs
        self.kinds = list(rs.card_counts())
        self.always = self._mask(self._always)
        self.wildlike = self._mask(lambda kind: CARDS[kind].color < 0 or CARDS[kind].is_face)
        # The entry of -1, no colour, comes last.
        self.of_color = [self._of_color(color) for color in range(4)] + [0]
        self.fits = [self._fits_table(color) for color in range(4)] + [self._any()]
        self.own_effects = {kind: self._own_effect(kind) for kind in self.kinds}
        self.answer_two, self.answer_four, self.answer_shield = self._answers()
        self.plays = self._plays()
        self.menus: list[list[dict[int, tuple[int, ...]]]] = [
            [{} for _ in range(3)] for _ in STAGES
        ]
        swaps = rs.blanks > 0 and rs.blank_rule == "swap"
        self.swap_bit = BIT[cards.BLANK] if swaps else 0
        self._guarded = rs.wild_draw_four == "no-matching-color"
        self.red = self.of_color[cards.COLORS.index("R")]

    def _mask(self, wanted: Callable[[int], bool]) -> int:
        return sum(BIT[kind] for kind in self.kinds if wanted(kind))

    def role_mask(self, *roles: Role) -> int:
        """The kinds of this deck that have one of these roles."""
        return self._mask(lambda kind: CARDS[kind].role in roles)

    def _always(self, kind: int) -> bool:
        card = CARDS[kind]
        return card.color < 0 or (card.is_face and self.rs.face_wilds == "anytime")

    def _of_color(self, color: int) -> int:
        return self._mask(lambda kind: CARDS[kind].color == color) & ~self.always

    def _any(self) -> list[int]:
        return [self._mask(lambda kind: True)] * len(CARDS)

    def _fits_table(self, color: int) -> list[int]:
        table = [0] * len(CARDS)
        for top in self.kinds:
            table[top] = self._fits(color, top)
        return table

    def _fits(self, color: int, top: int) -> int:
        # A wild on top has no number or symbol (all): its face is shared by wilds alone.
        face = CARDS[top].face
        same = self._mask(lambda kind: CARDS[kind].color == color or CARDS[kind].face == face)
        return same | self.always

    def _own_effect(self, kind: int) -> Effect | None:
        role = CARDS[kind].role
        if role is Role.BLANK:
            return effects.BLANK_RULES[self.rs.blank_rule]
        return effects.BY_ROLE.get(role)

    def _effect(self, kind: int) -> Effect | None:
        if self.rs.identical_skips and CARDS[kind].color >= 0:
            return effects.identical
        return self.own_effects[kind]

    def _answers(self) -> tuple[int, int, int]:
        shield = self.role_mask(Role.SHIELD)
        twos = self.role_mask(Role.DRAW_TWO)
        on_two = on_four = shield
        if self.rs.stacking != "none":
            on_two |= twos
        if self.rs.stacking == "any-draw":
            fours = self.role_mask(Role.WILD_DRAW_FOUR)
            on_two |= fours
            on_four |= twos | fours
        return on_two, on_four, shield

    def is_bluff(self, held: int, color: int) -> bool:
        """Whether a Wild Draw Four played from (or beside) these cards is not legal (001, 003)."""
        return self._guarded and bool(held & self.of_color[color])

    def _plays(self) -> list[Play]:
        nothing = Play(-1, 0, -1, 0, None, False)
        plays = [nothing] * PLAYS
        for kind in self.kinds:
            effect = self._effect(kind)
            for color in range(-1, 4):
                new = self._color_after(kind, color)
                fits = self.fits[new][kind]
                for uno in (False, True):
                    play = Play(kind, BIT[kind], new, fits, effect, uno)
                    plays[play_code(kind, color, uno)] = play
        return plays

    def _color_after(self, kind: int, named: int) -> int:
        return named if BIT[kind] & self.wildlike else CARDS[kind].color

    def menu(self, stage: int, size: int, playable: int) -> tuple[int, ...]:
        """The codes of a seat to act, without catches and what a swap names; cached."""
        cache = self.menus[stage][size]
        if len(cache) >= _CACHE_LIMIT:
            cache.clear()
        codes = cache[playable] = tuple(self._menu(stage, size, playable))
        return codes

    def _menu(self, stage: int, size: int, playable: int) -> Iterator[int]:
        for kind in kinds_of(playable):
            for color in self._colors(kind, size):
                yield play_code(kind, color)
                if size == TWO:
                    yield play_code(kind, color, True)
        if size == TWO and playable and self.rs.uno_before_play:
            yield CALL
        yield from self._without_play(stage, playable)

    def _colors(self, kind: int, size: int) -> range:
        if not BIT[kind] & self.wildlike:
            return range(-1, 0)
        # A last wild needs no colour.
        return range(-1, 4) if size == LAST else range(4)

    def _without_play(self, stage: int, playable: int) -> Iterator[int]:
        if stage in (OWED, ACCUSE) or (stage == TURN and (self.rs.renege or not playable)):
            yield DRAW
        if stage == ACCUSE:
            yield CHALLENGE
        if stage in (EMPTY, KEEP) or (stage == DRAWN and self.rs.drawn_card == "may"):
            yield PASS
        if stage == CHOICE:
            yield from range(CHOOSE, CHOOSE + 4)


@lru_cache(maxsize=64)
def compiled(rs: RuleSet) -> Compiled:
    """The tables of a rule set, made once."""
    return Compiled(rs)
