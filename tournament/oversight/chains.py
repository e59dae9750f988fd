"""The two chains of an event's rows (pure/chain.py): public history and activity log.

Both are numbered, sealed, hashed and checked here. They differ in what their rows say.
"""

import json
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from django.db.models import QuerySet

from tournament.models import AuditEntry, Event, HistoryEntry
from tournament.pure import chain
from tournament.pure.chain import START, Facts, Link, seal

Row = TypeVar("Row", HistoryEntry, AuditEntry)
# Where a chain ends: the number and the digest of its last row.
Head = tuple[int, str]
# The format version of the log's rows.
LOG_VERSION = 2


class Content(NamedTuple):
    """What a row says. `text` can be taken out of it later: the chain has only its seal.

    Rows of version 1 have no seal. Their text itself is hashed.
    """

    version: int
    role: str
    facts: Facts
    text: str


@dataclass(frozen=True)
class Chain(Generic[Row]):
    """A chain of rows. `select_rows` returns those of an event."""

    select_rows: Callable[[Event], QuerySet[Row]]
    read: Callable[[Row], Content]

    def find_head(self, event: Event) -> Head:
        """Return the number and digest of the last row."""
        last = self.select_rows(event).order_by("number").values_list("number", "digest").last()
        return last or (0, START)

    def append(self, row: Row, head: Head) -> None:
        """Seal a row that is not stored yet, and chain it to the one before."""
        row.number, row.previous = head[0] + 1, head[1]
        row.salt = secrets.token_hex(16)
        row.seal = seal(row.salt, self.read(row).text)
        row.digest = self.link_of(row).digest()

    def link_of(self, row: Row) -> Link:
        """Build the chain link for a row's digest, sealing existing text again."""
        said = self.read(row)
        unsealed = said.version == 1
        sealed = row.seal if row.redacted else seal(row.salt, said.text)
        return Link(
            event=row.event_id,
            number=row.number,
            action=row.action,
            role=said.role,
            facts=said.facts,
            reason=said.text if unsealed else sealed,
            at=row.at,
            previous=row.previous,
            version=said.version,
            lost=unsealed and row.redacted,
        )

    def find_broken(self, rows: Iterable[Row]) -> int | None:
        """Return where the chain of these rows, in their order, breaks; None if it holds."""
        return chain.first_broken((self.link_of(row), row.digest) for row in rows)


def _read_history(entry: HistoryEntry) -> Content:
    return Content(entry.version, entry.role, entry.facts, entry.reason)


def _read_log(entry: AuditEntry) -> Content:
    """Return what an entry of the log says, with all of it in the text.

    Account numbers in the data are left out, because they differ between machines.
    """
    told = {key: value for key, value in entry.data.items() if key != "user"}
    parts = [entry.account, entry.text, entry.reason, json.loads(json.dumps(told))]
    return Content(LOG_VERSION, "log", {}, json.dumps(parts, sort_keys=True))


HISTORY = Chain[HistoryEntry](lambda event: event.history.all(), _read_history)
LOG = Chain[AuditEntry](lambda event: event.audit.all(), _read_log)
