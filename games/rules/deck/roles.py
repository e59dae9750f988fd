"""Roles of cards, each with the sentence about it on the rules page.

The aces and twos of 002 have the same roles as UNO's action cards. The effects of a role on a hand
are in ``effects``. Everything else that depends on a role is defined here.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.rules.text import gettext_noop


@dataclass(frozen=True, eq=False)
class CardRole:
    """A role of cards, such as Skip or Wild.

    * ``rule``: the sentence for the rules page. Placeholders such as ``{color}`` stand for words of
      the deck or sentences of options.
    * ``draws``: the number of cards that the next player owes after it.
    * ``returns``: true if the card is put back when it is turned up to start the discard pile.
    * ``saved``: the value, in points, that bots assign to keeping the card.
    * ``tempo``: true if the card takes a player's turn.
    """

    name: str
    rule: str = ""
    draws: int = 0
    returns: bool = False
    saved: int = 0
    tempo: bool = False


NUMBER = CardRole("number")
SKIP = CardRole("skip", gettext_noop("The next player loses their turn."), tempo=True)
REVERSE = CardRole(
    "reverse",
    gettext_noop("Play changes direction. With two players, the other player loses their turn."),
    tempo=True,
)
DRAW_TWO = CardRole(
    "draw_two", gettext_noop("The next player draws two cards."), draws=2, tempo=True
)
WILD = CardRole("wild", gettext_noop("You choose the next {color}."), saved=40)
WILD_DRAW_FOUR = CardRole(
    "wild_draw_four",
    gettext_noop("You choose the {color}, and the next player draws four cards."),
    draws=4,
    returns=True,
    saved=50,
    tempo=True,
)
SHIELD = CardRole(
    "shield",
    gettext_noop(
        "A wild card. Play it in answer to a draw card, and the player who last played "
        "a draw card draws the whole penalty instead. They can only send it back with "
        "another Shield. The next turn goes to the player after the first one to use a "
        "Shield. A Shield does not help against any other card."
    ),
    returns=True,
    saved=55,
)
X_RAY = CardRole(
    "x_ray",
    gettext_noop(
        "A wild card. You alone get to see one random card from each opponent’s hand, "
        "for as long as they hold that card."
    ),
    returns=True,
    saved=37,
)
DEAD_RED = CardRole(
    "dead_red",
    gettext_noop(
        "A red card. {dead_red_spares_player} A Dead Red in hand counts as a red card; "
        "a wild card does not. No one loses a turn. If a Dead Red is someone’s last "
        "card, it affects only the other players."
    ),
)
BOO_BLUE = CardRole(
    "boo_blue",
    gettext_noop(
        "A blue card. {boo_blue_ties} The player who played the Boo Blue is included, "
        "and their cards are counted after the play. No one loses a turn. If a Boo "
        "Blue is someone’s last card, it affects only the other players."
    ),
)
BLANK = CardRole("blank", "{blank_rule}", returns=True, saved=37)
