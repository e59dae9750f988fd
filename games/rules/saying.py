"""The options' own sentences, and the lines of the lists that are made of them."""

from __future__ import annotations

from typing import NamedTuple

from games.rules import words
from games.rules.applying import applies
from games.rules.optionlist import OPTIONS
from games.rules.rulesets import RuleSet
from games.rules.text import _, gettext_noop


class Item(NamedTuple):
    """A line of a list. About one special card it has a title and the card's notation."""

    text: str
    title: str = ""
    card: str = ""

    @property
    def sentence(self) -> str:
        """The line as one text."""
        if not self.title:
            return self.text
        return _("{title}: {text}").format(title=self.title, text=self.text)


def say(rs: RuleSet, *names: str) -> list[str]:
    """The sentences of these options, as far as they make a difference."""
    return [option_said(rs, name) for name in names if applies(name, rs)]


def option_said(rs: RuleSet, name: str) -> str:
    """The sentence of an option with the value that it has here."""
    if name == "scoring" and rs.partners:
        return _(_TEAM_SCORING[rs.scoring])
    value = rs.options()[name]
    if name == "blank_card":
        value = words.card_name(rs, rs.blank_card)
    return OPTIONS[name].sentence(value, rs.pack)


# With partners "the other hands" of the option would take in the partner's.
_TEAM_SCORING = {
    "winner-takes": gettext_noop(
        "When a player goes out, the team scores the cards left in both opponents' "
        "hands. The first team to reach the target wins."
    ),
    "lowest": gettext_noop(
        "When a player goes out, both opponents add what the two of them are caught with to their "
        "running total, and the team that went out adds nothing. When one team reaches the target, "
        "the lowest total wins."
    ),
}
