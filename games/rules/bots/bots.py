"""Bots, and the actions that the table carries out for absent players.

``view`` is always ``Position.view(seat)``, so a bot knows only what a person at that seat knows.
``choose_action`` acts for the seat whose turn it is. Any seat may call UNO or catch a player at any
time, with ``choose_call_or_catch``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from games.rules.actions.actions import Action
from games.rules.actions.knowledge import PlayerView
from games.rules.actions.moves import Move, Play, is_choice, is_play
from games.rules.bots import lookahead
from games.rules.deck import roles
from games.rules.ruleset.rulesets import RuleSet
from games.rules.text import gettext_noop

_TURN_VERBS = ("play", "draw", "pass", "choose", "challenge")
# Strength of the bot that plays for a player who has left the match. It only draws and passes.
EMPTY = "empty"

# The assumed share of players who play a Wild Draw Four although they hold a card of the colour,
# and the probability of a bluff above which a bot challenges. A successful challenge gains about
# eight cards, and a wrong one costs two.
_BLUFFERS = 0.3
_SURE_ENOUGH = 0.35
_OTHER_COLOR = 0.77  # share of a deck's cards without a given colour

# Probabilities that an easy bot plays a random card, and that it forgets to call UNO.
_CARELESS, _FORGETFUL = 0.4, 0.25


class Strength(NamedTuple):
    """Title and description of a strength that people can choose for a bot."""

    title: str
    sentence: str


LEVELS = {
    "easy": Strength(
        gettext_noop("Easy"),
        gettext_noop("Plays without much thought and sometimes forgets to say UNO."),
    ),
    "plain": Strength(
        gettext_noop("Medium"),
        gettext_noop("Saves good cards for later and never forgets to say UNO."),
    ),
    "strong": Strength(
        gettext_noop("Strong"),
        gettext_noop("Thinks ahead and weighs what each card could lead to."),
    ),
}


def _has_unlimited_time() -> bool:
    return True


def choose_action(
    view: PlayerView,
    rs: RuleSet,
    strength: str,
    rng: Random,
    has_time: Callable[[], bool] = _has_unlimited_time,
) -> Action:
    """Choose the next action of the bot whose turn it is.

    ``strength`` is one of STRENGTHS or EMPTY. A strong bot searches for about 30 ms, or until
    ``has_time`` returns False. Without a time limit, the choice depends only on the view and the
    generator.

    Raises ``KeyError`` for any other strength.
    """
    if strength == "strong":
        return Action.from_json(_choose_strong_move(view, rs, rng, has_time))
    if strength == EMPTY:
        return choose_forced_action(view, rs)
    return Action.from_json(_SIMPLE[strength](view, rs, rng))


def choose_call_or_catch(
    view: PlayerView, rs: RuleSet, strength: str, rng: Random
) -> Action | None:
    """Return the call or catch that a bot makes now, or None. It may be another player's turn."""
    if strength == EMPTY:
        return None
    if strength in ("random", "easy") and rng.random() < 0.5:
        return None
    move = _find_call_or_catch(view, rs)
    return Action.from_json(move) if move else None


def choose_forced_action(view: PlayerView, rs: RuleSet) -> Action:
    """Return the action that the table carries out for the absent player whose turn it is.

    The table draws, including any cards that the player owes, and then passes. If it has to play,
    it plays the drawn card or the card with the fewest points, and names the colour of which the
    player holds the most cards. It never calls or catches.

    If all players are absent, the hand usually ends blocked. It may go on without end if players
    may decline to play but must play a card that they draw. The same is possible if nearly all
    cards are dealt, because the few remaining cards keep circulating.
    """
    for verb in ("draw", "pass"):
        if view["may"][verb]:
            return Action(verb)
    moves = [move for move in _list_turn_moves(view) if not move.get("uno")]
    plays = [move for move in moves if is_play(move)]
    cost = {move["play"]: rs.points(rs.kind(move["play"])) for move in plays}
    lowest = min(cost, key=lambda card: (cost[card], card), default=None)
    same = [move for move in plays if move["play"] == lowest] or moves
    return Action.from_json(_choose_move_with_best_color(same, view, rs))


# --- random play


