"""What a seat may do now, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules import words
from games.rules.rulesets import RuleSet
from games.rules.views import PlayerView, PublicView, is_player_view


def prompt(view: PublicView | PlayerView, rs: RuleSet, names: Sequence[str] = ()) -> str:
    """One line that says what the seat of this view may do now; ``names`` of the seats if known."""
    turn = view["turn"]
    if turn is None:
        return "The hand is over."
    if not is_player_view(view) or turn != view["seat"]:
        return f"It is {names[turn]}'s turn." if names else "Wait for your turn."
    may = view["may"]
    if may["choose"]:
        choices = words.listed(words.color_names(rs), "or")
        return f"Choose the {words.color_noun(rs)}: {choices}."
    if view["penalty"]:
        return _penalty_prompt(view, view["penalty"]["cards"], rs)
    if view["drawn"]:
        return _drawn_prompt(view, view["drawn"], rs)
    if may["pass"]:
        return "No card is left to draw: pass."
    return _turn_prompt(view, rs)


def _penalty_prompt(view: PlayerView, cards: int, rs: RuleSet) -> str:
    owed = words.count(cards)
    choices = [f"draw {owed}"]
    if view["playable"]:
        choices.append(f"play {words.listed(words.card_names(rs, view['playable']), 'or')}")
    if view["may"]["challenge"]:
        choices.append("challenge")
    return f"Your turn: {words.either(choices)}."


def _drawn_prompt(view: PlayerView, drawn: str, rs: RuleSet) -> str:
    keep = ", or keep it" if view["may"]["pass"] else ""
    return f"You drew {words.card_name(rs, drawn)}: play it{keep}."


def _turn_prompt(view: PlayerView, rs: RuleSet) -> str:
    wanted = _wanted(view, rs)
    draw = "draw a card" if rs.draw == "one" else "draw until a card fits"
    if not view["playable"]:
        return f"Your turn: you have nothing that fits {' or '.join(wanted)}, so {draw}."
    choice = f", or {draw}" if view["may"]["draw"] else ""
    fits = words.listed([*wanted, *words.wilds(rs)], "or") if view["color"] else "any card"
    return f"Your turn: play {fits}{choice}."


def _wanted(view: PlayerView, rs: RuleSet) -> list[str]:
    top = rs.card(view["top"])
    wanted = [words.color_name(rs, view["color"])] if view["color"] else []
    if top.color >= 0 and (not top.colored_wild or rs.face_wilds == "matching"):
        wanted.append(top.one)
    return wanted or [top.name]
