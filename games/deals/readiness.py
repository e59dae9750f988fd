"""Players' readiness for the next hand.

Once all players at the table are ready, the next hand is dealt without further waiting.
"""

from dataclasses import replace

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.deals.shares import OTHER_DEAL
from games.liveness.heartbeat import beat_if_overdue
from games.models import Match
from games.play import dealing
from games.play.answers import Ack, RefusedError
from games.play.codes import PlayCode
from games.play.commit import retry_on_conflict
from games.seats import SeatNumber
from games.store import MatchChange, Snapshot, commit

NOT_IN_HAND = gettext_noop("You’re not playing this hand.")


def note_ready(match_id: int, seat: SeatNumber, hand: int) -> Ack:
    """Record that this seat is ready for this hand. The deal continues once all seats are."""

    def apply_ready(snapshot: Snapshot) -> Ack:
        _check_seat_in_hand(snapshot, seat, hand)
        if seat in snapshot.match.state.ready:
            return Ack(snapshot.version, repeated=True)
        return Ack(_save_ready_seat(snapshot, seat).version)

    beat_if_overdue()
    return retry_on_conflict(match_id, apply_ready)


def _check_seat_in_hand(snapshot: Snapshot, seat: SeatNumber, hand: int) -> None:
    prepared = snapshot.prepared
    if snapshot.match.phase != Match.Phase.BETWEEN or prepared is None or prepared.number != hand:
        raise RefusedError(PlayCode.OTHER_DEAL, _(OTHER_DEAL), snapshot.version)
    if seat not in prepared.players:
        raise RefusedError(PlayCode.NOT_IN_HAND, _(NOT_IN_HAND), snapshot.version)


def _save_ready_seat(snapshot: Snapshot, seat: SeatNumber) -> Snapshot:
    change, prepared = MatchChange.from_snapshots(snapshot, timezone.now()), snapshot.prepared
    assert prepared is not None
    change.state = replace(change.state, ready=(*change.state.ready, seat))
    early = dealing.are_all_ready(snapshot, change.state.ready)
    if early and not snapshot.match.paused and not prepared.deals.closed:
        _deal_early(change, snapshot)
    return commit(change)


def _deal_early(change: MatchChange, snapshot: Snapshot) -> None:
    """Continue to the deal, unless a player's device still has to commit to its share."""
    prepared = snapshot.prepared
    assert prepared is not None
    if not prepared.deals or dealing.are_all_committed(snapshot, prepared.deals):
        dealing.take_next_step(change)
