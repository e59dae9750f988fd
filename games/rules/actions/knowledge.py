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
    """What everyone at the table knows from watching, and may remember.

    This includes the discard pile since the last shuffle, oldest first; the player behind the
    penalty; and the player with whom play continues after Shields (-1 for none). It also
    includes the players who are out unless the stack changes that. For each seat it has the
    card and colour on which the seat last drew instead of playing, and the number of cards it
    was given since.
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
    """What only one seat knows, and its options.

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
    """Return whether this is the view of a seat rather than a public view."""
    return "seat" in view
