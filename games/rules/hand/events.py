"""Types of the events of a hand, as they are logged.

Seats are numbered as in the hand. ``private`` contains facts that only one seat may know, by the
number of that seat.
"""

from typing import Literal, NotRequired, TypedDict

DrawnFor = Literal[
    "turn",
    "opening",
    "penalty",
    "challenge",
    "uno",
    "wrong_catch",
    "last_card",
    "dead_red",
    "boo_blue",
    "blank",
]


class Cards(TypedDict):
    cards: list[str]


class CardBySeat(TypedDict):
    cards: dict[str, str]


class Opening(TypedDict):
    event: Literal["opening"]
    card: str


class Returned(TypedDict):
    event: Literal["returned"]
    card: str


class Played(TypedDict):
    event: Literal["played"]
    seat: int
    card: str
    color: NotRequired[str]
    uno: bool


class SaidOcho(TypedDict):
    event: Literal["said_ocho"]
    seat: int


class Called(TypedDict):
    event: Literal["called"]
    seat: int


class Caught(TypedDict):
    event: Literal["caught"]
    seat: int
    by: int
    cards: int


class WrongCatch(TypedDict):
    event: Literal["wrong_catch"]
    seat: int
    of: int
    cards: int


class OpenDrew(TypedDict):
    event: Literal["drew"]
    seat: int
    cards: int
    why: DrawnFor


class Drew(OpenDrew):
    private: dict[str, Cards]


class Passed(TypedDict):
    event: Literal["passed"]
    seat: int


class Chose(TypedDict):
    event: Literal["chose"]
    seat: int
    color: str


class Skipped(TypedDict):
    event: Literal["skipped"]
    seat: int


class Reversed(TypedDict):
    event: Literal["reversed"]
    direction: int


class Penalty(TypedDict):
    event: Literal["penalty"]
    seat: int
    cards: int


class Shielded(TypedDict):
    event: Literal["shielded"]
    seat: int
    of: int | None
    cards: int


class OpenChallenged(TypedDict):
    event: Literal["challenged"]
    seat: int
    of: int
    guilty: bool


class Challenged(OpenChallenged):
    private: dict[str, Cards]


class OpenRevealed(TypedDict):
    event: Literal["revealed"]
    seat: int


class Revealed(OpenRevealed):
    private: dict[str, CardBySeat]


Swapped = TypedDict("Swapped", {"event": Literal["swapped"], "seat": int, "with": int})


class PassedHands(TypedDict):
    event: Literal["passed_hands"]
    direction: int


class Reshuffled(TypedDict):
    event: Literal["reshuffled"]
    cards: int


class Identical(TypedDict):
    event: Literal["identical"]
    seat: int
    card: str


class HandOver(TypedDict):
    event: Literal["over"]
    winner: int | None
    points: list[int]
    blocked: bool


Event = (
    Opening
    | Returned
    | Played
    | SaidOcho
    | Called
    | Caught
    | WrongCatch
    | Drew
    | Passed
    | Chose
    | Skipped
    | Reversed
    | Penalty
    | Shielded
    | Challenged
    | Revealed
    | Swapped
    | PassedHands
    | Reshuffled
    | Identical
    | HandOver
)
