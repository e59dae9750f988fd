"""Hash chain: each row has the SHA-256 of its own fields and of the previous row.

docs/fair-deal.md specifies every byte. Changing, removing or inserting a row invalidates all later
rows. Anyone who noted the digest of the last row can later check that no earlier row was changed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

# Version of the row format. Only rows of version 1 contain the reason as it was typed.
VERSION = 2
# The content of a row: keys, codes and numbers.
Facts = Mapping[str, Any]
# The first row has no predecessor, so its chain starts from this digest.
START = "0" * 64


@dataclass(frozen=True, slots=True)
class Link:
    """A row of the chain.

    `number` counts from 1 in its event. `facts` has keys, codes and numbers. `at` is
    timezone-aware. `reason` is the seal of the typed reason (see `seal`), or in a row of version 1
    the text itself. If that text was removed (`lost`), the row's digest can no longer be computed.
    """

    event: int
    number: int
    action: str
    role: str
    facts: Facts
    reason: str
    at: datetime
    previous: str
    version: int = VERSION
    lost: bool = False

    def text(self) -> str:
        """Return the text to hash.

        It is JSON without blanks, with sorted keys and times in UTC to the microsecond.
        """
        time = self.at.astimezone(UTC).isoformat(timespec="microseconds")
        row = [self.event, self.number, self.action, self.role, self.facts, self.reason, time]
        data = [self.version, *row, self.previous]
        return json.dumps(data, separators=(",", ":"), sort_keys=True, ensure_ascii=True)

    def digest(self) -> str:
        """Return the SHA-256 of `text`, in hex."""
        return hashlib.sha256(self.text().encode()).hexdigest()


def seal(salt: str, reason: str) -> str:
    """Return the SHA-256, in hex, of the salt (32 hex digits), a colon and the reason in UTF-8.

    The chain contains this seal instead of the reason, so that removing a reason does not break the
    chain.
    """
    return hashlib.sha256(f"{salt}:{reason}".encode()).hexdigest()


def find_first_broken(rows: Iterable[tuple[Link, str]]) -> int | None:
    """Return the position of the first row that does not fit the chain, or None if all fit.

    `rows` are pairs of a row and its stored digest, in order.
    """
    previous = START
    for number, (link, digest) in enumerate(rows, 1):
        computed = digest if link.lost else link.digest()
        if (link.number, link.previous, computed) != (number, previous, digest):
            return number
        previous = digest
    return None
