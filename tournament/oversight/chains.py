"""The two hash chains of an event (pure/chain.py): the public history and the activity log.

The rows of both chains are numbered, sealed, hashed and checked here. Only their content differs.
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
# The end of a chain: the number and the digest of its last row.
Head = tuple[int, str]
# The format version of the log's rows.
LOG_VERSION = 2


class Content(NamedTuple):
    """Content of a row.

    The chain holds only a seal of `text`, so the text can be removed later. Rows of version 1 have
    no seal; their chain holds the text itself.
    """

    version: int
    role: str
    facts: Facts
    text: str


@dataclass(frozen=True)
class Chain(Generic[Row]):
    """A chain of rows.

    `select_rows` returns the rows of an event, and `read` returns the content of a row.
    """

    select_rows: Callable[[Event], QuerySet[Row]]
    read: Callable[[Row], Content]

    def find_head(self, event: Event) -> Head:
        """Return the number and digest of the event's last row, or the start of the chain."""
        last = self.select_rows(event).order_by("number").values_list("number", "digest").last()
        return last or (0, START)

    def append(self, row: Row, head: Head) -> None:
        """Assign a number and a seal to an unsaved row, and link it to the previous row."""
        row.number, row.previous = head[0] + 1, head[1]
        row.salt = secrets.token_hex(16)
        row.seal = seal(row.salt, self.read(row).text)
        row.digest = self.link_of(row).digest()

    def link_of(self, row: Row) -> Link:
        """Return the chain link for a row.

        The link of a redacted row uses the stored seal, because the text is gone.
        """
        content = self.read(row)
        unsealed = content.version == 1
        sealed = row.seal if row.redacted else seal(row.salt, content.text)
        return Link(
            event=row.event_id,
            number=row.number,
            action=row.action,
            role=content.role,
            facts=content.facts,
            reason=content.text if unsealed else sealed,
            at=row.at,
            previous=row.previous,
            version=content.version,
            lost=unsealed and row.redacted,
        )

    def find_broken(self, rows: Iterable[Row]) -> int | None:
        """Return the position at which the chain of these ordered rows breaks, or None."""
        return chain.find_first_broken((self.link_of(row), row.digest) for row in rows)


def _read_history(entry: HistoryEntry) -> Content:
    return Content(entry.version, entry.role, entry.facts, entry.reason)


def _read_log(entry: AuditEntry) -> Content:
    """Return the content of a log entry, with all of its data in the text.

    Account numbers in the data are left out, because they differ between servers.
    """
    data = {key: value for key, value in entry.data.items() if key != "user"}
    parts = [entry.account, entry.text, entry.reason, json.loads(json.dumps(data))]
    return Content(LOG_VERSION, "log", {}, json.dumps(parts, sort_keys=True))


HISTORY = Chain[HistoryEntry](lambda event: event.history.all(), _read_history)
LOG = Chain[AuditEntry](lambda event: event.audit.all(), _read_log)
