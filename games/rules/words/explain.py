"""Text of the rules page, and the functions of this package that other packages use.

The rules page contains the sentence for the value of each option, so it matches what the engine
does.
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
from games.rules.words.option_sentences import Item, option_sentences
from games.rules.words.prompts import prompt
from games.rules.words.sentences import action_text, draw_reasons, sentence
from games.rules.words.special import cards_with_role, example_card, pictures, special_cards
from games.rules.words.words import card_name, color_name


class Section(NamedTuple):
    """A section of the rules page: a title, followed by paragraphs and a list."""

    title: str
    paragraphs: list[str]
    items: list[Item]


def rules_page(rs: RuleSet) -> list[Section]:
    """Return the sections of the rules page for this rule set."""
    scoring = [" ".join(option_sentences(rs, "scoring", "target")), _("Points per card:")]
    sections = [
        Section(_("The aim"), _explain_aim(rs), []),
        Section(_("Cards and players"), _explain_cards_and_players(rs), []),
        Section(_("The deal"), _explain_deal(rs), []),
        Section(_("The starting card"), [], [Item(text) for text in _explain_opening(rs)]),
        Section(_("Your turn"), _explain_turn(rs), []),
        Section(_("Special cards"), _list_special_rules(rs), list(special_cards(rs).values())),
        Section(_("Saying UNO"), _explain_uno(rs), []),
        Section(_("Going out"), _explain_going_out(rs), []),
        Section(_("Scoring"), scoring, _list_points(rs)),
    ]
    return [section for section in sections if section.paragraphs or section.items]


def _explain_aim(rs: RuleSet) -> list[str]:
    aim = _(
        "Be the first to play all your cards. This is called going out, and it ends "
        "the hand. A match is a series of hands and is decided on points."
    )
    return [aim, " ".join(option_sentences(rs, "scoring", "target"))]


def _explain_cards_and_players(rs: RuleSet) -> list[str]:
    texts = [
        " ".join([_explain_players(rs), *option_sentences(rs, "partners")]),
        *option_sentences(rs, "deck"),
    ]
    if rs.blanks:
        texts.append(" ".join(_explain_blanks(rs)))
    return texts


def _explain_players(rs: RuleSet) -> str:
    if rs.partners:
        return _("A table seats four players.")
    text = _("A table seats {least} to {most} players.")
    return text.format(least=rs.min_seats, most=rs.max_seats)


def _explain_blanks(rs: RuleSet) -> list[str]:
    if rs.blanks_replace:
        return option_sentences(rs, "blanks", "blank_card")
    named = ["blank_name"] if rs.blank_name else []
    return option_sentences(rs, "blanks", "blank_rule", *named)


def _explain_deal(rs: RuleSet) -> list[str]:
    dealing = _(
        "Cards are dealt one at a time, starting with the player to the dealer’s left. "
        "The remaining cards form the draw pile, and its top card is turned up to "
        "start the discard pile. The player to the dealer’s left plays first, and play "
        "goes clockwise."
    )
    dealers = option_sentences(rs, "first_dealer", "next_dealer")
    size = option_sentences(rs, "hand_size", *(["hand_size_two"] if rs.hand_size_two else []))
    return [" ".join([*size, dealing]), " ".join(dealers)]


def _explain_opening(rs: RuleSet) -> list[str]:
    deck_roles = rs.roles()
    texts = option_sentences(
        rs, "opening_wild", "opening_draw_two", "opening_skip", "opening_reverse"
    )
    if rs.opening_draw_two != "plain" and roles.DRAW_TWO in deck_roles:
        texts += _explain_opening_answers(rs)
    if names := [rs.pack.one(role) for role in deck_roles if role.returns]:
        text = _(
            "If {cards} is turned up at the start, it is shuffled back into the deck and "
            "another card is turned up."
        )
        texts.append(text.format(cards=words.join_names(names, "or")))
    return texts


def _explain_opening_answers(rs: RuleSet) -> list[str]:
    texts = []
    if rs.stacking != "none":
        text = gettext_noop("{A_draw_two} turned up at the start can be stacked on like any other.")
        texts.append(words.fill_words(rs, text))
    if roles.SHIELD in rs.roles():
        text = gettext_noop(
            "{A_shield} played against {a_draw_two} turned up at the start cancels it."
        )
        texts.append(words.fill_words(rs, text))
    return texts


def explain_fitting(rs: RuleSet) -> str:
    """Explain which cards can be played on which other cards."""
    return words.fill_words(
        rs, _FITTING[_find_wilds_that_always_fit(rs)], colorless=rs.pack.colorless
    )


def _has_wilds(rs: RuleSet) -> bool:
    return any(rs.pack.cards[kind].names_color for kind in rs.card_counts())


def _find_wilds_that_always_fit(rs: RuleSet) -> str:
    """Return which wild cards fit on every card: "all", "colorless" or "none".

    "colorless" means that only those without a colour fit on every card.
    """
    if _has_wilds(rs) and not (applies("face_wilds", rs) and rs.face_wilds == "matching"):
        return "all"
    return "colorless" if rs.pack.colorless else "none"


_FITTING = {
    "all": gettext_noop(
        "A card fits if it has the same {color} or the same {symbol} as the top card. "
        "A wild card always fits."
    ),
    "colorless": gettext_noop(
        "A card fits if it has the same {color} or the same {symbol} as the top card; "
        "{colorless} always fits."
    ),
    "none": gettext_noop(
        "A card fits if it has the same {color} or the same {symbol} as the top card."
    ),
}
_ON_A_WILD = {
    "all": gettext_noop(
        "On a wild card, you can play only a card of the chosen {color} or another wild card."
    ),
    "colorless": gettext_noop(
        "On {a_wild}, you can play only a card of the chosen {color}, a card with the "
        "same {symbol}, or {colorless}."
    ),
    "none": gettext_noop(
        "On {a_wild}, you can play only a card of the chosen {color} or a card with "
        "the same {symbol}."
    ),
}


def _explain_play_on_wild(rs: RuleSet) -> list[str]:
    if not _has_wilds(rs):
        return []
    return [
        words.fill_words(
            rs, _ON_A_WILD[_find_wilds_that_always_fit(rs)], colorless=rs.pack.colorless
        )
    ]


_SHORTAGE = {
    True: gettext_noop(
        "If both piles run out, you draw whatever cards are left, and the rest of any "
        "penalty is cancelled."
    ),
    False: gettext_noop("If both piles run out, you draw whatever cards are left."),
}


def _has_penalties(rs: RuleSet) -> bool:
    """Return whether players may have to draw cards as a penalty under any rule."""
    draws = (roles.DEAD_RED, roles.BOO_BLUE, roles.BLANK)
    return rs.uno_penalty > 0 or any(role.draws or role in draws for role in rs.roles())


def _explain_turn(rs: RuleSet) -> list[str]:
    begin = _("On your turn, play a card that fits, or draw.")
    drawn = _(
        "After drawing, you may play only the card you drew. If it can’t be played, your turn ends."
    )
    return [
        " ".join(
            [
                begin,
                explain_fitting(rs),
                *_explain_play_on_wild(rs),
                *option_sentences(rs, "face_wilds", "renege"),
            ]
        ),
        " ".join(
            [*option_sentences(rs, "draw", "drawn_card"), *_explain_keeping_a_bluff(rs), drawn]
        ),
        " ".join(_explain_piles(rs)),
    ]


def _explain_piles(rs: RuleSet) -> list[str]:
    shuffled = _(
        "When the draw pile runs out and a card is needed, the discard pile, except "
        "for its top card, is shuffled to form a new draw pile."
    )
    blocked = _(
        "If there are no cards left to draw, you pass. If every player in turn has to "
        "pass like this, the hand is blocked: it ends, and no one scores."
    )
    return [shuffled, _(_SHORTAGE[_has_penalties(rs)]), blocked]


def _explain_keeping_a_bluff(rs: RuleSet) -> list[str]:
    bluffs = rs.wild_draw_four != "anytime" and applies("wild_draw_four", rs)
    if rs.drawn_card == "may" or not bluffs:
        return []
    text = gettext_noop("{A_wild_draw_four} may still be kept if playing it would be a bluff.")
    return [words.fill_words(rs, text)]


def _list_special_rules(rs: RuleSet) -> list[str]:
    draws = option_sentences(rs, "penalty_ends_turn", "stacking", "wild_draw_four", "challenge")
    if rs.challenge and rs.wild_draw_four == "anytime" and applies("challenge", rs):
        draws.append(_("Since the card can be played at any time, a challenge never succeeds."))
    texts = [draws, _explain_identical_cards(rs) if rs.identical_skips else []]
    if any(rs.pack.cards[kind].ocho for kind in rs.card_counts()):
        texts.append([_("When you play an eight, it is good form to say “Ocho!”")])
    return [" ".join(each) for each in texts if each]


_IDENTICAL_TWO = gettext_noop(
    "With {a_draw_two}, the skip comes first, and the stack then continues with "
    "the player after the skipped one."
)


def _explain_identical_cards(rs: RuleSet) -> list[str]:
    texts, deck_roles = option_sentences(rs, "identical_skips"), rs.roles()
    if texts and roles.DRAW_TWO in deck_roles:
        texts.append(words.fill_words(rs, _IDENTICAL_TWO))
    if texts and roles.REVERSE in deck_roles:
        texts.append(
            words.fill_words(
                rs, gettext_noop("With {a_reverse}, the direction changes before the skip.")
            )
        )
    return texts


def _explain_uno(rs: RuleSet) -> list[str]:
    if not rs.uno_penalty:
        return option_sentences(rs, "uno_penalty") if rs.pack.words.says_uno else []
    names = ("uno_before_play", "uno_penalty", "uno_window", "partner_catches")
    texts = [
        " ".join(option_sentences(rs, *names)),
        " ".join(option_sentences(rs, "wrong_catch_penalty")),
    ]
    again = _("You have to say UNO again every time your own play leaves you with one card.")
    return [*texts, again]


def _explain_going_out(rs: RuleSet) -> list[str]:
    waits = rs.last_draw_two == "after-stack" and applies("last_draw_two", rs)
    last = " ".join([*_explain_last_draw_cards(rs, waits), *_explain_last_special_cards(rs)])
    return [*([last] if last else []), *(option_sentences(rs, "last_draw_two") if waits else [])]


def _explain_last_draw_cards(rs: RuleSet, waits: bool) -> list[str]:
    deck_roles = rs.roles()
    # Another sentence explains a Draw Two that waits for the end of its stack.
    if not (roles.WILD_DRAW_FOUR in deck_roles or (roles.DRAW_TWO in deck_roles and not waits)):
        return []
    last = rs.pack.one(roles.WILD_DRAW_FOUR) if waits else _("a draw card")
    text = _(
        "If the last card is {card}, the next player still draws its penalty, plus "
        "everything stacked before it. Nothing can be played in reply, and the cards "
        "drawn count towards the score."
    )
    return [text.format(card=last)]


def _explain_last_special_cards(rs: RuleSet) -> list[str]:
    texts, deck_roles = [], rs.roles()
    if roles.SHIELD in deck_roles:
        texts.append(
            _(
                "If the last card is a Shield, the player who receives the penalty has to draw "
                "and cannot answer."
            )
        )
    if rs.blanks and rs.blank_rule in ("swap", "pass-hands"):
        texts.append(_("If the last card is a blank, no hands are swapped or passed on."))
    if _has_wilds(rs):
        texts.append(
            words.fill_words(rs, gettext_noop("If the last card is wild, no {color} is chosen."))
        )
    return texts


def _list_points(rs: RuleSet) -> list[Item]:
    by_points: dict[int, dict[str, str]] = {}
    numbers = False
    for kind in rs.card_counts():
        card = rs.pack.cards[kind]
        if card.counts_its_face:
            numbers = True
        else:
            name = words.kind_name(rs, kind) if card.color < 0 else card.title
            by_points.setdefault(rs.points(kind), {}).setdefault(name, card.notation)
    items = [_build_points_item(names, points) for points, names in sorted(by_points.items())]
    return [Item(_("Number cards are worth their face value.")), *items] if numbers else items


def _build_points_item(names: Mapping[str, str], points: int) -> Item:
    """Return a list item with the names of cards and the points that each is worth.

    If there is only one card, the item has its picture.
    """
    counted = _("{points}.").format(points=words.points(points))
    if len(names) == 1:
        ((name, card),) = names.items()
        return Item(counted, name, card)
    text = _("{cards}: {points}")
    return Item(text.format(cards=words.join_names(list(names)), points=counted))


def house_rules(rs: RuleSet) -> list[tuple[str, str]]:
    """Return the title and the sentence of each option that differs from its default."""
    return [
        (_(OPTIONS[name].title), text)
        for name in rs.changed_options()
        for text in option_sentences(rs, name)
    ]
