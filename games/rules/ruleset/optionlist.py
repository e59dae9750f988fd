"""The options one by one: title, values, and the sentence for each value."""

from __future__ import annotations

from games.rules.deck import roles
from games.rules.ruleset.dealing import DEALING
from games.rules.ruleset.options import Option, choice, flag, number
from games.rules.text import gettext_noop, ngettext

_DRAW_CARDS = (roles.DRAW_TWO, roles.WILD_DRAW_FOUR)
_TWOS_ALONE = gettext_noop(
    "{A_draw_two} may be answered with {a_draw_two} of any {color}. The penalties add up, and "
    "whoever does not add one draws them all."
)
_LIST = [
    *DEALING,
    flag(
        "renege",
        gettext_noop("Declining to play"),
        gettext_noop("You may decline to play a card that fits; then you must draw."),
        gettext_noop(
            "If you hold a card that fits, you must play: you may draw only when you cannot play."
        ),
    ),
    choice(
        "draw",
        gettext_noop("How many cards you draw"),
        {
            "one": gettext_noop("Who does not play draws one card."),
            "until-playable": gettext_noop(
                "Who does not play draws cards until one of them can be played."
            ),
        },
    ),
    choice(
        "drawn_card",
        gettext_noop("The card just drawn"),
        {
            "may": gettext_noop(
                "If the card just drawn fits, you may play it in the same turn, or keep it."
            ),
            "must": gettext_noop("If the card just drawn fits, you must play it."),
        },
        gettext_noop(
            "After a draw no other card may be played in that turn. Where a Wild Draw Four is held "
            "to the current colour, one that was just drawn may always be kept if playing it would "
            "be a bluff."
        ),
    ),
    choice(
        "face_wilds",
        gettext_noop("When face cards fit"),
        {
            "anytime": gettext_noop("{A_colored_wild} can be played on any card."),
            "matching": gettext_noop(
                "{A_colored_wild} can be played only on its suit or its own rank."
            ),
        },
    ),
    flag(
        "penalty_ends_turn",
        gettext_noop("The turn after drawing a penalty"),
        gettext_noop("Whoever has to draw for a draw card loses the turn."),
        gettext_noop("Whoever has to draw for a draw card then has a normal turn."),
        about=_DRAW_CARDS,
        idle=True,
    ),
    choice(
        "stacking",
        gettext_noop("Stacking draw cards"),
        {
            "none": gettext_noop("Draw cards cannot be stacked: no draw card answers another."),
            "draw-two": (
                gettext_noop(
                    "{A_draw_two} may be answered with {a_draw_two} of any {color}. The "
                    "penalties add up, and whoever does not add one draws them all. "
                    "{A_wild_draw_four} cannot be stacked."
                ),
                _TWOS_ALONE,
                gettext_noop("{A_wild_draw_four} cannot be stacked."),
            ),
            "any-draw": (
                gettext_noop(
                    "{A_draw_two} or {a_wild_draw_four} may be answered with either, whatever the "
                    "{color}. The penalties add up, and whoever does not add one draws them all."
                ),
                _TWOS_ALONE,
                gettext_noop(
                    "{A_wild_draw_four} may be answered with another. The penalties add up, and "
                    "whoever does not add one draws them all."
                ),
            ),
        },
        about=_DRAW_CARDS,
        idle="none",
    ),
    choice(
        "wild_draw_four",
        gettext_noop("When a Wild Draw Four may be played"),
        {
            "anytime": gettext_noop("{A_wild_draw_four} can be played at any time."),
            "no-matching-color": gettext_noop(
                "{A_wild_draw_four} is legal only if you hold no card of the "
                "current {color}. You may play it all the same, as a bluff."
            ),
        },
        gettext_noop("For playing cards the joker is the Wild Draw Four."),
        about=(roles.WILD_DRAW_FOUR,),
        idle="anytime",
    ),
    flag(
        "challenge",
        gettext_noop("Challenging a Wild Draw Four"),
        gettext_noop(
            "Only the player who must draw may challenge {a_wild_draw_four}, and is shown the hand "
            "of the player who played it. Guilty: that player draws the cards, and the challenger "
            "plays on normally. Not guilty: the challenger draws the cards and two more, and loses "
            "the turn."
        ),
        gettext_noop("{A_wild_draw_four} cannot be challenged."),
        about=(roles.WILD_DRAW_FOUR,),
    ),
    flag(
        "identical_skips",
        gettext_noop("Identical cards"),
        gettext_noop(
            "A card of the same rank and suit as the top card also skips the next player."
        ),
        gettext_noop("A card identical to the top card has no special effect."),
        gettext_noop(
            "On a Draw Two the skip comes first, then the stack goes on with the player after. On "
            "a Reverse the direction changes first."
        ),
    ),
    flag(
        "dead_red_spares_player",
        gettext_noop("Dead Red and its player"),
        gettext_noop(
            "When a Dead Red is played, every other player with no red card in hand draws two "
            "cards."
        ),
        gettext_noop(
            "When a Dead Red is played, every player with no red card in hand draws two cards, its "
            "player too."
        ),
        about=(roles.DEAD_RED,),
    ),
    choice(
        "boo_blue_ties",
        gettext_noop("Boo Blue and ties"),
        {
            "all": gettext_noop(
                "When a Boo Blue is played, the player with the fewest cards draws two; if "
                "several have the fewest, all of them draw."
            ),
            "none": gettext_noop(
                "When a Boo Blue is played, the player with the fewest cards draws two; if "
                "several have the fewest, none of them draws."
            ),
        },
        gettext_noop("Its player counts too, after the play."),
        about=(roles.BOO_BLUE,),
        idle="all",
    ),
    number(
        "uno_penalty",
        gettext_noop("Penalty for not saying UNO"),
        lambda n: ngettext(
            "Who is caught with one card and has not said UNO draws {n} card.",
            "Who is caught with one card and has not said UNO draws {n} cards.",
            n,
        ),
        {0: gettext_noop("There is no UNO call.")},
        max=20,
    ),
    flag(
        "uno_before_play",
        gettext_noop("Saying UNO before the play"),
        gettext_noop(
            "You may say UNO with two cards in hand, before you play the next-to-last one, with "
            "that play, or later as long as nobody has caught you."
        ),
        gettext_noop(
            "You say UNO when you are down to one card: with the play, or later as long as nobody "
            "has caught you."
        ),
    ),
    choice(
        "uno_window",
        gettext_noop("How long a player can be caught"),
        {
            "next-begins": gettext_noop(
                "A player can be caught until the next player begins a turn: draws a "
                "card or plays one. Drawing a penalty or losing a challenge begins no turn."
            ),
            "next-ends": gettext_noop(
                "A player can be caught until the next player has taken a turn. Drawing a "
                "penalty or losing a challenge is no turn."
            ),
            "own-turn": gettext_noop(
                "A player can be caught, after a respectful pause, until that player's own "
                "next turn begins."
            ),
        },
    ),
    flag(
        "partner_catches",
        gettext_noop("Partners and catching"),
        gettext_noop("Any other player may catch, a partner too."),
        gettext_noop("Any other player may catch, but not one's partner."),
    ),
    number(
        "wrong_catch_penalty",
        gettext_noop("Penalty for a wrong catch"),
        lambda n: ngettext(
            "Who catches wrongly draws {n} card.", "Who catches wrongly draws {n} cards.", n
        ),
        {0: gettext_noop("A wrong catch is refused, without a penalty.")},
        max=2,
    ),
    choice(
        "last_draw_two",
        gettext_noop("A Draw Two as the last card"),
        {
            "at-once": gettext_noop(
                "Who plays {a_draw_two} as the last card has gone out at once; the next "
                "player still draws, and these cards count."
            ),
            "after-stack": gettext_noop(
                "Who plays {a_draw_two} as the last card has gone out only when the stack is "
                "resolved. If the penalty comes back, that player draws and is not out; if two "
                "have emptied their hands, the first of them wins."
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
                "Who goes out scores the cards left in the other hands. The first to "
                "reach the target wins."
            ),
            "lowest": gettext_noop(
                "All players keep a running total of what they are caught with. When one "
                "reaches the target, the lowest total wins; several at the lowest share the win."
            ),
            "elimination": gettext_noop(
                "All players keep a running total of what they are caught with. Who "
                "reaches the target is out, the last two play head to head, and the one left wins."
            ),
        },
    ),
    number(
        "target",
        gettext_noop("Target"),
        lambda n: ngettext("The target is {n} point.", "The target is {n} points.", n),
        {0: gettext_noop("There is no target: the number of hands or the time ends the match.")},
        max=99_999,
        help=gettext_noop("0: no target; the number of hands or the time ends the match."),
    ),
    flag(
        "partners",
        gettext_noop("Partners"),
        gettext_noop(
            "Four players play as partners who sit across from each other. When either goes out "
            "the hand is over, and points are counted by team."
        ),
        gettext_noop("Everybody plays alone."),
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
        gettext_noop("What a blank card does"),
        {
            "replace": gettext_noop(
                "Each blank card stands for a card that is named, and is that card in all."
            ),
            "draw-one": gettext_noop("A blank card is wild, and everyone else draws one card."),
            "swap": gettext_noop(
                "A blank card is wild, and its player swaps hands with a player of choice."
            ),
            "pass-hands": gettext_noop(
                "A blank card is wild, and everybody passes the hand on in the direction of play."
            ),
            "skip-everybody": gettext_noop(
                "A blank card is wild, and everybody else is skipped: its player plays again."
            ),
        },
    ),
    Option(
        "blank_card",
        gettext_noop("The card that a blank replaces"),
        "card",
        {"": gettext_noop("No card is named for the blank cards to replace.")},
        template=gettext_noop("Each blank card replaces {value}."),
    ),
    Option(
        "blank_name",
        gettext_noop("Name of the house rule on the blank cards"),
        "text",
        {"": gettext_noop("The blank cards have no name of their own.")},
        max=30,
        template=gettext_noop("The blank cards are called “{value}”."),
    ),
    number(
        "blank_points",
        gettext_noop("Points of a blank card"),
        lambda n: ngettext(
            "A blank card with a house rule counts {n} point.",
            "A blank card with a house rule counts {n} points.",
            n,
        ),
        max=1000,
    ),
]

OPTIONS: dict[str, Option] = {option.name: option for option in _LIST}
