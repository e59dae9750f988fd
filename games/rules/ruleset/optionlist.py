"""List of all options with their titles, values, and the sentence for each value."""

from __future__ import annotations

from games.rules.deck import roles
from games.rules.ruleset.dealing import DEALING
from games.rules.ruleset.options import Option, choice, flag, number
from games.rules.text import gettext_noop, ngettext

_DRAW_CARDS = (roles.DRAW_TWO, roles.WILD_DRAW_FOUR)
_TWOS_ALONE = gettext_noop(
    "{A_draw_two} can be answered with {a_draw_two} of any {color}. The penalties "
    "add up, and the player who does not add to them draws the total."
)
_LIST = [
    *DEALING,
    flag(
        "renege",
        gettext_noop("Choosing not to play"),
        gettext_noop("You may choose not to play a card that fits, but then you must draw."),
        gettext_noop(
            "If you have a card that fits, you must play. You may draw only if you cannot play."
        ),
    ),
    choice(
        "draw",
        gettext_noop("Number of cards drawn"),
        {
            "one": gettext_noop("If you do not play a card, you draw one."),
            "until-playable": gettext_noop(
                "If you do not play a card, you draw until you get one that fits."
            ),
        },
    ),
    choice(
        "drawn_card",
        gettext_noop("Playing the drawn card"),
        {
            "may": gettext_noop(
                "If the card you just drew fits, you may play it in the same turn or keep it."
            ),
            "must": gettext_noop("If the card you just drew fits, you must play it."),
        },
        gettext_noop(
            "After drawing, you may not play any other card on that turn. Under rules that "
            "make a Wild Draw Four legal only if you have no card of the current colour, "
            "you may always keep a Wild Draw Four you have just drawn if playing it would "
            "be a bluff."
        ),
    ),
    choice(
        "face_wilds",
        gettext_noop("Playing face cards"),
        {
            "anytime": gettext_noop("{A_colored_wild} can be played on any card."),
            "matching": gettext_noop(
                "{A_colored_wild} can be played only on its own suit or rank."
            ),
        },
    ),
    flag(
        "penalty_ends_turn",
        gettext_noop("Turn after drawing a penalty"),
        gettext_noop("A player who has to draw because of a draw card loses their turn."),
        gettext_noop("A player who has to draw because of a draw card then takes a normal turn."),
        about=_DRAW_CARDS,
        idle=True,
    ),
    choice(
        "stacking",
        gettext_noop("Stacking draw cards"),
        {
            "none": gettext_noop(
                "Draw cards cannot be stacked: you cannot answer one with another."
            ),
            "draw-two": (
                gettext_noop(
                    "{A_draw_two} can be answered with {a_draw_two} of any {color}. The penalties "
                    "add up, and the player who does not add to them draws the total. "
                    "{A_wild_draw_four} cannot be stacked."
                ),
                _TWOS_ALONE,
                gettext_noop("{A_wild_draw_four} cannot be stacked."),
            ),
            "any-draw": (
                gettext_noop(
                    "{A_draw_two} or {a_wild_draw_four} can be answered with either one, whatever "
                    "the {color}. The penalties add up, and the player who does not add to them "
                    "draws the total."
                ),
                _TWOS_ALONE,
                gettext_noop(
                    "{A_wild_draw_four} can be answered with another. The penalties add up, and "
                    "the player who does not add to them draws the total."
                ),
            ),
        },
        about=_DRAW_CARDS,
        idle="none",
    ),
    choice(
        "wild_draw_four",
        gettext_noop("Playing a Wild Draw Four"),
        {
            "anytime": gettext_noop("{A_wild_draw_four} can be played at any time."),
            "no-matching-color": gettext_noop(
                "{A_wild_draw_four} is legal only if you have no card of the current {color}. "
                "You can still play it as a bluff."
            ),
        },
        gettext_noop("With playing cards, the joker is the Wild Draw Four."),
        about=(roles.WILD_DRAW_FOUR,),
        idle="anytime",
    ),
    flag(
        "challenge",
        gettext_noop("Challenging a Wild Draw Four"),
        gettext_noop(
            "Only the player who has to draw can challenge {a_wild_draw_four}. The "
            "challenger alone sees the hand of the player who played it. If it was a "
            "bluff, that player draws the cards and the challenger takes a normal turn. If "
            "not, the challenger draws the cards plus two more and loses their turn."
        ),
        gettext_noop("{A_wild_draw_four} cannot be challenged."),
        about=(roles.WILD_DRAW_FOUR,),
    ),
    flag(
        "identical_skips",
        gettext_noop("Identical cards"),
        gettext_noop(
            "Playing a card of the same rank and suit as the top card also skips the next player."
        ),
        gettext_noop("A card identical to the top card has no extra effect."),
        gettext_noop(
            "With a Draw Two, the skip comes first, and the stack then continues with the "
            "player after the skipped one. With a Reverse, the direction changes before "
            "the skip."
        ),
    ),
    flag(
        "dead_red_spares_player",
        gettext_noop("Players who draw for a Dead Red"),
        gettext_noop(
            "When a Dead Red is played, every other player without a red card in hand "
            "draws two cards."
        ),
        gettext_noop(
            "When a Dead Red is played, every player without a red card in hand draws two "
            "cards, including the one who played it."
        ),
        about=(roles.DEAD_RED,),
    ),
    choice(
        "boo_blue_ties",
        gettext_noop("Boo Blue and ties"),
        {
            "all": gettext_noop(
                "When a Boo Blue is played, the player with the fewest cards draws two. If "
                "several are tied for the fewest, all of them draw."
            ),
            "none": gettext_noop(
                "When a Boo Blue is played, the player with the fewest cards draws two. If "
                "several are tied for the fewest, none of them draws."
            ),
        },
        gettext_noop(
            "The player who played the Boo Blue is included, and their cards are counted "
            "after the play."
        ),
        about=(roles.BOO_BLUE,),
        idle="all",
    ),
    number(
        "uno_penalty",
        gettext_noop("Penalty for not saying UNO"),
        lambda n: ngettext(
            "If you are caught with one card and have not said UNO, you draw {n} card.",
            "If you are caught with one card and have not said UNO, you draw {n} cards.",
            n,
        ),
        {0: gettext_noop("There is no UNO call.")},
        max=20,
    ),
    flag(
        "uno_before_play",
        gettext_noop("Saying UNO before playing"),
        gettext_noop(
            "You can say UNO just before you play your next-to-last card, as you play it, "
            "or afterwards until someone catches you."
        ),
        gettext_noop(
            "Say UNO when you are down to one card: as you play, or afterwards until "
            "someone catches you."
        ),
    ),
    choice(
        "uno_window",
        gettext_noop("Time limit for catching"),
        {
            "next-begins": gettext_noop(
                "A player can be caught until the next player begins their turn by drawing or "
                "playing a card. Drawing a penalty or losing a challenge does not count as "
                "beginning a turn."
            ),
            "next-ends": gettext_noop(
                "A player can be caught until the next player has taken their turn. Drawing a "
                "penalty or losing a challenge does not count as a turn."
            ),
            "own-turn": gettext_noop(
                "After a short grace period, a player can be caught until their own next turn "
                "begins."
            ),
        },
    ),
    flag(
        "partner_catches",
        gettext_noop("Partners and catching"),
        gettext_noop("Any other player can catch you, including your partner."),
        gettext_noop("Any other player except your partner can catch you."),
    ),
    number(
        "wrong_catch_penalty",
        gettext_noop("Penalty for a wrong catch"),
        lambda n: ngettext(
            "If you make a wrong catch, you draw {n} card.",
            "If you make a wrong catch, you draw {n} cards.",
            n,
        ),
        {0: gettext_noop("A wrong catch is refused but carries no penalty.")},
        max=2,
    ),
    choice(
        "last_draw_two",
        gettext_noop("Draw Two as the last card"),
        {
            "at-once": gettext_noop(
                "A player whose last card is {a_draw_two} goes out at once. The next player "
                "still draws, and those cards count towards the score."
            ),
            "after-stack": gettext_noop(
                "A player whose last card is {a_draw_two} goes out only once the stack is "
                "resolved. If the penalty comes back to them, they draw it and play on. If two "
                "players have emptied their hands, the one who did so first wins."
            ),
        },
        about=(roles.DRAW_TWO,),
        idle="at-once",
    ),
    choice(
        "scoring",
        gettext_noop("Scoring"),
        {
            "winner-takes": gettext_noop(
                "The player who goes out scores the points of the cards left in the other "
                "hands. The first player to reach the target wins."
            ),
            "lowest": gettext_noop(
                "Each player keeps a running total of the points they are caught with. When a "
                "player reaches the target, the lowest total wins. Players tied for the lowest "
                "total share the win."
            ),
            "elimination": gettext_noop(
                "Each player keeps a running total of the points they are caught with. A "
                "player who reaches the target is eliminated. The last two play head to head, "
                "and the last one left wins."
            ),
        },
    ),
    number(
        "target",
        gettext_noop("Target"),
        lambda n: ngettext("The target is {n} point.", "The target is {n} points.", n),
        {
            0: gettext_noop(
                "There is no target: the match ends after a set number of hands or when time is up."
            )
        },
        max=99_999,
        help=gettext_noop(
            "0 means no target: the match ends after a set number of hands or when time is up."
        ),
    ),
    flag(
        "partners",
        gettext_noop("Partners"),
        gettext_noop(
            "Four players play in two pairs, with partners sitting across from each other. "
            "When either partner goes out, the hand is over, and points are counted by "
            "team."
        ),
        gettext_noop("Everyone plays for themselves."),
    ),
    number(
        "blanks",
        gettext_noop("Blank cards"),
        lambda n: ngettext(
            "{n} blank card is added to the deck.", "{n} blank cards are added to the deck.", n
        ),
        {
            0: gettext_noop("There are no blank cards."),
            1: gettext_noop("One blank card is added to the deck."),
        },
        max=4,
    ),
    choice(
        "blank_rule",
        gettext_noop("Effect of a blank card"),
        {
            "replace": gettext_noop(
                "Each blank card replaces a named card and counts as that card in every way."
            ),
            "draw-one": gettext_noop("A blank card is wild, and everyone else draws one card."),
            "swap": gettext_noop(
                "A blank card is wild, and the player who plays it swaps hands with a player "
                "of their choice."
            ),
            "pass-hands": gettext_noop(
                "A blank card is wild, and everyone passes their hand on in the direction of play."
            ),
            "skip-everybody": gettext_noop(
                "A blank card is wild and skips everyone else: the player who plays it plays again."
            ),
        },
    ),
    Option(
        "blank_card",
        gettext_noop("Card replaced by a blank"),
        "card",
        {"": gettext_noop("The card that the blanks replace has not been chosen.")},
        template=gettext_noop("Each blank card replaces {value}."),
    ),
    Option(
        "blank_name",
        gettext_noop("Name of the blank cards"),
        "text",
        {"": gettext_noop("The blank cards have no name of their own.")},
        max=30,
        template=gettext_noop("The blank cards are called “{value}”."),
    ),
    number(
        "blank_points",
        gettext_noop("Points for a blank card"),
        lambda n: ngettext(
            "A blank card with a house rule is worth {n} point.",
            "A blank card with a house rule is worth {n} points.",
            n,
        ),
        max=1000,
    ),
]

OPTIONS: dict[str, Option] = {option.name: option for option in _LIST}
