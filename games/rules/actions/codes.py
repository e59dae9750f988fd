"""Actions encoded as integers, for speed. The encoding is the same under every rule set.

The code of a play is ``kind | (color + 1) << 7 | uno << 10``. If the card is a blank that swaps
hands, ``(seat + 1) << 12`` is added. The codes of other actions begin at PLAYS.
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

# Stages of a turn. In KEEP, the player has drawn a Wild Draw Four and would bluff by playing it.
TURN, DRAWN, KEEP, EMPTY, OWED, ACCUSE, CHOICE, OVER = range(8)
STAGES = ("turn", "drawn", "keep", "empty", "owed", "accuse", "choice", "over")

# Hand sizes that the rules distinguish when they list a seat's possible actions.
SIZES = MANY, TWO, LAST = range(3)


def play_code(kind: int, color: int = -1, uno: bool = False, swap: int = -1) -> int:
    """Return the code of a play.

    ``color`` is -1 if the play names no colour, and ``swap`` is -1 if it names no player.
    """
    return kind | (color + 1) << COLOR_SHIFT | uno * UNO_BIT | (swap + 1) << SWAP_SHIFT


def play_parts(code: int) -> tuple[int, int, bool, int] | None:
    """Return the ``play_code`` arguments of this code, or None if it is not a play."""
    swap, play = divmod(code, SWAP)
    if play >= PLAYS:
        return None
    return play & KIND_MASK, (play >> COLOR_SHIFT & 7) - 1, bool(play & UNO_BIT), swap - 1
