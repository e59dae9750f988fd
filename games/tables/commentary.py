"""View of a commentator: a viewer's table with all players' cards."""

from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _

from games import store
from games.clocks import presence
from games.clocks.presence import People
from games.models import Match
from games.protocol.table import CommentaryView, OpenHand
from games.store import Snapshot
from games.tables.spectator_delay import ShownMatch, commentary_stream, shown_now
from games.tables.view import table_view


def match_commentary(match: Match, since: datetime | None) -> CommentaryView:
    """Return the view with which a commentator's page is loaded."""
    live = store.current(match.pk, match.version)
    shown = shown_now(live, commentary_stream(match, since), timezone.now())
    return commentary_view(shown, presence.load_people([match.pk])[match.pk])


def commentary_view(shown_match: ShownMatch, people: People) -> CommentaryView:
    """Return the view of a commentator.

    `shown_match` belongs to the commentary stream, which is never live. `open` contains the cards
    by seat, in the order in which the players got them. It is empty if the hand was dealt before
    the table announced the commentator.
    """
    snapshot, since = shown_match.snapshot, shown_match.stream.since
    view = table_view(
        snapshot, None, people, shown_match.now, controls=False, stream=shown_match.stream
    )
    if not _was_dealt_earlier(snapshot, since):
        return {**view, "open": open_cards(snapshot)}
    if view["viewer"] is not None:
        view["viewer"]["text"] = _("You’ll see all cards from the next hand on.")
    return {**view, "open": []}


def _was_dealt_earlier(snapshot: Snapshot, since: datetime | None) -> bool:
    dealt = snapshot.hand.dealt_at if snapshot.hand else None
    return since is None or (dealt is not None and dealt < since)


def open_cards(snapshot: Snapshot) -> list[OpenHand]:
    """Return the cards of all players, or [] if they may not be seen."""
    position, hand = snapshot.position, snapshot.hand
    if position is None or hand is None:
        return []
    return [
        {"seat": seat, "cards": position.cards(player)} for player, seat in enumerate(hand.players)
    ]
