"""Sentences about options, and the list items built from them."""

from __future__ import annotations

from typing import NamedTuple

from games.rules.ruleset.applicability import applies
from games.rules.ruleset.optionlist import OPTIONS
from games.rules.ruleset.rulesets import RuleSet
from games.rules.text import _, gettext_noop
from games.rules.words import words


class Item(NamedTuple):
    """A list item. An item about a special card also has a title and the card's notation."""

    text: str
    title: str = ""
    card: str = ""

    @property
    def sentence(self) -> str:
        """The item as a single text."""
        if not self.title:
            return self.text
        return _("{title}: {text}").format(title=self.title, text=self.text)


def option_sentences(rs: RuleSet, *names: str) -> list[str]:
    """Return the sentences for these options, except for options that make no difference."""
    return [option_sentence(rs, name) for name in names if applies(name, rs)]


def option_sentence(rs: RuleSet, name: str) -> str:
    """Return the sentence for an option's value in this rule set."""
    if name == "scoring" and not rs.target:
        return _(_WITHOUT_TARGET[rs.scoring, rs.partners])
    if name == "scoring" and rs.partners:
        return _(_TEAM_SCORING[rs.scoring])
    value = rs.options()[name]
    if name == "blank_card":
        value = words.card_name(rs, rs.blank_card)
    return OPTIONS[name].sentence(value, rs.pack)


# With partners, "the other hands" in the option's sentence would include the partner's hand.
_TEAM_SCORING = {
    "winner-takes": gettext_noop(
        "When a player goes out, their team scores the points of the cards left in "
        "both opponents’ hands. The first team to reach the target wins."
    ),
    "lowest": gettext_noop(
        "When a player goes out, the opposing team adds the points of the cards left "
        "in both of its hands to its running total, and the team that went out adds "
        "nothing. When a team reaches the target, the lower total wins."
    ),
}
_WITHOUT_TARGET = {
    ("winner-takes", False): gettext_noop(
        "The player who goes out scores the points of the cards left in the other "
        "hands. The player with the most points at the end wins."
    ),
    ("winner-takes", True): gettext_noop(
        "When a player goes out, their team scores the points of the cards left in "
        "both opponents’ hands. The team with the most points at the end wins."
    ),
    ("lowest", False): gettext_noop(
        "Each player keeps a running total of the points they are caught with. The "
        "lowest total at the end wins. Players tied for the lowest total share the win."
    ),
    ("lowest", True): gettext_noop(
        "When a player goes out, the opposing team adds the points of the cards left "
        "in both of its hands to its running total, and the team that went out adds "
        "nothing. The lower total at the end wins."
    ),
}
