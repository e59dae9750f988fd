"""Events of the rules for animation, with seats numbered as in the match.

`private` is present only for the seat concerned.
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
