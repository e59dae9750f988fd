"""What a commentator sees: a viewer's table, and everybody's cards beside it."""

from django.utils import timezone

from games import store
from games.clocks import presence
from games.clocks.presence import People
from games.models import Match
from games.protocol.table import CommentaryView, OpenHand
from games.queries.table import table_view
from games.queries.viewing import Shown, commentary_stream, look
from games.store import Snapshot


def match_commentary(match: Match) -> CommentaryView:
    """The view of a commentator's page that is just being loaded."""
    live = store.current(match.pk, match.version)
    shown = look(live, commentary_stream(match), timezone.now())
    return commentary_view(shown, presence.people([match.pk])[match.pk])


def commentary_view(shown: Shown, people: People) -> CommentaryView:
    """The view of a commentator; `shown` comes from the commentary stream, which is never live.

    `open` has the cards of the hand in the order of their arrival, by seat.
    """
    view = table_view(shown.snapshot, None, people, shown.now, controls=False, stream=shown.stream)
    return {**view, "open": open_cards(shown.snapshot)}


def open_cards(snapshot: Snapshot) -> list[OpenHand]:
    """Everybody's cards, [] where none are to be seen."""
    position, hand = snapshot.position, snapshot.hand
    if position is None or hand is None:
        return []
    return [
        {"seat": seat, "cards": position.cards(player)} for player, seat in enumerate(hand.players)
    ]
