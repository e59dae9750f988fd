"""Shapes of columns that are read as plain JSON."""

from typing import Any, TypedDict

from games.rules.hand.events import Event

# The content of a column before it is parsed and after it is serialized.
Json = dict[str, Any]
# A position, which only the rules write and read.
RulesJson = Json


class Links(TypedDict, total=False):
    """`Match.links`: the targets of the table's links.

    `mine` leads to each player's next table, `watch` to the event's tables, one after the
    other.
    """

    event: str
    rules: str
    mine: str
    watch: str


class StoredOpening(TypedDict, total=False):
    """`Hand.opening`: cards drawn, chance and events of the deal itself.

    `dealer_drawn` has the cards drawn for the first deal, by seat, one dict per round.
    `chance` and `events` are present once the hand is dealt.
    """

    dealer_drawn: list[dict[str, str]]
    chance: list[Any]
    events: list[Event]
