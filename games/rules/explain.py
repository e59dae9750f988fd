"""Rules as text: the rules page, log lines, what a seat may do now, names of cards.

The rules page is made of the option's sentences, so it says what the engine does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from games.rules import cards, words
from games.rules.cards import CARDS, Role
from games.rules.optionlist import OPTIONS
from games.rules.rulesets import RuleSet, applies
from games.rules.sentences import sentence, told
from games.rules.words import card_name, color_name

__all__ = [
    "Section",
    "card_name",
    "color_name",
    "example",
    "fitting",
    "house_rules",
    "prompt",
    "rules_page",
    "say",
    "sentence",
    "special_cards",
    "told",
]


class Section(NamedTuple):
    """A part of the rules page: a title, then paragraphs, then a list."""

    title: str
    paragraphs: list[str]
    items: list[str]


def rules_page(rs: RuleSet) -> list[Section]:
    """The rules as players read them, for this rule set with all its options."""
    return [
        Section("The aim", _aim(rs), []),
        Section("Cards and players", _cards_and_players(rs), []),
        Section("The deal", _deal(rs), []),
        Section("The card turned up", [], _opening(rs)),
        Section("Your turn", _turn(rs), []),
        Section("Special cards", _special_rules(rs), list(special_cards(rs).values())),
        *_uno(rs),
        Section("Going out", _going_out(rs), []),
        Section("Scoring", _scoring(rs), _points(rs)),
    ]


def say(rs: RuleSet, *names: str) -> list[str]:
    """The sentences of these options, as far as they make a difference."""
    return [words.in_deck(rs, _said(rs, n)) for n in names if applies(n, rs)]


def _said(rs: RuleSet, name: str) -> str:
    if name == "scoring" and rs.partners:
        return _TEAM_SCORING[rs.scoring]
    if name == "blank_card":
        return OPTIONS[name].sentence(words.card_name(rs.blank_card))
    return OPTIONS[name].sentence(getattr(rs, name))


# With partners "the other hands" of the option would take in the partner's.
_TEAM_SCORING = {
    "winner-takes": "When a player goes out, the team scores the cards left in both opponents' "
    "hands. The first team to reach the target wins.",
    "lowest": "When a player goes out, both opponents add what the two of them are caught with "
    "to their running total, and the team that went out adds nothing. When one team reaches the "
    "target, the lowest total wins.",
}


def _aim(rs: RuleSet) -> list[str]:
    aim = "Be the first to play all of your cards: that is going out, and it ends the hand."
    match = "Hands are played one after the other, and their points decide the match."
    return [f"{aim} {match}", " ".join(say(rs, "scoring", "target"))]


def _cards_and_players(rs: RuleSet) -> list[str]:
    seats = f"{rs.min_seats} to {rs.max_seats} players"
    players = "Four players" if rs.partners else seats
    texts = [f"{players} can play at a table. {say(rs, 'partners')[0]}", *say(rs, "deck")]
    if rs.blanks:
        texts.append(" ".join(_blanks(rs)))
    return texts


def _blanks(rs: RuleSet) -> list[str]:
    if rs.blanks_replace:
        return say(rs, "blanks", "blank_card")
    named = ["blank_name"] if rs.blank_name else []
    return say(rs, "blanks", "blank_rule", *named)


def _deal(rs: RuleSet) -> list[str]:
    dealing = (
        f"{say(rs, 'hand_size')[0]} The cards are dealt one at a time, from the dealer's left. "
        "The rest is the draw pile, and its top card is turned up to begin the discard pile."
    )
    first = "The player to the dealer's left plays first, and play goes to the left."
    return [f"{dealing} {first}", " ".join(say(rs, "first_dealer", "next_dealer"))]


_OPENINGS = {
    "opening_wild": Role.WILD,
    "opening_draw_two": Role.DRAW_TWO,
    "opening_skip": Role.SKIP,
    "opening_reverse": Role.REVERSE,
}


def _opening(rs: RuleSet) -> list[str]:
    roles = _roles(rs)
    texts = say(rs, *(name for name, role in _OPENINGS.items() if role in roles))
    if rs.opening_draw_two != "plain":
        texts += _opening_answers(rs, Role.SHIELD in roles)
    redrawn = [Role.WILD_DRAW_FOUR, Role.SHIELD, Role.X_RAY, Role.BLANK]
    names = [words.one(_face(rs, role)) for role in redrawn if role in roles]
    if names:
        texts.append(
            f"If {words.listed(names, 'or')} is turned up at the start, it goes back into the "
            "deck, the deck is shuffled, and another card is turned up."
        )
    return texts


def _opening_answers(rs: RuleSet, shields: bool) -> list[str]:
    texts = []
    if rs.stacking != "none":
        texts.append(words.in_deck(rs, "A Draw Two turned up can be stacked on like any other."))
    if shields:
        texts.append("A Shield against a Draw Two turned up cancels it.")
    return texts


def _roles(rs: RuleSet) -> dict[Role, int]:
    """The roles in the deck, each with a card that has it."""
    return {CARDS[kind].role: kind for kind in reversed(rs.card_counts())}


def _face(rs: RuleSet, role: Role) -> str:
    return CARDS[_roles(rs)[role]].face


def fitting(rs: RuleSet) -> str:
    """When a card fits on another."""
    noun = words.color_noun(rs)
    same = "rank" if rs.colors == cards.SUITS else "number or symbol"
    fits = f"A card fits if it has the {noun} of the top card, or the same {same}"
    return f"{fits}; {_always(rs)} on every card."


def _always(rs: RuleSet) -> str:
    return "a joker fits" if _faces_match(rs) else "wild cards fit"


def _faces_match(rs: RuleSet) -> bool:
    return applies("face_wilds", rs) and rs.face_wilds == "matching"


def _on_a_wild(rs: RuleSet) -> str:
    named = words.color_noun(rs)
    if _faces_match(rs):
        return f"On a face card only the named {named} fits, its own rank, or a joker."
    return f"On a wild card only the named {named} fits, or another wild card."


def _turn(rs: RuleSet) -> list[str]:
    fits = f"On your turn, play a card that fits, or draw. {fitting(rs)} {_on_a_wild(rs)}"
    drawn = (
        "After a draw no other card may be played; a drawn card that does not fit ends the turn."
    )
    piles = (
        "When the draw pile is empty and a card is needed, the discard pile is shuffled into a new "
        "one; its top card stays. When both piles are empty, as many cards are drawn as there are, "
        "and the rest of a penalty lapses. With none at all you pass, and when all players in turn "
        "have had to pass so, the hand is blocked: it is over, and nobody scores."
    )
    return [
        " ".join([fits, *say(rs, "face_wilds", "renege")]),
        " ".join([*say(rs, "draw", "drawn_card"), *_may_keep(rs), drawn]),
        piles,
    ]


def _may_keep(rs: RuleSet) -> list[str]:
    if rs.drawn_card == "may" or rs.wild_draw_four == "anytime":
        return []
    return [words.in_deck(rs, "A Wild Draw Four that would be a bluff may be kept all the same.")]


_ROLE_RULES: dict[Role, Callable[[RuleSet], str]] = {
    Role.SKIP: lambda rs: "The next player loses the turn.",
    Role.REVERSE: lambda rs: "It changes the direction of play. With two players it is a Skip.",
    Role.DRAW_TWO: lambda rs: "The next player draws two cards.",
    Role.WILD: lambda rs: f"Its player names the {words.color_noun(rs)} to go on with.",
    Role.WILD_DRAW_FOUR: lambda rs: (
        f"Its player names the {words.color_noun(rs)}, and the next player draws four cards."
    ),
    Role.SHIELD: lambda rs: (
        "A wild card. Against a penalty that you owe, it makes the player who last played a draw "
        "card draw all of it instead; only another Shield sends it back. Play goes on with the "
        "player after the first who used a Shield. It does not help against other cards."
    ),
    Role.X_RAY: lambda rs: (
        "A wild card. It shows its player, and nobody else, one random card of each opponent, for "
        "as long as that card is held."
    ),
    Role.DEAD_RED: lambda rs: (
        f"A red card. {OPTIONS['dead_red_spares_player'].sentence(rs.dead_red_spares_player)} "
        "A Dead Red in hand is a red card, a wild card is not. Nobody loses a turn by it. Played "
        "as the last card, it hits only the others."
    ),
    Role.BOO_BLUE: lambda rs: (
        f"A blue card. {OPTIONS['boo_blue_ties'].sentence(rs.boo_blue_ties)} Its player counts "
        "too, after the play. Nobody loses a turn by it. Played as the last card, it hits only "
        "the others."
    ),
    Role.BLANK: lambda rs: OPTIONS["blank_rule"].sentence(rs.blank_rule),
}


def special_cards(rs: RuleSet) -> dict[Role, str]:
    """What each special card of the deck does, by its role."""
    roles = _roles(rs)
    return {
        role: f"{_title(rs, role)}: {rule(rs)}"
        for role, rule in _ROLE_RULES.items()
        if role in roles
    }


_SUITED_TITLES = {
    Role.REVERSE: "Ace (Reverse)",
    Role.DRAW_TWO: "2 (Draw Two)",
    Role.WILD: "Jack, queen and king (Wild)",
    Role.WILD_DRAW_FOUR: "Joker (Wild Draw Four)",
}


def _title(rs: RuleSet, role: Role) -> str:
    if rs.colors == cards.SUITS and role in _SUITED_TITLES:
        return _SUITED_TITLES[role]
    if role is Role.BLANK and rs.blank_name:
        return rs.blank_name
    return words.face_name(_face(rs, role))


def _special_rules(rs: RuleSet) -> list[str]:
    draws = say(rs, "penalty_ends_turn", "stacking", "wild_draw_four", "challenge")
    if rs.challenge and rs.wild_draw_four == "anytime":
        draws.append("As it can be played at any time, nobody is ever guilty.")
    more = say(rs, "identical_skips") if rs.identical_skips else []
    if rs.colors == cards.SUITS:
        more.append("Who plays an eight is encouraged to say “Ocho!”")
    return [" ".join(draws), *more]


def _uno(rs: RuleSet) -> list[Section]:
    names = ("uno_before_play", "uno_penalty", "uno_window", "partner_catches")
    texts = [" ".join(say(rs, *names)), " ".join(say(rs, "wrong_catch_penalty"))]
    if not rs.uno_penalty:
        return [Section("Saying UNO", [OPTIONS["uno_penalty"].sentence(0)], [])]
    again = "UNO is said again every time you are left with one card by your own play."
    return [Section("Saying UNO", [*texts, again], [])]


def _going_out(rs: RuleSet) -> list[str]:
    waits = rs.last_draw_two == "after-stack"
    draws = (
        f"If the last card is a {'Wild Draw Four' if waits else 'draw card'}, the next player "
        "still draws, with all that was stacked before. Nothing can be played against it, and "
        "these cards count."
    )
    texts = [draws, *_last_specials(rs), "A last wild card needs no colour."]
    last = words.in_deck(rs, " ".join(texts))
    return [last, *say(rs, "last_draw_two")] if waits else [last]


def _last_specials(rs: RuleSet) -> list[str]:
    texts = []
    if Role.SHIELD in _roles(rs):
        texts.append("A last Shield makes the player that it hits draw, with no answer.")
    if rs.blanks and rs.blank_rule in ("swap", "pass-hands"):
        texts.append("A last blank card moves no hands.")
    return texts


def _scoring(rs: RuleSet) -> list[str]:
    return [" ".join(say(rs, "scoring", "target")), "What a card counts:"]


def _points(rs: RuleSet) -> list[str]:
    by_points: dict[int, list[str]] = {}
    for kind in rs.card_counts():
        card = CARDS[kind]
        if card.role is not Role.NUMBER:
            name = words.kind_name(rs, kind) if card.color < 0 else words.face_name(card.face)
            by_points.setdefault(rs.points(kind), []).append(name)
    numbers = "Numbers count their face."
    return [numbers, *(_worth(names, points) for points, names in sorted(by_points.items()))]


def _worth(names: Sequence[str], points: int) -> str:
    return f"{words.listed(list(dict.fromkeys(names)))}: {words.count(points, 'point')}."


def house_rules(rs: RuleSet) -> list[tuple[str, str]]:
    """Title and sentence of each option that is not as this rule set has it by itself."""
    return [(OPTIONS[name].title, said) for name in rs.changed() for said in say(rs, name)]


def example(rs: RuleSet, role: Role) -> str:
    """A card of the deck that has this role."""
    return cards.NOTATION[_roles(rs)[role]]


# --- what to do now


def prompt(view: Mapping[str, Any], rs: RuleSet, names: Sequence[str] = ()) -> str:
    """One line that says what the seat of this view may do now; ``names`` of the seats if known."""
    if view["over"]:
        return "The hand is over."
    if view["turn"] != view.get("seat"):
        return f"It is {names[view['turn']]}'s turn." if names else "Wait for your turn."
    may = view["may"]
    if may["choose"]:
        choices = words.listed(words.color_names(rs), "or")
        return f"Choose the {words.color_noun(rs)}: {choices}."
    if view["penalty"]:
        return _penalty_prompt(view)
    if view["drawn"]:
        return _drawn_prompt(view)
    if may["pass"]:
        return "No card is left to draw: pass."
    return _turn_prompt(view, rs)


def _penalty_prompt(view: Mapping[str, Any]) -> str:
    owed = words.count(view["penalty"]["cards"])
    choices = [f"draw {owed}"]
    if view["playable"]:
        choices.append(f"play {words.listed([card_name(c) for c in view['playable']], 'or')}")
    if view["may"]["challenge"]:
        choices.append("challenge")
    return f"Your turn: {words.either(choices)}."


def _drawn_prompt(view: Mapping[str, Any]) -> str:
    keep = ", or keep it" if view["may"]["pass"] else ""
    return f"You drew {card_name(view['drawn'])}: play it{keep}."


def _turn_prompt(view: Mapping[str, Any], rs: RuleSet) -> str:
    wanted = _wanted(view, rs)
    draw = "draw a card" if rs.draw == "one" else "draw until a card fits"
    if not view["playable"]:
        return f"Your turn: you have nothing that fits {' or '.join(wanted)}, so {draw}."
    choice = f", or {draw}" if view["may"]["draw"] else ""
    fits = words.listed([*wanted, *words.wilds(rs)], "or") if view["color"] else "any card"
    return f"Your turn: play {fits}{choice}."


def _wanted(view: Mapping[str, Any], rs: RuleSet) -> list[str]:
    top = CARDS[cards.parse(view["top"])]
    wanted = [color_name(view["color"])] if view["color"] else []
    if top.color >= 0 and (not top.is_face or _faces_match(rs)):
        wanted.append(words.one(top.face))
    return wanted or [card_name(view["top"])]
