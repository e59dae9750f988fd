"""Hash chain of rows. The digest of each row covers its fields and the previous digest.

docs/fair-deal.md specifies every byte. A row that is changed, removed or inserted invalidates all
later rows. Anyone who has noted the digest of a row can therefore check that no earlier row was
changed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

# Version of the row format. Rows of version 1 contain the reason itself instead of its seal.
VERSION = 2
# The data of a row: keys, codes and numbers.
Facts = Mapping[str, Any]
# The previous digest of the first row.
START = "0" * 64


@dataclass(frozen=True, slots=True)
class Link:
    """A row of the chain.

    * `event`: the event's key.
    * `number`: the position within the event, from 1.
    * `facts`: keys, codes and numbers.
    * `reason`: the seal of the reason (see `seal_reason`), or the reason itself in version 1.
    * `at`: the time, with time zone.
    * `previous`: the digest of the previous row.
    * `lost`: whether the reason of a row of version 1 was deleted. The row's digest can then no
      longer be computed.
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
        """Return the JSON text that is hashed, without spaces.

        Keys are sorted, and the time is in UTC to the microsecond.
        """
        time = self.at.astimezone(UTC).isoformat(timespec="microseconds")
        row = [self.event, self.number, self.action, self.role, self.facts, self.reason, time]
        data = [self.version, *row, self.previous]
        return json.dumps(data, separators=(",", ":"), sort_keys=True, ensure_ascii=True)

    def digest(self) -> str:
        """Return the SHA-256 of `text` in hexadecimal."""
        return hashlib.sha256(self.text().encode()).hexdigest()


def seal_reason(salt: str, reason: str) -> str:
    """Return the seal of a reason: a hash that replaces the reason in the chain.

    The seal is the SHA-256, in hexadecimal, of the salt (32 hexadecimal digits), a colon and the
    reason in UTF-8. The reason can be deleted without breaking the chain.
    """
    return hashlib.sha256(f"{salt}:{reason}".encode()).hexdigest()


def find_first_invalid(rows: Iterable[tuple[Link, str]]) -> int | None:
    """Return the number of the first invalid row, or None if the chain is intact.

    `rows` yields pairs of a row and its stored digest, in order.
    """
    previous = START
    for number, (link, digest) in enumerate(rows, 1):
        computed = digest if link.lost else link.digest()
        if (link.number, link.previous, computed) != (number, previous, digest):
            return number
        previous = digest
    return None
