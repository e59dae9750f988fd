"""Texts that a site signs to acknowledge the messages of a deal.

docs/fair-deal.md specifies every byte.
"""

from __future__ import annotations

from games.rules.fair.commitments import DealKey, encode_field

LABEL = "lastcard receipt 1"


def commitment_receipt_text(draw: DealKey, seat: int, commitment: str, server: str) -> bytes:
    """Return the text that acknowledges a seat's commitment and states the server's commitment.

    Both commitments are in hex.
    """
    return _build_signed_text("commit", draw, str(seat), commitment, server)


def list_receipt_text(draw: DealKey, digest: str) -> bytes:
    """Return the text that declares the list with this digest the only one for the deal.

    The digest is in hex.
    """
    return _build_signed_text("list", draw, digest)


def share_receipt_text(draw: DealKey, seat: int, digest: str, share: str) -> bytes:
    """Return the text that acknowledges that a seat opened its share for the list with this digest.

    Both the digest and the share are in hex.
    """
    return _build_signed_text("open", draw, str(seat), digest, share)


def _build_signed_text(kind: str, draw: DealKey, *more: str) -> bytes:
    return b"".join(encode_field(part) for part in (f"{LABEL} {kind}", *draw.fields, *more))
