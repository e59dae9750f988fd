"""What a site signs when it acknowledges a part of a deal. docs/fair-deal.md has every byte."""

from __future__ import annotations

from games.rules.fair.commitments import DealKey, field

LABEL = "lastcard receipt 1"


def commitment_taken(draw: DealKey, seat: int, commitment: str, server: str) -> bytes:
    """This seat's commitment stands beside the server's; both in hex."""
    return _build_signed_text("commit", draw, str(seat), commitment, server)


def list_closed(draw: DealKey, digest: str) -> bytes:
    """The list with this digest, in hex, is the one list of this deal."""
    return _build_signed_text("list", draw, digest)


def share_taken(draw: DealKey, seat: int, digest: str, share: str) -> bytes:
    """This seat has opened this share to the list with this digest; both in hex."""
    return _build_signed_text("open", draw, str(seat), digest, share)


def _build_signed_text(kind: str, draw: DealKey, *more: str) -> bytes:
    return b"".join(field(part) for part in (f"{LABEL} {kind}", *draw.fields, *more))
