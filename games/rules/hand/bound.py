"""The effects of a rule set's cards, bound to the tables of the rule set."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from games.rules.actions.codes import PLAYS
from games.rules.hand import effects
from games.rules.hand.compiled import compile_rules
from games.rules.hand.effects import Effect, LastEffect
from games.rules.ruleset.rulesets import RuleSet

Play = tuple[int, int, int, int, Effect | None, bool]


class BoundEffects(NamedTuple):
    """Plays of a rule set by kind, and the effect of each kind as a last card.

    A play consists of its kind, its bit, its colour, the kinds that fit on it, its effect, and
    whether it includes a UNO call.
    """

    plays: list[Play]
    last: list[LastEffect | None]


@lru_cache(maxsize=64)
def bind_effects(rs: RuleSet) -> BoundEffects:
    """Return the effects bound to the tables of a rule set. They are created once and cached."""
    tables = compile_rules(rs)
    does = {kind: effects.effect_of(rs, tables.cards[kind]) for kind in tables.kinds}
    plays: list[Play] = [(-1, 0, -1, 0, None, False)] * PLAYS
    for code, play in tables.plays.items():
        plays[code] = (play.kind, play.bit, play.color, play.fits, does[play.kind], play.uno)
    return BoundEffects(plays, [effects.LAST_CARD.get(card.role) for card in tables.cards])
