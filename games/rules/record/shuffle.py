"""Commitment to the order of a deck that was shuffled in advance, in records of version 1.

From version 2 on, the deck is derived from a secret and shares (games/rules/fair/deal.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def commitment(order: Sequence[str], nonce: str) -> str:
    """Return the commitment to the order of a deck: a SHA-256 digest in hex.

    The hashed text consists of the cards separated by spaces, a newline, and the nonce.
    """
    text = f"{' '.join(order)}\n{nonce}"
    return hashlib.sha256(text.encode()).hexdigest()
