"""Actions as integers, for speed. A code means the same under every rule set.

A play is ``kind | (color + 1) << 7 | uno << 10``. A play of a blank that swaps hands adds ``(seat +
1) << 12``. The codes of other actions begin at PLAYS.
"""

from __future__ import annotations

KIND_MASK = (1 << 7) - 1
COLOR_SHIFT = 7
UNO_BIT = 1 << 10
PLAYS = 1 << 11
DRAW, PASS, CHALLENGE, CALL = PLAYS, PLAYS + 1, PLAYS + 2, PLAYS + 3
CHOOSE = PLAYS + 8
CATCH = PLAYS + 16
SWAP_SHIFT = 12
SWAP = 1 << SWAP_SHIFT

# The stage of the current turn. In KEEP, the drawn card is a Wild Draw Four that would be a bluff.
TURN, DRAWN, KEEP, EMPTY, OWED, ACCUSE, CHOICE, OVER = range(8)
STAGES = ("turn", "drawn", "keep", "empty", "owed", "accuse", "choice", "over")

# The actions on a seat's menu depend only on whether it holds many cards, two or one.
SIZES = MANY, TWO, LAST = range(3)


def play_code(kind: int, color: int = -1, uno: bool = False, swap: int = -1) -> int:
    """Return the code of a play.

    ``color`` is -1 if the play names no colour, and ``swap`` is -1 if it names no player.
    """
    return kind | (color + 1) << COLOR_SHIFT | uno * UNO_BIT | (swap + 1) << SWAP_SHIFT


def play_parts(code: int) -> tuple[int, int, bool, int] | None:
    """Return the arguments that ``play_code`` encoded, or None if the code is not a play."""
    swap, play = divmod(code, SWAP)
    if play >= PLAYS:
        return None
    return play & KIND_MASK, (play >> COLOR_SHIFT & 7) - 1, bool(play & UNO_BIT), swap - 1
