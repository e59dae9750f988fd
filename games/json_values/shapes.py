"""Types of columns that are read as plain JSON."""

from typing import Any, TypedDict

from games.rules.hand.events import Event

# Content of a JSON column in Python.
Json = dict[str, Any]
# A position in play. Only the rules read and write its content.
RulesJson = Json


class Links(TypedDict, total=False):
    """`Match.links`: the addresses of the links at the table.

    `mine` opens the player's own next table. `watch` shows the event's tables in turn.
    """

    event: str
    rules: str
    mine: str
    watch: str


class StoredOpening(TypedDict, total=False):
    """`Hand.opening`: the cards drawn for the dealer, and the chance and events of the deal.

    * `dealer_drawn`: the drawn cards by seat, once for the first draw and once for each redraw.
    * `chance`, `events`: present once the hand has been dealt.
    """

    dealer_drawn: list[dict[str, str]]
    chance: list[Any]
    events: list[Event]
