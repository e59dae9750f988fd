"""Conditions under which an option makes a difference in a rule set."""

from __future__ import annotations

from collections.abc import Callable

from games.rules.ruleset.optionlist import OPTIONS
from games.rules.ruleset.rulesets import RuleSet


def _has_colored_wilds(rs: RuleSet) -> bool:
    return any(rs.pack.cards[kind].colored_wild for kind in rs.card_counts())


def _has_identical_cards(rs: RuleSet) -> bool:
    """Return whether the deck contains two identical cards with a colour.

    Otherwise, no card can be played on an identical one.
    """
    counts = rs.card_counts().items()
    return any(count > 1 and rs.pack.cards[kind].color >= 0 for kind, count in counts)


def _has_uno_call(rs: RuleSet) -> bool:
    return rs.uno_penalty > 0


_APPLIES: dict[str, Callable[[RuleSet], bool]] = {
    "hand_size_two": lambda rs: not rs.partners,
    "face_wilds": _has_colored_wilds,
    "identical_skips": _has_identical_cards,
    "uno_before_play": _has_uno_call,
    "uno_window": _has_uno_call,
    "partner_catches": lambda rs: _has_uno_call(rs) and rs.partners,
    "wrong_catch_penalty": _has_uno_call,
    "blank_rule": lambda rs: rs.blanks > 0,
    "blank_card": lambda rs: rs.blanks > 0 and rs.blanks_replace,
    "blank_name": lambda rs: rs.blanks > 0 and not rs.blanks_replace,
    "blank_points": lambda rs: rs.blanks > 0 and not rs.blanks_replace,
}


def applies(name: str, rs: RuleSet) -> bool:
    """Return whether the option makes a difference, given the other options of the rule set."""
    about = OPTIONS[name].about
    if about and rs.roles().keys().isdisjoint(about):
        return False
    return name not in _APPLIES or _APPLIES[name](rs)
