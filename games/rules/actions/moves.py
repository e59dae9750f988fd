"""Types of actions in JSON, the format of messages, logs and records."""

from typing import Literal, NotRequired, TypedDict, TypeGuard

# "with" and "pass" are Python keywords, so these cannot be written as classes.
Play = TypedDict(
    "Play",
    {
        "play": str,
        "color": NotRequired[str],
        "uno": NotRequired[bool],
        "ocho": NotRequired[bool],
        "with": NotRequired[int],
    },
)
Pass = TypedDict("Pass", {"pass": Literal[True]})


class DrawMove(TypedDict):
    draw: Literal[True]


class Choose(TypedDict):
    choose: str


class Challenge(TypedDict):
    challenge: Literal[True]


class Call(TypedDict):
    call: Literal[True]


class Catch(TypedDict):
    catch: int


Move = Play | DrawMove | Pass | Choose | Challenge | Call | Catch


def is_play(move: Move) -> TypeGuard[Play]:
    """Return whether this move plays a card."""
    return "play" in move


def is_choice(move: Move) -> TypeGuard[Choose]:
    """Return whether this move chooses a colour."""
    return "choose" in move


def is_catch(move: Move) -> TypeGuard[Catch]:
    """Return whether this move catches another player."""
    return "catch" in move
