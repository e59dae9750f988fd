"""Rules as text: the rules page, and in one place log lines, prompts and names of cards.

The rules page is made of the option's sentences, so it says what the engine does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from games.rules.deck import roles
from games.rules.ruleset.applicability import applies
from games.rules.ruleset.optionlist import OPTIONS
from games.rules.ruleset.rulesets import RuleSet
from games.rules.text import _, gettext_noop
from games.rules.words import words
from games.rules.words.option_sentences import Item, say
from games.rules.words.prompts import prompt
from games.rules.words.sentences import action_text, draw_reasons, sentence
from games.rules.words.special import alike, example, pictures, special_cards
from games.rules.words.words import card_name, color_name


class Section(NamedTuple):
    """A part of the rules page: a title, then paragraphs, then a list."""

    title: str
    paragraphs: list[str]
    items: list[Item]


def rules_page(rs: RuleSet) -> list[Section]:
    """The rules as players read them, for this rule set with all its options."""
    sections = [
        Section(_("The aim"), _aim(rs), []),
        Section(_("Cards and players"), _cards_and_players(rs), []),
        Section(_("The deal"), _deal(rs), []),
        Section(_("The card turned up"), [], [Item(text) for text in _opening(rs)]),
        Section(_("Your turn"), _turn(rs), []),
        Section(_("Special cards"), _special_rules(rs), list(special_cards(rs).values())),
        Section(_("Saying UNO"), _uno(rs), []),
        Section(_("Going out"), _going_out(rs), []),
        Section(_("Scoring"), _scoring(rs), _points(rs)),
    ]
    return [section for section in sections if section.paragraphs or section.items]


def _aim(rs: RuleSet) -> list[str]:
    aim = _(
        "Be the first to play all of your cards: that is going out, and it ends the hand. "
        "Hands are played one after the other, and their points decide the match."
    )
    return [aim, " ".join(say(rs, "scoring", "target"))]


def _cards_and_players(rs: RuleSet) -> list[str]:
    texts = [" ".join([_players(rs), *say(rs, "partners")]), *say(rs, "deck")]
    if rs.blanks:
        texts.append(" ".join(_blanks(rs)))
    return texts


def _players(rs: RuleSet) -> str:
    if rs.partners:
        return _("Four players can play at a table.")
    text = _("{least} to {most} players can play at a table.")
    return text.format(least=rs.min_seats, most=rs.max_seats)


def _blanks(rs: RuleSet) -> list[str]:
    if rs.blanks_replace:
        return say(rs, "blanks", "blank_card")
    named = ["blank_name"] if rs.blank_name else []
    return say(rs, "blanks", "blank_rule", *named)


def _deal(rs: RuleSet) -> list[str]:
    dealing = _(
        "The cards are dealt one at a time, from the dealer's left. The rest is the draw pile, "
        "and its top card is turned up to begin the discard pile. The player to the dealer's left "
        "plays first, and play goes to the left."
    )
    dealers = say(rs, "first_dealer", "next_dealer")
    return [" ".join([*_dealt(rs), dealing]), " ".join(dealers)]


def _dealt(rs: RuleSet) -> list[str]:
    return say(rs, "hand_size", *(["hand_size_two"] if rs.hand_size_two else []))


def _opening(rs: RuleSet) -> list[str]:
    found = rs.roles()
    texts = say(rs, "opening_wild", "opening_draw_two", "opening_skip", "opening_reverse")
    if rs.opening_draw_two != "plain" and roles.DRAW_TWO in found:
        texts += _opening_answers(rs)
    if names := [rs.pack.cards[kind].one for role, kind in found.items() if role.returns]:
        text = _(
            "If {cards} is turned up at the start, it goes back into the deck, the deck is "
            "shuffled, and another card is turned up."
        )
        texts.append(text.format(cards=words.listed(names, "or")))
    return texts


def _opening_answers(rs: RuleSet) -> list[str]:
    texts = []
    if rs.stacking != "none":
        text = gettext_noop("{A_draw_two} turned up can be stacked on like any other.")
        texts.append(words.said(rs, text))
    if roles.SHIELD in rs.roles():
        text = gettext_noop("{A_shield} against {a_draw_two} turned up cancels it.")
        texts.append(words.said(rs, text))
    return texts


def fitting(rs: RuleSet) -> str:
    """When a card fits on another."""
    return words.said(rs, _FITTING[_kind_of_wilds(rs)], colorless=rs.pack.colorless)


def _has_wilds(rs: RuleSet) -> bool:
    return any(rs.pack.cards[kind].names_color for kind in rs.card_counts())


def _kind_of_wilds(rs: RuleSet) -> str:
    """Which wild cards fit on every card: all of them, those without a colour, or none."""
    if _has_wilds(rs) and not (applies("face_wilds", rs) and rs.face_wilds == "matching"):
        return "all"
    return "colorless" if rs.pack.colorless else "none"


_FITTING = {
    "all": gettext_noop(
        "A card fits if it has the {color} of the top card, or the same {symbol}; wild cards "
        "fit on every card."
    ),
    "colorless": gettext_noop(
        "A card fits if it has the {color} of the top card, or the same {symbol}; "
        "{colorless} fits on every card."
    ),
    "none": gettext_noop(
        "A card fits if it has the {color} of the top card, or the same {symbol}."
    ),
}
_ON_A_WILD = {
    "all": gettext_noop("On a wild card only the named {color} fits, or another wild card."),
    "colorless": gettext_noop(
        "On {a_wild} only the named {color} fits, its own {symbol}, or {colorless}."
    ),
    "none": gettext_noop("On {a_wild} only the named {color} fits, or its own {symbol}."),
}


def _on_a_wild(rs: RuleSet) -> list[str]:
    if not _has_wilds(rs):
        return []
    return [words.said(rs, _ON_A_WILD[_kind_of_wilds(rs)], colorless=rs.pack.colorless)]


_SHORT = {
    True: gettext_noop(
        "When both piles are empty, as many cards are drawn as there are, and the rest of a "
        "penalty lapses."
    ),
    False: gettext_noop("When both piles are empty, as many cards are drawn as there are."),
}


def _penalties(rs: RuleSet) -> bool:
    """Whether anybody ever has to draw a number of cards."""
    draws = (roles.DEAD_RED, roles.BOO_BLUE, roles.BLANK)
    return rs.uno_penalty > 0 or any(role.draws or role in draws for role in rs.roles())


def _turn(rs: RuleSet) -> list[str]:
    begin = _("On your turn, play a card that fits, or draw.")
    drawn = _(
        "After a draw no other card may be played; a drawn card that does not fit ends the turn."
    )
    return [
        " ".join([begin, fitting(rs), *_on_a_wild(rs), *say(rs, "face_wilds", "renege")]),
        " ".join([*say(rs, "draw", "drawn_card"), *_may_keep(rs), drawn]),
        " ".join(_piles(rs)),
    ]


def _piles(rs: RuleSet) -> list[str]:
    shuffled = _(
        "When the draw pile is empty and a card is needed, the discard pile is shuffled into a new "
        "one; its top card stays."
    )
    blocked = _(
        "With none at all you pass, and when all players in turn have had to pass so, the hand is "
        "blocked: it is over, and nobody scores."
    )
    return [shuffled, _(_SHORT[_penalties(rs)]), blocked]


def _may_keep(rs: RuleSet) -> list[str]:
    bluffs = rs.wild_draw_four != "anytime" and applies("wild_draw_four", rs)
    if rs.drawn_card == "may" or not bluffs:
        return []
    text = gettext_noop("{A_wild_draw_four} that would be a bluff may be kept all the same.")
    return [words.said(rs, text)]


def _special_rules(rs: RuleSet) -> list[str]:
    draws = say(rs, "penalty_ends_turn", "stacking", "wild_draw_four", "challenge")
    if rs.challenge and rs.wild_draw_four == "anytime" and applies("challenge", rs):
        draws.append(_("As it can be played at any time, nobody is ever guilty."))
    texts = [draws, _identical(rs) if rs.identical_skips else []]
    if any(rs.pack.cards[kind].ocho for kind in rs.card_counts()):
        texts.append([_("Who plays an eight is encouraged to say “Ocho!”")])
    return [" ".join(each) for each in texts if each]


_IDENTICAL_TWO = gettext_noop(
    "On {a_draw_two} the skip comes first, then the stack goes on with the player after."
)


def _identical(rs: RuleSet) -> list[str]:
    texts, found = say(rs, "identical_skips"), rs.roles()
    if texts and roles.DRAW_TWO in found:
        texts.append(words.said(rs, _IDENTICAL_TWO))
    if texts and roles.REVERSE in found:
        texts.append(words.said(rs, gettext_noop("On {a_reverse} the direction changes first.")))
    return texts


def _uno(rs: RuleSet) -> list[str]:
    if not rs.uno_penalty:
        return say(rs, "uno_penalty") if rs.pack.words.says_uno else []
    names = ("uno_before_play", "uno_penalty", "uno_window", "partner_catches")
    texts = [" ".join(say(rs, *names)), " ".join(say(rs, "wrong_catch_penalty"))]
    again = _("UNO is said again every time you are left with one card by your own play.")
    return [*texts, again]


def _going_out(rs: RuleSet) -> list[str]:
    waits = rs.last_draw_two == "after-stack" and applies("last_draw_two", rs)
    last = " ".join([*_last_draws(rs, waits), *_last_specials(rs)])
    return [*([last] if last else []), *(say(rs, "last_draw_two") if waits else [])]


def _last_draws(rs: RuleSet, waits: bool) -> list[str]:
    found = rs.roles()
    # A Draw Two that waits for its stack is told of apart.
    if not (roles.WILD_DRAW_FOUR in found or (roles.DRAW_TWO in found and not waits)):
        return []
    last = rs.pack.one(roles.WILD_DRAW_FOUR) if waits else _("a draw card")
    text = _(
        "If the last card is {card}, the next player still draws, with all that was stacked "
        "before. Nothing can be played against it, and these cards count."
    )
    return [text.format(card=last)]


def _last_specials(rs: RuleSet) -> list[str]:
    texts, found = [], rs.roles()
    if roles.SHIELD in found:
        texts.append(_("A last Shield makes the player that it hits draw, with no answer."))
    if rs.blanks and rs.blank_rule in ("swap", "pass-hands"):
        texts.append(_("A last blank card moves no hands."))
    if _has_wilds(rs):
        texts.append(words.said(rs, gettext_noop("A last wild card needs no {color}.")))
    return texts


def _scoring(rs: RuleSet) -> list[str]:
    return [" ".join(say(rs, "scoring", "target")), _("What a card counts:")]


def _points(rs: RuleSet) -> list[Item]:
    by_points: dict[int, dict[str, str]] = {}
    numbers = False
    for kind in rs.card_counts():
        card = rs.pack.cards[kind]
        if card.counts_its_face:
            numbers = True
        else:
            name = words.kind_name(rs, kind) if card.color < 0 else card.title
            by_points.setdefault(rs.points(kind), {}).setdefault(name, card.notation)
    items = [_worth(names, points) for points, names in sorted(by_points.items())]
    return [Item(_("Numbers count their face.")), *items] if numbers else items


def _worth(names: Mapping[str, str], points: int) -> Item:
    """What the cards of these names count; with their picture if it is one alone."""
    counted = _("{points}.").format(points=words.points(points))
    if len(names) == 1:
        ((name, card),) = names.items()
        return Item(counted, name, card)
    text = _("{cards}: {points}")
    return Item(text.format(cards=words.listed(list(names)), points=counted))


def house_rules(rs: RuleSet) -> list[tuple[str, str]]:
    """Title and sentence of each option that is not as this rule set has it by itself."""
    return [(_(OPTIONS[name].title), said) for name in rs.changed() for said in say(rs, name)]
