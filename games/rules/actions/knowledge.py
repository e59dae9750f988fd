"""Types of a seat's or viewer's knowledge of a hand, filled by games.rules.hand.views."""

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

    It has the discard pile since the last shuffle, oldest first. It has the player behind the
    penalty, and the player with whom play continues after Shields (-1 for none). It has the
    players who are out unless the stack changes that. For each seat it has the card and
    colour on which it last drew instead of playing, and the number of cards it was given
    since.
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
    """Knowledge and options of one seat only.

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
    """All knowledge that a seat may have."""


def is_player_view(view: PublicView | PlayerView) -> TypeGuard[PlayerView]:
    """Return whether this is a seat's view and not a public one."""
    return "seat" in view
