"""The verifiable shuffle: the order is fixed and committed to before a hand, and shown after it."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

from games.rules.chance import SystemChance
from games.rules.rulesets import RuleSet

NONCE_BYTES = 32


def new_deck(rs: RuleSet) -> tuple[list[str], str, str]:
    """A shuffled deck, first element on top; the nonce (hex); the commitment (hex).

    The deck is shuffled straight from the operating system: a seed of 256 bits could not reach
    all orders of 108 cards (578 bits).
    """
    kinds = rs.cards()
    SystemChance().shuffle(kinds)
    order = rs.pack.notations(kinds)
    nonce = secrets.token_hex(NONCE_BYTES)
    return order, nonce, commitment(order, nonce)


def commitment(order: Sequence[str], nonce: str) -> str:
    """SHA-256, in hex, of the cards with a blank between them, a newline, and the nonce."""
    text = f"{' '.join(order)}\n{nonce}"
    return hashlib.sha256(text.encode()).hexdigest()


def verify(order: Sequence[str], nonce: str, committed: str) -> bool:
    """Whether this order and nonce are what was committed to."""
    return secrets.compare_digest(commitment(order, nonce), committed.lower())
