"""Events in a hand, which clients animate, with the match's seat numbers.

`private` is sent only to the seat that the event concerns.
"""

from typing import Literal, NotRequired, TypedDict

from games.rules.hand.events import (
    Called,
    CardBySeat,
    Cards,
    Caught,
    Chose,
    HandOver,
    Identical,
    OpenChallenged,
    OpenDrew,
    Opening,
    OpenRevealed,
    Passed,
    PassedHands,
    Penalty,
    Played,
    Reshuffled,
    Returned,
    Reversed,
    SaidOcho,
    Shielded,
    Skipped,
    Swapped,
    WrongCatch,
)


class Dealt(TypedDict):
    event: Literal["dealt"]
    seat: int


class DrewAtSeat(OpenDrew):
    private: NotRequired[Cards]


class ChallengedAtSeat(OpenChallenged):
    private: NotRequired[Cards]


class RevealedAtSeat(OpenRevealed):
    private: NotRequired[CardBySeat]


Event = (
    Dealt
    | Opening
    | Returned
    | Played
    | SaidOcho
    | Called
    | Caught
    | WrongCatch
    | DrewAtSeat
    | Passed
    | Chose
    | Skipped
    | Reversed
    | Penalty
    | Shielded
    | ChallengedAtSeat
    | RevealedAtSeat
    | Swapped
    | PassedHands
    | Reshuffled
    | Identical
    | HandOver
)
