"""What the rules tell of a hand, as types. Players are numbered as the hand does."""

from typing import TypedDict, cast

from games.protocol.actions import Action
from games.protocol.table import Color, Owed
from games.rules import words
from games.rules.position import Position
from games.rules.rulesets import RuleSet

# "pass" is a word of Python, so this has no class body.
MayInHand = TypedDict(
    "MayInHand",
    {
        "draw": bool,
        "pass": bool,
        "challenge": bool,
        "call": bool,
        "choose": bool,
        "catch": list[int],
        "colors": list[str],
    },
)


class PublicView(TypedDict):
    """What everybody may know, as far as tables show it or put it into words."""

    turn: int | None
    color: str | None
    top: str
    penalty: Owed | None
    over: bool


class PlayerView(PublicView):
    """The same for a player, with what that player alone may know and do."""

    seat: int
    cards: list[str]
    seen: dict[str, list[str]]
    drawn: str | None
    playable: list[str]
    why: dict[str, str]
    may: MayInHand
    actions: list[Action]


def public_view(hand: Position) -> PublicView:
    return cast(PublicView, hand.view(None))


def player_view(hand: Position, player: int, now: float) -> PlayerView:
    """The hand as this player may know it; `now` in seconds since 1970."""
    return cast(PlayerView, hand.view(player, now))


def color_choices(rules: RuleSet) -> list[Color]:
    """The colours or suits of the deck, for whoever has to choose one."""
    return cast(list[Color], words.color_choices(rules))
