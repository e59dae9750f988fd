"""Plays of a rule set, with the effects of their cards."""

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
    """Plays of a rule set with their effects.

    * ``plays``: the plays by code. Each has the kind of its card, the bit of that kind, the colour
      after the play, the kinds that fit on the card, its effect, and whether UNO is called.
    * ``last``: the effect of each kind when it is played as a last card.
    """

    plays: list[Play]
    last: list[LastEffect | None]


@lru_cache(maxsize=64)
def bind_effects(rs: RuleSet) -> BoundEffects:
    """Return the plays of a rule set with their effects. They are created once and cached."""
    tables = compile_rules(rs)
    by_kind = {kind: effects.effect_of(rs, tables.cards[kind]) for kind in tables.kinds}
    plays: list[Play] = [(-1, 0, -1, 0, None, False)] * PLAYS
    for code, play in tables.plays.items():
        plays[code] = (play.kind, play.bit, play.color, play.fits, by_kind[play.kind], play.uno)
    return BoundEffects(plays, [effects.LAST_CARD.get(card.role) for card in tables.cards])
