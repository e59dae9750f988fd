"""The commitment of records of version 1: to the order of a deck that was shuffled beforehand.

Since version 2 a deck comes from a secret and shares (games/rules/fair/deal.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def commitment(order: Sequence[str], nonce: str) -> str:
    """SHA-256, in hex, of the cards with a blank between them, a newline, and the nonce."""
    text = f"{' '.join(order)}\n{nonce}"
    return hashlib.sha256(text.encode()).hexdigest()
