"""Public facts about a deal: the server's commitment, the list, and the revealed values.

The secret of the hand in play is left out. It is revealed in the hand's record once the hand is
open. The secrets of void attempts are included immediately, because no cards depend on them.
"""

from typing import cast

from games.json_values.deals import DEALT, Attempt, encode_keys
from games.models import Hand, Match
from games.play.site_key import list_receipt
from games.protocol.deals import DealFacts, DealList, DealStep, Receipt, VoidAttempt
from games.rules.fair.deal import ShareList
from games.seats import SeatNumber
from games.store import Snapshot


def deal_facts(snapshot: Snapshot, seat: SeatNumber | None) -> DealFacts | None:
    """Return the facts about the next deal or, before the first action in a hand, about its deal.

    Returns None at other times.
    """
    hand = _find_shown_hand(snapshot)
    if hand is None or not hand.deals:
        return None
    current = hand.deals.current
    return {
        "hand": hand.number,
        "attempt": current.number,
        "step": _find_step(current),
        "server": current.commitment,
        "list": closed_list(current),
        "digest": current.agreed.digest().hex() if current.agreed else None,
        "receipt": _build_receipt(current.agreed),
        "shares": encode_keys(current.shares) if current.outcome == DEALT else {},
        "mine": None if seat is None else current.commitments.get(seat),
        "opened": [*map(int, current.shares)],
        "void": [_build_void_attempt(attempt) for attempt in hand.deals.void],
    }


def _find_shown_hand(snapshot: Snapshot) -> Hand | None:
    match snapshot.match.phase:
        case Match.Phase.PLAYING:
            return None if snapshot.actions else snapshot.hand
        case Match.Phase.OVER:
            return None
    return snapshot.prepared


def _find_step(attempt: Attempt) -> DealStep:
    if attempt.outcome == DEALT:
        return "dealt"
    return "commit" if attempt.agreed is None else "open"


def closed_list(attempt: Attempt) -> DealList | None:
    """Return the attempt's list in the form sent to clients, or None before the list is closed."""
    return None if attempt.agreed is None else cast(DealList, attempt.agreed.to_json())


def _build_receipt(agreed: ShareList | None) -> Receipt | None:
    """Return the site's receipt for the list.

    With receipts, players can prove that they were shown different lists.
    """
    if agreed is None:
        return None
    receipt = list_receipt(agreed.draw, agreed.digest().hex())
    return {"key": receipt.key, "signature": receipt.signature}


def _build_void_attempt(attempt: Attempt) -> VoidAttempt:
    return {
        "attempt": attempt.number,
        "list": cast(DealList, attempt.opened.list.to_json()),
        "secret": attempt.secret.hex(),
        "shares": encode_keys(attempt.shares),
    }
