"""One-line prompts that tell players what they can do now."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.actions.knowledge import PlayerView, PublicView, is_player_view
from games.rules.ruleset.rulesets import FAILED_CHALLENGE, RuleSet
from games.rules.text import _, ngettext
from games.rules.words import words


def prompt(view: PublicView | PlayerView, rs: RuleSet, names: Sequence[str] = ()) -> str:
    """Return a one-line prompt for the reader of this view.

    ``names`` are the players' names by seat, if known.
    """
    turn = view["turn"]
    if turn is None:
        return _("The hand is over.")
    if not is_player_view(view) or turn != view["seat"]:
        if is_player_view(view) and view["may"]["call"]:
            return _("Say UNO!")
        if not names:
            return _("Wait for your turn.")
        return _("It’s {name}’s turn.").format(name=names[turn])
    if view["may"]["call"] and view["counts"][turn] == 1 and not view["may"]["choose"]:
        # Under some rules, players can still be caught at their own turn until they act.
        return _("Say UNO first!")
    return _prompt_for_own_turn(view, rs, names)


def _prompt_for_own_turn(view: PlayerView, rs: RuleSet, names: Sequence[str]) -> str:
    may = view["may"]
    if may["choose"]:
        choices = words.join_names(words.color_names(rs), "or")
        return _("Choose a {color}: {names}.").format(color=words.color_noun(rs), names=choices)
    if view["penalty"]:
        return _prompt_for_penalty(view, view["penalty"]["cards"], rs, names)
    if view["drawn"]:
        return _prompt_for_drawn_card(view, view["drawn"], rs)
    if may["pass"]:
        return _("There are no cards left to draw, so pass.")
    return _prompt_for_turn(view, rs)


def _prompt_for_penalty(view: PlayerView, owed: int, rs: RuleSet, names: Sequence[str]) -> str:
    stakes = _describe_stakes(view, owed, names) if names and view["may"]["challenge"] else ""
    draw = ngettext("draw {count} card", "draw {count} cards", owed).format(count=owed)
    # The shorter text keeps prompts with stakes within three lines on a phone.
    choices = [_("Draw {cards}").format(cards=owed) if stakes else draw]
    if view["playable"]:
        cards = words.join_names(words.card_names(rs, view["playable"]), "or")
        choices.append(_("play {card}").format(card=cards))
    if view["may"]["challenge"]:
        choices.append(_("challenge"))
    if stakes:
        return f"{words.join_choices(choices)}: {stakes}"
    return _("Your turn: {choices}.").format(choices=words.join_choices(choices))


def _describe_stakes(view: PlayerView, owed: int, names: Sequence[str]) -> str:
    """Describe how many cards each player has to draw after a right or a wrong challenge."""
    text = _("{cards} for {name} if it was a bluff, {more} for you if not.")
    accused = names[view["watched"]["source"]]
    return text.format(cards=owed, name=accused, more=owed + FAILED_CHALLENGE)


def _prompt_for_drawn_card(view: PlayerView, card: str, rs: RuleSet) -> str:
    if view["may"]["pass"]:
        text = _("You drew {card}: play it, or keep it.")
    else:
        text = _("You drew {card}: play it.")
    return text.format(card=words.card_name(rs, card))


def _prompt_for_turn(view: PlayerView, rs: RuleSet) -> str:
    matching = _list_matching(view, rs)
    if not view["playable"]:
        return _describe_draw(rs).format(cards=words.join_names(matching, "or"))
    fits = words.join_names([*matching, *words.wilds(rs)], "or") if view["color"] else _("any card")
    return _describe_play(view, rs).format(cards=fits)


def _describe_draw(rs: RuleSet) -> str:
    if rs.draw == "one":
        return _("Your turn: nothing in your hand matches {cards}, so draw a card.")
    return _(
        "Your turn: nothing in your hand matches {cards}, so draw until you get a card that fits."
    )


def _describe_play(view: PlayerView, rs: RuleSet) -> str:
    if not view["may"]["draw"]:
        return _("Your turn: play {cards}.")
    if rs.draw == "one":
        return _("Your turn: play {cards}, or draw a card.")
    return _("Your turn: play {cards}, or draw until you get a card that fits.")


def _list_matching(view: PlayerView, rs: RuleSet) -> list[str]:
    top = rs.card(view["top"])
    matching = [words.color_name(rs, view["color"])] if view["color"] else []
    if top.color >= 0 and (not top.colored_wild or rs.face_wilds == "matching"):
        matching.append(top.one)
    return matching or [top.name]
