"""Commitment in records of version 1, to the order of a deck shuffled beforehand.

Since version 2, the deck is derived from a secret and shares (games/rules/fair/deal.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def commitment(order: Sequence[str], nonce: str) -> str:
    """Return the commitment to a deck's order, as a SHA-256 in hex.

    The hashed text consists of the cards separated by spaces, a newline, and the nonce.
    """
    text = f"{' '.join(order)}\n{nonce}"
    return hashlib.sha256(text.encode()).hexdigest()
