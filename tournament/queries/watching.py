"""What the event's pages say in words about viewers and replays."""

from games import queries as games
from games.models import Match
from tournament.models import Event

REPLAYS = {
    Match.Replays.HAND: "The cards of a hand lie open as soon as it is over.",
    Match.Replays.OVER: "The cards of all hands lie open when the match is over.",
    Match.Replays.NEVER: "The cards of other players stay closed, also when the match is over.",
}


def viewers_text(event: Event) -> str:
    """When viewers see what happens at a table, in a sentence."""
    if event.viewers == Match.Viewers.DELAYED:
        return f"Viewers see every move {games.told(event.viewer_delay_seconds)} later."
    if event.viewers == Match.Viewers.HAND:
        return "Viewers see each hand when it is over."
    return "Viewers see every move at once, and nobody’s cards."


def replays_text(event: Event) -> str:
    """When the cards of a hand lie open, in a sentence."""
    return REPLAYS[Match.Replays(event.replays)]