def _choose_random_move(view: PlayerView, rs: RuleSet, rng: Random) -> Move:
    """Choose a random card that fits, or another legal move if no card fits."""
    moves = _list_turn_moves(view)
    plays = [move for move in moves if is_play(move)]
    playable = sorted({move["play"] for move in plays})
    if not playable:
        return rng.choice(moves)
    card = rng.choice(playable)
    return rng.choice([move for move in plays if move["play"] == card])


# --- careless play


def _choose_easy_move(view: PlayerView, rs: RuleSet, rng: Random) -> Move:
    move = (_choose_random_move if rng.random() < _CARELESS else _choose_plain_move)(view, rs, rng)
    if rng.random() < _FORGETFUL:
        return _drop_uno_call(move)
    return move


def _drop_uno_call(move: Move) -> Move:
    """Return the same move without a UNO call."""
    if not is_play(move):
        return move
    quiet = move.copy()
    quiet.pop("uno", None)
    return quiet


# --- play with lookahead


def _choose_strong_move(
    view: PlayerView, rs: RuleSet, rng: Random, has_time: Callable[[], bool]
) -> Move:
    plain = _choose_plain_move(view, rs, rng)
    moves = _list_turn_moves(view)
    tried = [
        move
        for move in moves
        if "challenge" not in move and (not is_play(move) or _calls_uno_if_needed(move, moves))
    ]
    # Looking ahead cannot reveal whether a Wild Draw Four was a bluff.
    goes_out = "play" in plain and len(view["cards"]) == 1
    if "challenge" in plain or len(tried) == 1 or goes_out:
        return plain
    return lookahead.choose_move(view, rs, tried, plain, rng, has_time)


# --- plain play


def _choose_plain_move(view: PlayerView, rs: RuleSet, rng: Random) -> Move:
    moves = _list_turn_moves(view)
    plays = [move for move in moves if is_play(move) and _calls_uno_if_needed(move, moves)]
    if view["may"]["choose"]:
        return _choose_move_with_best_color(moves, view, rs)
    if view["penalty"]:
        return _choose_penalty_answer(view, rs, moves, plays)
    fair = [move for move in plays if not _is_bluff(move, view, rs)]
    best = max(fair, key=lambda move: _rate_play(move, view, rs) + rng.random(), default=None)
    if best is not None:
        return best
    rest = [move for move in moves if "play" not in move]
    return rest[0] if rest else plays[0]


def _choose_penalty_answer(
    view: PlayerView, rs: RuleSet, moves: list[Move], plays: list[Play]
) -> Move:
    """Answer a penalty by passing it on with the cheapest card, by a challenge, or by taking it."""
    if plays:
        return max(plays, key=lambda move: _rate_play(move, view, rs))
    if view["may"]["challenge"] and _estimate_bluff_chance(view) > _SURE_ENOUGH:
        return {"challenge": True}
    return next(move for move in moves if "draw" in move)


def _estimate_bluff_chance(view: PlayerView) -> float:
    """Estimate the probability of a bluff from the number of cards that the accused holds."""
    accused = (view["seat"] - view["direction"]) % view["seats"]
    held: int = view["counts"][accused]
    holds: float = 1 - _OTHER_COLOR**held
    return _BLUFFERS * holds / (_BLUFFERS * holds + 1 - holds)


def _is_bluff(move: Play, view: PlayerView, rs: RuleSet) -> bool:
    if rs.wild_draw_four == "anytime" or rs.card(move["play"]).role is not roles.WILD_DRAW_FOUR:
        return False
    return any(_get_color_letter(card, rs) == view["color"] for card in view["cards"])


def _calls_uno_if_needed(move: Play, moves: list[Move]) -> bool:
    """Return whether the move includes a UNO call or does not need one."""
    return bool(move.get("uno")) or {**move, "uno": True} not in moves


def _rate_play(move: Play, view: PlayerView, rs: RuleSet) -> float:
    """Return a rating of a play. One unit is worth roughly one point of a hand."""
    card, rest = move["play"], list(view["cards"])
    rest.remove(card)
    color = move.get("color") or _get_color_letter(card, rs)
    if not rest:
        return 1000.0
    worth = (
        _rate_follow_ups(card, color, rest, rs)
        + _rate_discarding(card, view, rs)
        - _rate_card_cost(card, rest, view, rs)
    )
    if rs.card(card).role.tempo:
        worth += _rate_lost_turn(view)
    if "with" in move:
        worth += 12 * (len(rest) - view["counts"][move["with"]])
        worth -= 100 * _are_partners(view["seat"], move["with"], rs)
    return worth


