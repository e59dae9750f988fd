"""The options one by one: title, values, and the sentence for each value."""

from __future__ import annotations

from games.rules.decks import DECKS
from games.rules.options import Option, Value


def _choice(name: str, title: str, values: dict[Value, str], help: str = "") -> Option:
    return Option(name, title, "choice", values, help=help)


def _flag(name: str, title: str, yes: str, no: str, help: str = "") -> Option:
    return Option(name, title, "bool", {True: yes, False: no}, help=help)


_LIST = [
    _choice(
        "deck",
        "Deck",
        {deck.key: deck.sentence for deck in DECKS.values()},
    ),
    Option(
        "hand_size",
        "Cards dealt to each player",
        "int",
        {1: "Each player is dealt 1 card."},
        min=1,
        max=25,
        template="Each player is dealt {n} cards.",
    ),
    Option(
        "hand_size_two",
        "Cards dealt to each of two players",
        "int",
        {0: "Two players are dealt as many.", 1: "Two players are dealt 1 card each."},
        max=25,
        template="Two players are dealt {n} cards each.",
        help="0: as many as with more players.",
    ),
    _choice(
        "first_dealer",
        "First dealer",
        {
            "random": "The first dealer is drawn by lot.",
            "high-card": "Each player draws a card, and the highest point value deals first; a tie "
            "is drawn again. Number cards count their face, the others their points.",
        },
    ),
    _choice(
        "next_dealer",
        "Next dealer",
        {
            "left": "After each hand the deal passes to the left.",
            "winner": "Whoever won the last hand deals the next; after a blocked hand the deal "
            "passes to the left.",
        },
    ),
    _choice(
        "opening_wild",
        "A Wild turned up at the start",
        {
            "choose": "If {a_wild} is turned up at the start, the first player chooses the {color} "
            "and then plays.",
            "redraw": "If {a_wild} is turned up at the start, it goes back into the deck, the deck "
            "is shuffled, and another card is turned up.",
            "plain": "If {a_wild} is turned up at the start, {opening_wild}.",
        },
    ),
    _choice(
        "opening_draw_two",
        "A Draw Two turned up at the start",
        {
            "plain": "If {a_draw_two} is turned up at the start, it has no effect.",
            "draw": "If {a_draw_two} is turned up at the start, the first player draws two "
            "cards and then has a normal turn.",
            "draw-and-skip": "If {a_draw_two} is turned up at the start, the first player draws "
            "two cards and loses the turn.",
        },
    ),
    _choice(
        "opening_skip",
        "A Skip turned up at the start",
        {
            "plain": "If {a_skip} is turned up at the start, it has no effect.",
            "skip": "If {a_skip} is turned up at the start, the player to the dealer's left is "
            "skipped and the next in turn begins.",
            "dealer": "If {a_skip} is turned up at the start, the player to the dealer's left "
            "loses the turn and the dealer begins.",
        },
    ),
    _choice(
        "opening_reverse",
        "A Reverse turned up at the start",
        {
            "plain": "If {a_reverse} is turned up at the start, it has no effect.",
            "dealers-right": "If {a_reverse} is turned up at the start, the player to the dealer's "
            "right plays first, and play goes to the right.",
            "dealer": "If {a_reverse} is turned up at the start, the dealer plays first, then the "
            "player to the dealer's right, and play goes to the right.",
        },
    ),
    _flag(
        "renege",
        "Declining to play",
        "You may decline to play a card that fits; then you must draw.",
        "If you hold a card that fits, you must play: you may draw only when you cannot play.",
    ),
    _choice(
        "draw",
        "How many cards you draw",
        {
            "one": "Who does not play draws one card.",
            "until-playable": "Who does not play draws cards until one of them can be played.",
        },
    ),
    _choice(
        "drawn_card",
        "The card just drawn",
        {
            "may": "If the card just drawn fits, you may play it in the same turn, or keep it.",
            "must": "If the card just drawn fits, you must play it.",
        },
        "After a draw no other card may be played in that turn. Where a Wild Draw Four is held to "
        "the current colour, one that was just drawn may always be kept if playing it would be a "
        "bluff.",
    ),
    _choice(
        "face_wilds",
        "When face cards fit",
        {
            "anytime": "{A_colored_wild} can be played on any card.",
            "matching": "{A_colored_wild} can be played only on its suit or its own rank.",
        },
    ),
    _flag(
        "penalty_ends_turn",
        "The turn after drawing a penalty",
        "Whoever has to draw for a draw card loses the turn.",
        "Whoever has to draw for a draw card then has a normal turn.",
    ),
    _choice(
        "stacking",
        "Stacking draw cards",
        {
            "none": "Draw cards cannot be stacked: no draw card answers another.",
            "draw-two": "{A_draw_two} may be answered with {a_draw_two} of any {color}. The "
            "penalties add up, and whoever does not add one draws them all. "
            "{A_wild_draw_four} cannot be stacked.",
            "any-draw": "{A_draw_two} or {a_wild_draw_four} may be answered with either, whatever "
            "the {color}. The penalties add up, and whoever does not add one draws them all.",
        },
    ),
    _choice(
        "wild_draw_four",
        "When a Wild Draw Four may be played",
        {
            "anytime": "{A_wild_draw_four} can be played at any time.",
            "no-matching-color": "{A_wild_draw_four} is legal only if you hold no card of the "
            "current {color}. You may play it all the same, as a bluff.",
        },
        "For playing cards the joker is the Wild Draw Four.",
    ),
    _flag(
        "challenge",
        "Challenging a Wild Draw Four",
        "Only the player who must draw may challenge {a_wild_draw_four}, and is shown the hand of "
        "the player who played it. Guilty: that player draws the cards, and the challenger plays "
        "on normally. Not guilty: the challenger draws the cards and two more, and loses the turn.",
        "{A_wild_draw_four} cannot be challenged.",
    ),
    _flag(
        "identical_skips",
        "Identical cards",
        "A card of the same rank and suit as the top card also skips the next player.",
        "A card identical to the top card has no special effect.",
        "On a Draw Two the skip comes first, then the stack goes on with the player after. On a "
        "Reverse the direction changes first.",
    ),
    _flag(
        "dead_red_spares_player",
        "Dead Red and its player",
        "When a Dead Red is played, every other player with no red card in hand draws two cards.",
        "When a Dead Red is played, every player with no red card in hand draws two cards, its "
        "player too.",
    ),
    _choice(
        "boo_blue_ties",
        "Boo Blue and ties",
        {
            "all": "When a Boo Blue is played, the player with the fewest cards draws two; if "
            "several have the fewest, all of them draw.",
            "none": "When a Boo Blue is played, the player with the fewest cards draws two; if "
            "several have the fewest, none of them draws.",
        },
        "Its player counts too, after the play.",
    ),
    Option(
        "uno_penalty",
        "Penalty for not saying UNO",
        "int",
        {
            0: "There is no UNO call.",
            1: "Who is caught with one card and has not said UNO draws 1 card.",
        },
        max=20,
        template="Who is caught with one card and has not said UNO draws {n} cards.",
    ),
    _flag(
        "uno_before_play",
        "Saying UNO before the play",
        "You may say UNO with two cards in hand, before you play the next-to-last one, with that "
        "play, or later as long as nobody has caught you.",
        "You say UNO when you are down to one card: with the play, or later as long as nobody has "
        "caught you.",
    ),
    _choice(
        "uno_window",
        "How long a player can be caught",
        {
            "next-begins": "A player can be caught until the next player begins a turn: draws a "
            "card or plays one. Drawing a penalty or losing a challenge begins no turn.",
            "next-ends": "A player can be caught until the next player has taken a turn. Drawing a "
            "penalty or losing a challenge is no turn.",
            "own-turn": "A player can be caught, after a respectful pause, until that player's own "
            "next turn begins.",
        },
    ),
    _flag(
        "partner_catches",
        "Partners and catching",
        "Any other player may catch, a partner too.",
        "Any other player may catch, but not one's partner.",
    ),
    Option(
        "wrong_catch_penalty",
        "Penalty for a wrong catch",
        "int",
        {
            0: "A wrong catch is refused, without a penalty.",
            1: "Who catches wrongly draws 1 card.",
        },
        max=2,
        template="Who catches wrongly draws {n} cards.",
    ),
    _choice(
        "last_draw_two",
        "A Draw Two as the last card",
        {
            "at-once": "Who plays {a_draw_two} as the last card has gone out at once; the next "
            "player still draws, and these cards count.",
            "after-stack": "Who plays {a_draw_two} as the last card has gone out only when the "
            "stack is resolved. If the penalty comes back, that player draws and is not out; if "
            "two have emptied their hands, the first of them wins.",
        },
    ),
    _choice(
        "scoring",
        "Scoring",
        {
            "winner-takes": "Who goes out scores the cards left in the other hands. The first to "
            "reach the target wins.",
            "lowest": "All players keep a running total of what they are caught with. When one "
            "reaches the target, the lowest total wins; several at the lowest share the win.",
            "elimination": "All players keep a running total of what they are caught with. Who "
            "reaches the target is out, the last two play head to head, and the one left wins.",
        },
    ),
    Option(
        "target",
        "Target",
        "int",
        {1: "The target is 1 point."},
        min=1,
        max=100_000,
        template="The target is {n} points.",
    ),
    _flag(
        "partners",
        "Partners",
        "Four players play as partners who sit across from each other. When either goes out the "
        "hand is over, and points are counted by team.",
        "Everybody plays alone.",
    ),
    Option(
        "blanks",
        "Blank cards",
        "int",
        {0: "There are no blank cards.", 1: "One blank card is added to the deck."},
        max=4,
        template="{n} blank cards are added to the deck.",
    ),
    _choice(
        "blank_rule",
        "What a blank card does",
        {
            "replace": "Each blank card stands for a card that is named, and is that card in all.",
            "draw-one": "A blank card is wild, and everyone else draws one card.",
            "swap": "A blank card is wild, and its player swaps hands with a player of choice.",
            "pass-hands": "A blank card is wild, and everybody passes the hand on in the direction "
            "of play.",
            "skip-everybody": "A blank card is wild, and everybody else is skipped: its player "
            "plays again.",
        },
    ),
    Option(
        "blank_card",
        "The card that a blank replaces",
        "card",
        {"": "No card is named for the blank cards to replace."},
        template="Each blank card replaces {value}.",
    ),
    Option(
        "blank_name",
        "Name of the house rule on the blank cards",
        "text",
        {"": "The blank cards have no name of their own."},
        max=30,
        template="The blank cards are called “{value}”.",
    ),
    Option(
        "blank_points",
        "Points of a blank card",
        "int",
        {1: "A blank card with a house rule counts 1 point."},
        max=1000,
        template="A blank card with a house rule counts {n} points.",
    ),
]

OPTIONS: dict[str, Option] = {option.name: option for option in _LIST}
