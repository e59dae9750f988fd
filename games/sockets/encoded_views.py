"""Encoded views of a match, built once for all windows that show the same view.

Windows that request it receive only the differences from the last view sent to them. To compute
these, a `SentView` keeps the shared part, which is the same object for all windows of the table,
and the encoded bytes of each key of the seat's own part.

The new value of a changed key is sent whole, with three exceptions. For `seats`, only the changed
keys of each seat are sent. For `log`, only the new lines are sent, and for `own_lines` only the
new texts. If clients could not rebuild the value from these, it is sent whole. docs/protocol.md
describes what clients do.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from orjson import Fragment

from games import language, store
from games.clocks.presence import People
from games.protocol.events import Event
from games.protocol.table import LogLine, PersonalPart, SeatAtTable, Shared
from games.seats import SeatNumber
from games.sockets.base import encode
from games.tables.log import LINES, list_events
from games.tables.spectator_delay import ShownMatch
from games.tables.view import add_coaching, own_part, presences, shared_part

# A view can be sent again for this long. After that, its clocks are no longer accurate enough.
FRESH_SECONDS = 0.1

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SharedChanges:
    """Changes to the shared part of a view.

    * `view`: changed keys of the view, with their new values.
    * `seats`: changed keys of each seat, by the seat's number.
    * `log`: new log lines.
    """

    view: dict[str, object]
    seats: dict[str, dict[str, object]]
    log: list[LogLine]


@dataclass(frozen=True, slots=True, eq=False)
class SentView:
    """A view that was sent to a window. Compared by identity, so that it can be a cache key."""

    version: int
    shared: Shared
    own: tuple[object, ...]
    own_lines: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reader:
    """Reader of a view: a seat, or None for a viewer.

    * `since`: the version of the last view sent to the reader.
    * `changes`: true if the reader accepts changes instead of whole views.
    * `previous`: the last view sent to such a reader, or None if the next one has to be sent whole.
    """

    seat: SeatNumber | None
    controls: bool
    since: int
    changes: bool = False
    previous: SentView | None = None


class EncodedViews:
    """Encoded views of a match for readers of one stream, kept until the match changes."""

    def __init__(self) -> None:
        self._cache: dict[object, object] = {}
        self._of: tuple[store.Snapshot, People] | None = None
        self._made_at = 0.0

    def view_message(
        self, shown_match: ShownMatch, people: People, reader: Reader
    ) -> tuple[bytes, SentView | None]:
        """Return the message that shows the match to a reader, and the base for later changes."""
        self._forget_old(shown_match.snapshot, people)
        if reader.seat is not None:
            return self._build_view_message(shown_match, people, reader)
        key = (language.active_language(), reader)
        return self._cache_once(key, lambda: self._build_view_message(shown_match, people, reader))

    def presence_message(self, shown_match: ShownMatch, people: People) -> bytes:
        """Return the message that lists the players present at the table."""
        self._forget_old(shown_match.snapshot, people)

        def encode_presence() -> bytes:
            seats = presences(shown_match.snapshot, people, shown_match.now)
            return encode({"type": "here", "seats": seats})

        return self._cache_once("here", encode_presence)

    def _cache_once(self, key: object, make: Callable[[], T]) -> T:
        if (cached := self._cache.get(key)) is None:
            cached = self._cache[key] = make()
        return cast(T, cached)

    def _forget_old(self, snapshot: store.Snapshot, people: People) -> None:
        now = time.monotonic()
        same = self._of and self._of[0] is snapshot and self._of[1] == people
        if not same or now - self._made_at > FRESH_SECONDS:
            self._cache.clear()
            self._of, self._made_at = (snapshot, people), now

    def _build_view_message(
        self, shown_match: ShownMatch, people: People, reader: Reader
    ) -> tuple[bytes, SentView | None]:
        snapshot, version = shown_match.snapshot, shown_match.snapshot.version
        key = ("shared", language.active_language())
        shared = self._cache_once(key, lambda: shared_part(snapshot, people, shown_match.now))
        own = _build_own_part(shown_match, shared, reader)
        events = list_events(shown_match.snapshot, reader.seat, reader.since)
        if not reader.changes:
            return self._encode_whole_view(version, shared, own, events), None
        edition = SentView(version, shared, _split_own_part(own), own["own_lines"])
        if reader.previous is None:
            return self._encode_whole_view(version, shared, own, events), edition
        return self._encode_difference(reader.previous, edition, [*own], events), edition

    def _encode_whole_view(
        self, version: int, shared: Shared, personal: PersonalPart, events: list[Event]
    ) -> bytes:
        view = self._cache_once(
            ("whole", language.active_language()), lambda: _encode_values(shared)
        )
        message = {
            "type": "view",
            "version": version,
            "view": {**view, **personal},
            "events": events,
        }
        return encode(message)

    def _encode_difference(
        self, previous: SentView, new: SentView, keys: list[str], events: list[Event]
    ) -> bytes:
        _old, (view, seats, log) = self._cache_once(
            ("changes", id(previous.shared)),
            # The cache entry refers to the old view, so that no new object can get the same id.
            lambda: (
                previous.shared,
                _encode_changes(find_shared_changes(previous.shared, new.shared)),
            ),
        )
        lines = find_added_lines(previous.own_lines, new.own_lines, new.shared["log"])
        pairs = zip(keys, previous.own, new.own, strict=True)
        own: dict[str, object] = {
            key: Fragment(now) if isinstance(now, bytes) else now
            for key, was, now in pairs
            if was != now
        }
        if lines is None:
            own["own_lines"] = new.own_lines
        return encode(
            {
                "type": "changes",
                "version": new.version,
                "since": previous.version,
                "view": {**view, **own},
                "seats": seats,
                "log": log,
                "own_lines": lines or {},
                "events": events,
            }
        )


def _build_own_part(shown_match: ShownMatch, shared: Shared, reader: Reader) -> PersonalPart:
    """Return the reader's own part of the view.

    If the reader accepts changes, the reasons why cards do not fit are included only during the
    reader's turn.
    """
    snapshot, seat = shown_match.snapshot, reader.seat
    own = own_part(
        snapshot,
        seat,
        shown_match.now,
        controls=reader.controls,
        stream=shown_match.stream,
        terse=reader.changes,
    )
    return add_coaching(snapshot, shared, own)


def _split_own_part(personal: PersonalPart) -> tuple[object, ...]:
    """Return the value of each key, with lists and objects encoded as JSON to save memory.

    `own_lines` is left out, because it is compared line by line.
    """
    compared = {**personal, "own_lines": None}
    return tuple(
        encode(value) if isinstance(value, list | dict) else value for value in compared.values()
    )


def _encode_values(values: Mapping[str, object]) -> dict[str, Fragment]:
    return {key: Fragment(encode(value)) for key, value in values.items()}


def _encode_changes(changes: SharedChanges) -> tuple[dict[str, Fragment], Fragment, Fragment]:
    """Return the encoded `view`, `seats` and `log` of a message with changes."""
    seats, log = Fragment(encode(changes.seats)), Fragment(encode(changes.log))
    return _encode_values(changes.view), seats, log


def find_shared_changes(old: Shared, new: Shared) -> SharedChanges:
    """Return the changes that turn `old` into `new`."""
    before: Mapping[str, object] = old
    view = {key: value for key, value in new.items() if value != before[key]}
    seats = _find_seat_changes(old["seats"], new["seats"]) if "seats" in view else {}
    log = _find_new_lines(old["log"], new["log"]) if "log" in view else []
    if seats:
        del view["seats"]
    if log:
        del view["log"]
    return SharedChanges(view, seats, log)


def _find_seat_changes(
    old: list[SeatAtTable], new: list[SeatAtTable]
) -> dict[str, dict[str, object]]:
    """Return the changed keys of each seat, by seat number.

    The result is empty if a seat does not have the same keys as before.
    """
    if [seat.keys() for seat in old] != [seat.keys() for seat in new]:
        return {}
    pairs: Iterable[tuple[Mapping[str, object], Mapping[str, object]]] = zip(old, new, strict=True)
    return {
        str(now["seat"]): {key: value for key, value in now.items() if value != was[key]}
        for was, now in pairs
        if was != now
    }


def _find_new_lines(old: list[LogLine], new: list[LogLine]) -> list[LogLine]:
    """Return the new lines of the log.

    The result is empty if the current log does not consist of the old lines and the new ones.
    """
    last = old[-1]["n"] if old else -1
    added = [line for line in new if line["n"] > last]
    return added if [*old, *added][-LINES:] == new else []


def find_added_lines(
    old: Mapping[str, str], new: Mapping[str, str], log: list[LogLine]
) -> dict[str, str] | None:
    """Return a seat's own lines that are new or changed.

    Old lines that are no longer in `log` are dropped. Returns None if `new` does not consist of the
    remaining old lines and the returned ones.
    """
    added = {n: text for n, text in new.items() if old.get(n) != text}
    return added if {**select_shown_lines(old, log), **added} == new else None


def select_shown_lines(lines: Mapping[str, str], log: list[LogLine]) -> dict[str, str]:
    """Return the seat's own lines that are still in the log."""
    first = log[0]["n"] if log else None
    return {} if first is None else {n: text for n, text in lines.items() if int(n) >= first}
