"""What a seat may send, as the view offers it. Seats are those of the match."""

from typing import Literal, NotRequired, TypedDict

# "with" and "pass" are words of Python, so these have no class body.
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


class Draw(TypedDict):
    draw: Literal[True]


class Choose(TypedDict):
    choose: str


class Challenge(TypedDict):
    challenge: Literal[True]


class Call(TypedDict):
    call: Literal[True]


class Catch(TypedDict):
    catch: int


Action = Play | Draw | Pass | Choose | Challenge | Call | Catch
