"""Players' messages for a deal: a commitment to their share, and later the share itself."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games import store
from games.json_values.deals import Attempt, Deals
from games.liveness.heartbeat import beat_if_overdue
from games.models import Hand, Match
from games.play import dealing, devices
from games.play.answers import Ack, RefusedError
from games.play.codes import PlayCode
from games.play.commit import retry_on_conflict
from games.play.site_key import sign_receipt
from games.rules.fair.deal import (
    NO_BEFORE,
    NO_FAILED,
    SHARE_BYTES,
    DealKey,
    share_commitment,
)
from games.rules.fair.receipts import commitment_receipt_text, share_receipt_text
from games.rules.fair.signatures import DeviceSignature, signed_text
from games.seats import SeatNumber
from games.store import MatchChange, Snapshot

DIGEST_BYTES = 32

OTHER_DEAL = gettext_noop("That deal is over. The next one is already being prepared.")
LIST_CLOSED = gettext_noop(
    "The list of participants for this deal is closed, so no more commitments are accepted."
)
NO_LIST = gettext_noop(
    "The list of participants for this deal isn’t closed yet, so no share can be opened."
)
OTHER_SHARE = gettext_noop(
    "This seat has already committed to a different share, perhaps in another window."
)
NOT_LISTED = gettext_noop("This seat has no share in this deal.")
FAILED = gettext_noop(
    "This seat’s share missed the opening deadline twice, so the hand is being dealt without it."
)
SITS_OUT = gettext_noop(
    "This seat’s share missed the opening deadline in earlier hands, so the seat "
    "is sitting out this shuffle."
)
OTHER_LIST = gettext_noop(
    "This share was opened for a different list of participants, not for this deal’s list."
)
WRONG_SHARE = gettext_noop("This share doesn’t match its commitment in the list of participants.")
WRONG_SIGNATURE = gettext_noop("The signature doesn’t match the key and the commitment.")
NO_HEX = gettext_noop("{key!r} must be {count} bytes in lower-case hex.")

SENTENCES = {NO_FAILED: FAILED, NO_BEFORE: SITS_OUT}


@dataclass(frozen=True, slots=True)
class ShareTarget:
    """The seat that sent a message, and the deal that the message is for."""

    seat: SeatNumber
    hand: int
    attempt: int


def commit_share(
    match_id: int,
    target: ShareTarget,
    commitment: str,
    *,
    signed: DeviceSignature | None = None,
    now: datetime | None = None,
) -> Ack:
    """Store a seat's commitment, and return the site's receipt for it.

    A repeated commitment gets the same receipt again.

    Raises RefusedError with the code `malformed`, `other-deal`, `closed`, `other-share`,
    `wrong-signature`, `not-in-hand`, `not-listed` or `busy`.
    """

    def take_commitment(snapshot: Snapshot, hand: Hand) -> Attempt:
        _check_may_commit(snapshot, hand, target.seat, commitment)
        _check_signature(snapshot, target, commitment, signed)
        return hand.deals.current.add_commitment(target.seat, commitment, signed)

    def build_receipt(draw: DealKey, current: Attempt) -> bytes:
        return commitment_receipt_text(draw, target.seat, commitment, current.commitment)

    _check_hex("commitment", commitment, DIGEST_BYTES)
    return _process_message(
        match_id, target, ShareIntake(take_commitment, build_receipt), now or timezone.now()
    )


def open_share(
    match_id: int, target: ShareTarget, digest: str, share: str, *, now: datetime | None = None
) -> Ack:
    """Open a seat's share for the list with this digest, and return the site's receipt.

    When the last share is opened, the hand is dealt.

    Raises RefusedError with the code `malformed`, `other-deal`, `closed`, `not-listed`,
    `other-list`, `wrong-share` or `busy`.
    """

    def take_share(snapshot: Snapshot, hand: Hand) -> Attempt:
        _check_share(snapshot, hand.deals.current, target.seat, digest, share)
        return hand.deals.current.add_share(target.seat, share)

    def build_receipt(draw: DealKey, _current: Attempt) -> bytes:
        return share_receipt_text(draw, target.seat, digest, share)

    _check_hex("list", digest, DIGEST_BYTES)
    _check_hex("share", share, SHARE_BYTES)
    return _process_message(
        match_id, target, ShareIntake(take_share, build_receipt), now or timezone.now()
    )


def _check_hex(key: str, text: str, count: int) -> None:
    if len(text) != 2 * count or not set(text) <= set("0123456789abcdef"):
        raise RefusedError(PlayCode.MALFORMED, _(NO_HEX).format(key=key, count=count))


@dataclass(frozen=True, slots=True)
class ShareIntake:
    """The two functions that process one kind of message.

    * `apply_content`: returns the attempt with the content of the message added, or raises
      RefusedError.
    * `build_receipt`: returns the text of the site's receipt for the message.
    """

    apply_content: Callable[[Snapshot, Hand], Attempt]
    build_receipt: Callable[[DealKey, Attempt], bytes]


def _process_message(match_id: int, target: ShareTarget, intake: ShareIntake, now: datetime) -> Ack:
    def apply_message(snapshot: Snapshot) -> Ack:
        hand = _find_target_hand(snapshot, target)
        current = intake.apply_content(snapshot, hand)
        ack = Ack(snapshot.version, repeated=True)
        if current != hand.deals.current:
            ack = _store_deals(snapshot, hand.deals.replace_attempt(current), now)
        draw = DealKey(snapshot.match.public_id, target.hand, target.attempt)
        return replace(ack, receipt=sign_receipt(intake.build_receipt(draw, current)))

    # The message may trigger a deal. The new hand must not be credited for an earlier outage.
    beat_if_overdue()
    try:
        return retry_on_conflict(match_id, apply_message)
    except RefusedError:
        # Unlike actions, these messages do not name a version, so the sender may have seen a newer
        # match than this process's copy.
        if store.has_newest_version(match_id):
            raise
        store.forget(match_id)
        return retry_on_conflict(match_id, apply_message)


def _find_target_hand(snapshot: Snapshot, target: ShareTarget) -> Hand:
    hand = snapshot.prepared
    if hand is None or not hand.deals or snapshot.match.phase == Match.Phase.OVER:
        raise _build_refusal(snapshot, PlayCode.OTHER_DEAL, OTHER_DEAL)
    if (hand.number, hand.deals.current.number) != (target.hand, target.attempt):
        raise _build_refusal(snapshot, PlayCode.OTHER_DEAL, OTHER_DEAL)
    return hand


def _check_may_commit(snapshot: Snapshot, hand: Hand, seat: SeatNumber, commitment: str) -> None:
    current = hand.deals.current
    existing = current.commitments.get(seat)
    if seat not in hand.players:
        raise RefusedError(
            PlayCode.NOT_IN_HAND, _("You’re not playing this hand."), snapshot.version
        )
    if existing is not None and existing != commitment:
        raise _build_refusal(snapshot, PlayCode.OTHER_SHARE, OTHER_SHARE)
    if existing is None and current.agreed is not None:
        raise _build_refusal(snapshot, PlayCode.CLOSED, LIST_CLOSED)
    if reason := dealing.find_exclusion_reason(snapshot, hand.deals, seat):
        raise _build_refusal(snapshot, PlayCode.NOT_LISTED, SENTENCES[reason])


def _check_signature(
    snapshot: Snapshot, target: ShareTarget, commitment: str, signed: DeviceSignature | None
) -> None:
    """Check that the optional signature is valid for this deal and seat.

    Raises RefusedError with the code `wrong-signature`.
    """
    draw = DealKey(snapshot.match.public_id, target.hand, target.attempt)
    text = signed_text(draw, target.seat, commitment)
    if signed and not devices.is_valid_signature(signed, text):
        raise _build_refusal(snapshot, PlayCode.WRONG_SIGNATURE, WRONG_SIGNATURE)


def _check_share(
    snapshot: Snapshot, current: Attempt, seat: SeatNumber, digest: str, share: str
) -> None:
    agreed = current.agreed
    if agreed is None:
        raise _build_refusal(snapshot, PlayCode.CLOSED, NO_LIST)
    if seat not in agreed.listed:
        raise _build_refusal(snapshot, PlayCode.NOT_LISTED, NOT_LISTED)
    if digest != agreed.digest().hex():
        raise _build_refusal(snapshot, PlayCode.OTHER_LIST, OTHER_LIST)
    if share_commitment(agreed.draw, seat, bytes.fromhex(share)) != current.commitments[seat]:
        raise _build_refusal(snapshot, PlayCode.WRONG_SHARE, WRONG_SHARE)


def _build_refusal(snapshot: Snapshot, code: str, sentence: str) -> RefusedError:
    return RefusedError(code, _(sentence), snapshot.version)


def _store_deals(snapshot: Snapshot, deals: Deals, now: datetime) -> Ack:
    """Store the deals, and take the next step immediately if nothing is missing."""
    match, complete = snapshot.match, dealing.is_step_complete(snapshot, deals)
    if complete and match.phase == Match.Phase.BETWEEN and not match.paused:
        change = MatchChange.from_snapshots(snapshot, now)
        dealing.take_next_step(change, deals)
        return Ack(store.commit(change).version)
    # In a paused match, the next step is due as soon as the match resumes.
    due = match.paused_at if complete and match.paused else match.due
    return Ack(store.save_deals(snapshot, deals, due).version)
