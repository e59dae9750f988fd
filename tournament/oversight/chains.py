"""The two hash chains of an event (pure/chain.py): the public history and the activity log.

This module numbers, seals, links and checks the rows of both. Only their content differs.
"""

import json
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from django.db.models import QuerySet

from tournament.models import AuditEntry, Event, HistoryEntry
from tournament.pure import chain
from tournament.pure.chain import START, Facts, Link, seal_reason

Row = TypeVar("Row", HistoryEntry, AuditEntry)
# The end of a chain: the number and the digest of its last row.
Head = tuple[int, str]
# Version of the log's row format.
LOG_VERSION = 2


class RowContent(NamedTuple):
    """The content of a row.

    The digest of a row covers only a seal of `text`, so that the text can be removed later. In rows
    of version 1, it covers the text itself.
    """

    version: int
    role: str
    facts: Facts
    text: str


@dataclass(frozen=True)
class Chain(Generic[Row]):
    """A kind of hash chain.

    * `select_rows`: a function that returns the rows of an event.
    * `read`: a function that returns the content of a row.
    """

    select_rows: Callable[[Event], QuerySet[Row]]
    read: Callable[[Row], RowContent]

    def find_head(self, event: Event) -> Head:
        """Return the number and digest of the event's last row, or the start of the chain."""
        last = self.select_rows(event).order_by("number").values_list("number", "digest").last()
        return last or (0, START)

    def append(self, row: Row, head: Head) -> None:
        """Assign a number and a seal to an unsaved row, and link it to the last row, `head`."""
        row.number, row.previous = head[0] + 1, head[1]
        row.salt = secrets.token_hex(16)
        row.seal = seal_reason(row.salt, self.read(row).text)
        row.digest = self.make_link(row).digest()

    def make_link(self, row: Row) -> Link:
        """Return the chain link for a row.

        A redacted row has lost its text, so its stored seal is used.
        """
        content = self.read(row)
        unsealed = content.version == 1
        sealed = row.seal if row.redacted else seal_reason(row.salt, content.text)
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

    def find_broken_row(self, rows: Iterable[Row]) -> int | None:
        """Return the position of the first row that does not fit the chain, or None.

        `rows` are all rows of the chain, in order.
        """
        return chain.find_first_invalid((self.make_link(row), row.digest) for row in rows)


def _read_history(entry: HistoryEntry) -> RowContent:
    return RowContent(entry.version, entry.role, entry.facts, entry.reason)


def _read_log(entry: AuditEntry) -> RowContent:
    """Return the content of a log entry. The text combines all data of the entry.

    The account in `user` is left out, because its number differs between machines.
    """
    data = {key: value for key, value in entry.data.items() if key != "user"}
    parts = [entry.account, entry.text, entry.reason, json.loads(json.dumps(data))]
    return RowContent(LOG_VERSION, "log", {}, json.dumps(parts, sort_keys=True))


HISTORY = Chain[HistoryEntry](lambda event: event.history.all(), _read_history)
LOG = Chain[AuditEntry](lambda event: event.audit.all(), _read_log)
