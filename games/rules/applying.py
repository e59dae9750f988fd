"""Which options make a difference in a rule set."""

from __future__ import annotations

from collections.abc import Callable

from games.rules import roles
from games.rules.rulesets import RuleSet


def _has(*wanted: roles.Role) -> Callable[[RuleSet], bool]:
    return lambda rs: not rs.roles().keys().isdisjoint(wanted)


def _colored_wilds(rs: RuleSet) -> bool:
    return any(rs.pack.cards[kind].colored_wild for kind in rs.card_counts())


def _twins(rs: RuleSet) -> bool:
    """Whether any card with a colour is in the deck twice: only then one can lie on its like."""
    counts = rs.card_counts().items()
    return any(count > 1 and rs.pack.cards[kind].color >= 0 for kind, count in counts)


def _says_uno(rs: RuleSet) -> bool:
    return rs.uno_penalty > 0


_DRAW_CARDS = _has(roles.DRAW_TWO, roles.WILD_DRAW_FOUR)
_APPLIES: dict[str, Callable[[RuleSet], bool]] = {
    "hand_size_two": lambda rs: not rs.partners,
    "opening_wild": _has(roles.WILD),
    "opening_draw_two": _has(roles.DRAW_TWO),
    "opening_skip": _has(roles.SKIP),
    "opening_reverse": _has(roles.REVERSE),
    "face_wilds": _colored_wilds,
    "penalty_ends_turn": _DRAW_CARDS,
    "stacking": _DRAW_CARDS,
    "wild_draw_four": _has(roles.WILD_DRAW_FOUR),
    "challenge": _has(roles.WILD_DRAW_FOUR),
    "identical_skips": _twins,
    "dead_red_spares_player": _has(roles.DEAD_RED),
    "boo_blue_ties": _has(roles.BOO_BLUE),
    "uno_before_play": _says_uno,
    "uno_window": _says_uno,
    "partner_catches": lambda rs: _says_uno(rs) and rs.partners,
    "wrong_catch_penalty": _says_uno,
    "last_draw_two": _has(roles.DRAW_TWO),
    "blank_rule": lambda rs: rs.blanks > 0,
    "blank_card": lambda rs: rs.blanks > 0 and rs.blanks_replace,
    "blank_name": lambda rs: rs.blanks > 0 and not rs.blanks_replace,
    "blank_points": lambda rs: rs.blanks > 0 and not rs.blanks_replace,
}


def applies(name: str, rs: RuleSet) -> bool:
    """Whether the option makes any difference with the rule set's other options."""
    return name not in _APPLIES or _APPLIES[name](rs)
