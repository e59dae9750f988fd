"""Types for what a seat or viewer knows about a hand, filled by games.rules.hand.views."""

from typing import TypedDict, TypeGuard

from games.rules.actions.moves import Move

# A declined turn: card on top, colour in force, and number of cards gained since.
Declined = tuple[str, str, int]


class OwedPenalty(TypedDict):
    """A penalty and the seat that owes it."""

    cards: int
    seat: int


class TableKnowledge(TypedDict):
    """Everything that anyone at the table can know from watching and remembering.

    * ``discards``: the discard pile since the last shuffle, oldest card first.
    * ``source``: the player behind the penalty.
    * ``resume``: the player with whom play continues after Shields, or -1.
    * ``emptied``: players who are out unless the stack changes that.
    * ``declined``: for each seat, the card and colour on which it last drew instead of playing,
      and the number of cards it was given since.
    """

    discards: list[str]
    source: int
    resume: int
    keeps_turn: bool
    emptied: list[int]
    declined: list[Declined | None]


# "pass" is a Python keyword, so this cannot be written as a class.
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
    """Facts that every viewer may know."""

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
    """Everything that only one seat knows, and its possible actions.

    ``seen`` contains the cards shown to the seat, by the seat that holds them.
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
    """Everything that a seat may know."""


def is_player_view(view: PublicView | PlayerView) -> TypeGuard[PlayerView]:
    """Return whether this is the view of a seat and not a public view."""
    return "seat" in view
