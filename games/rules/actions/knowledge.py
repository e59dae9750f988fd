"""Types of the views of a hand that games.rules.hand.views creates for seats and viewers."""

from typing import TypedDict, TypeGuard

from games.rules.actions.moves import Move

# A turn at which a seat drew instead of playing: the top card, the colour in force, and the number
# of cards that the seat has received since.
Declined = tuple[str, str, int]


class OwedPenalty(TypedDict):
    """A penalty and the seat that owes it."""

    cards: int
    seat: int


class TableKnowledge(TypedDict):
    """What anyone at the table can know by watching and remembering.

    * ``discards``: the cards discarded since the last shuffle, oldest card first.
    * ``source``: the player who caused the penalty, or -1.
    * ``resume``: the player with whom play continues after Shields, or -1.
    * ``keeps_turn``: true if the player takes a normal turn after drawing for the opening card.
    * ``emptied``: players with no cards left, whose win depends on how the penalty ends.
    * ``declined``: for each seat, the last turn at which it drew instead of playing, or None.
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
    """View of a hand for people without a seat."""

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
    """Part of a view that is visible to one seat only.

    * ``seen``: the other players' cards that this seat has been shown, keyed by the holder's seat.
    * ``drawn``: the card that the seat has just drawn and may play, or None.
    * ``why``: for each card that cannot be played, the reason as a sentence.
    * ``actions``: all actions that the seat can take now.
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
    """Complete view of a hand for one seat."""


def is_player_view(view: PublicView | PlayerView) -> TypeGuard[PlayerView]:
    """Return whether the view belongs to a seat. A public view does not."""
    return "seat" in view
