"""Options of the deal: deck, number of cards, dealer, and effect of the first card."""

from __future__ import annotations

from games.rules.deck import roles
from games.rules.deck.decks import DECKS
from games.rules.ruleset.options import Option, choice, number
from games.rules.text import gettext_noop, ngettext

DEALING: list[Option] = [
    choice("deck", gettext_noop("Deck"), {key: deck.sentence for key, deck in DECKS.items()}),
    number(
        "hand_size",
        gettext_noop("Cards dealt to each player"),
        lambda n: ngettext("Each player is dealt {n} card.", "Each player is dealt {n} cards.", n),
        min=1,
        max=25,
    ),
    number(
        "hand_size_two",
        gettext_noop("Cards dealt to each player (two players)"),
        lambda n: ngettext(
            "With two players, each is dealt {n} card.",
            "With two players, each is dealt {n} cards.",
            n,
        ),
        {
            0: gettext_noop(
                "With two players, each is dealt the same number of cards as with more players."
            )
        },
        max=25,
        help=gettext_noop("0 means the same number as with more players."),
    ),
    choice(
        "first_dealer",
        gettext_noop("First dealer"),
        {
            "random": gettext_noop("The first dealer is chosen at random."),
            "high-card": gettext_noop(
                "Each player draws a card, and the player whose card is worth the most deals "
                "first. Tied players draw again. Number cards are worth their face value, all "
                "other cards their points."
            ),
        },
    ),
    choice(
        "next_dealer",
        gettext_noop("Next dealer"),
        {
            "left": gettext_noop("After each hand, the player to the dealer’s left deals next."),
            "winner": gettext_noop(
                "The winner of a hand deals the next one. After a blocked hand, the player to "
                "the dealer’s left deals."
            ),
        },
    ),
    choice(
        "opening_wild",
        gettext_noop("A Wild turned up at the start"),
        {
            "choose": gettext_noop(
                "If {a_wild} is turned up at the start, the first player chooses the {color} "
                "and then plays."
            ),
            "redraw": gettext_noop(
                "If {a_wild} is turned up at the start, it is shuffled back into the deck and "
                "another card is turned up."
            ),
            "plain": gettext_noop("If {a_wild} is turned up at the start, {opening_wild}."),
        },
        about=(roles.WILD,),
        idle="plain",
    ),
    choice(
        "opening_draw_two",
        gettext_noop("A Draw Two turned up at the start"),
        {
            "plain": gettext_noop("If {a_draw_two} is turned up at the start, it has no effect."),
            "draw": gettext_noop(
                "If {a_draw_two} is turned up at the start, the first player draws two cards "
                "and then takes a normal turn."
            ),
            "draw-and-skip": gettext_noop(
                "If {a_draw_two} is turned up at the start, the first player draws two cards "
                "and loses their turn."
            ),
        },
        about=(roles.DRAW_TWO,),
        idle="plain",
    ),
    choice(
        "opening_skip",
        gettext_noop("A Skip turned up at the start"),
        {
            "plain": gettext_noop("If {a_skip} is turned up at the start, it has no effect."),
            "skip": gettext_noop(
                "If {a_skip} is turned up at the start, the player to the dealer’s left is "
                "skipped and the next player starts."
            ),
            "dealer": gettext_noop(
                "If {a_skip} is turned up at the start, the player to the dealer’s left is "
                "skipped and the dealer starts."
            ),
        },
        about=(roles.SKIP,),
        idle="plain",
    ),
    choice(
        "opening_reverse",
        gettext_noop("A Reverse turned up at the start"),
        {
            "plain": gettext_noop("If {a_reverse} is turned up at the start, it has no effect."),
            "dealers-right": gettext_noop(
                "If {a_reverse} is turned up at the start, the player to the dealer’s right "
                "plays first, and play goes anticlockwise."
            ),
            "dealer": gettext_noop(
                "If {a_reverse} is turned up at the start, the dealer plays first, followed by "
                "the player to the dealer’s right, and play goes anticlockwise."
            ),
        },
        about=(roles.REVERSE,),
        idle="plain",
    ),
]
