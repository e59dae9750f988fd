"""The shapes of what a seat, or a viewer, may know of a hand; games.rules.hand.views fills them."""

from typing import TypedDict, TypeGuard

from games.rules.actions.moves import Move

# A card, a colour and a number.
Declined = tuple[str, str, int]


class OwedPenalty(TypedDict):
    """A penalty, and the seat that owes it."""

    cards: int
    seat: int


class TableKnowledge(TypedDict):
    """Knowledge that everyone at the table has from watching and may remember.

    It has the discard pile since it was last shuffled, oldest first. It has the player behind
    the penalty, and the player with whom play goes on after Shields (-1 for none). It has the
    players who are out if the stack leaves it so. For each seat it has the card and colour on
    which it last drew rather than play, and how many cards it was given since.
    """

    discards: list[str]
    source: int
    resume: int
    keeps_turn: bool
    emptied: list[int]
    declined: list[Declined | None]


# "pass" is a word of Python, so this has no class body.
May = TypedDict(
    "May",
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
    """Knowledge that every viewer may have."""

    seats: int
    dealer: int
    turn: int | None
    direction: int
    color: str | None
    top: str
    counts: list[int]
    penalty: OwedPenalty | None
    draw_pile: int
    discard_pile: int
    said_uno: list[int]
    over: bool
    winner: int | None
    points: list[int]
    watched: TableKnowledge


class OwnView(TypedDict):
    """Knowledge and options of a seat alone.

    ``seen`` has the cards shown to it, by other seat.
    """

    seat: int
    cards: list[str]
    seen: dict[str, list[str]]
    drawn: str | None
    playable: list[str]
    why: dict[str, str]
    may: May
    actions: list[Move]


class PlayerView(PublicView, OwnView):
    """All that a seat may know."""


def is_player_view(view: PublicView | PlayerView) -> TypeGuard[PlayerView]:
    """Return whether this is a seat's view and not a public one."""
    return "seat" in view