def _rate_follow_ups(card: str, color: str, rest: list[str], rs: RuleSet) -> float:
    """Rate a play by the number of remaining cards with the same colour or face."""
    face = rs.card(card).face
    same = sum(_get_color_letter(other, rs) == color for other in rest)
    equal = sum(rs.card(other).face == face for other in rest)
    return 5.0 * same + 2.0 * equal


def _rate_discarding(card: str, view: PlayerView, rs: RuleSet) -> float:
    """Rate getting rid of a number card's points, which matters once an opponent is nearly out."""
    late = rs.card(card).role is roles.NUMBER and _count_fewest_cards(view, rs) <= 3
    return 0.3 * rs.points(rs.kind(card)) if late else 0.0


def _rate_card_cost(card: str, rest: list[str], view: PlayerView, rs: RuleSet) -> float:
    """Return the value of keeping the card, plus the harm that the play does to its own player."""
    played = rs.card(card)
    cost = float(played.role.saved)
    if played.role is roles.DEAD_RED and not rs.dead_red_spares_player:
        cost += 30 * all(rs.card(other).color != played.color for other in rest)
    if played.role is roles.BOO_BLUE:
        others = [count for seat, count in enumerate(view["counts"]) if seat != view["seat"]]
        cost += 30 * (len(rest) <= min(others))
    return cost


def _rate_lost_turn(view: PlayerView) -> float:
    """Rate a card that takes the next player's turn.

    It is worth more with two players, or if the next player is nearly out.
    """
    after = (view["seat"] + view["direction"]) % view["seats"]
    nearly_out: bool = view["counts"][after] <= 2
    return (7.0 if view["seats"] == 2 else -5.0) + 6.0 * nearly_out


def _find_call_or_catch(view: PlayerView, rs: RuleSet) -> Move | None:
    if view["may"]["call"] and view["counts"][view["seat"]] == 1:
        return {"call": True}
    # Without a penalty for wrong catches, the view offers only right ones.
    free = rs.wrong_catch_penalty == 0
    for seat in view["may"]["catch"]:
        if not _are_partners(view["seat"], seat, rs) and (
            free or _has_just_forgotten_call(view, seat)
        ):
            return {"catch": seat}
    return None


def _has_just_forgotten_call(view: PlayerView, seat: int) -> bool:
    turn = view["turn"]
    assert turn is not None
    before = (turn - view["direction"]) % view["seats"]
    return seat == before and view["counts"][seat] == 1 and seat not in view["said_uno"]


# --- views


def _list_turn_moves(view: PlayerView) -> list[Move]:
    return [move for move in view["actions"] if any(verb in move for verb in _TURN_VERBS)]


def _choose_move_with_best_color(moves: Sequence[Move], view: PlayerView, rs: RuleSet) -> Move:
    """Choose the move that names the colour of which the player holds the most cards."""
    held = [_get_color_letter(card, rs) for card in view["cards"]]
    return max(moves, key=lambda move: held.count(_get_named_color(move)))


def _get_named_color(move: Move) -> str:
    """Return the letter of the colour that a move names, or "" if it names none."""
    if is_play(move):
        return move.get("color", "")
    return move["choose"] if is_choice(move) else ""


def _get_color_letter(card: str, rs: RuleSet) -> str:
    """Return the letter of a card's colour or suit, or "" for a wild card without one."""
    return rs.pack.color_letter(rs.card(card).color)


def _count_fewest_cards(view: PlayerView, rs: RuleSet) -> int:
    """Return the smallest number of cards that any opponent holds."""
    own: int = view["seat"]
    counts: list[int] = view["counts"]
    opponents = [s for s in range(len(counts)) if s != own and not _are_partners(s, own, rs)]
    return min(counts[seat] for seat in opponents)


def _are_partners(seat: int, other: int, rs: RuleSet) -> bool:
    return rs.partners and seat != other and (seat - other) % 2 == 0


_SIMPLE: dict[str, Callable[[PlayerView, RuleSet, Random], Move]] = {
    "random": _choose_random_move,
    "easy": _choose_easy_move,
    "plain": _choose_plain_move,
}
STRENGTHS = (*_SIMPLE, "strong")
