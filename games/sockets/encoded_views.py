"""Encoded views of a match for its windows, made once for all that see the same.

A window that asked for it receives the differences from its last edition
(games/tables/changes.py). For what everyone sees, an edition refers to values that all windows of
the table share. For a seat's own part, it keeps the encoded bytes, key by key.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from orjson import Fragment

from games import language, queries, store
from games.clocks.presence import People
from games.protocol.events import Event
from games.protocol.table import PersonalPart, Shared
from games.seats import SeatNumber
from games.sockets.base import encode
from games.tables.changes import SharedChanges, own_lines_added, shared_changes
from games.tables.spectator_delay import ShownMatch

# Clocks in a view that was made so long ago are still right for who gets it now.
FRESH_SECONDS = 0.1

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class SentView:
    """A view as it was sent to a window; compared by identity, so that it can be a key."""

    version: int
    shared: Shared
    own: tuple[object, ...]
    own_lines: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reader:
    """Reader of a view: a seat (None: a viewer) that has seen version `since`.

    `had` is what the reader has of that version, if changes may be sent.
    """

    seat: SeatNumber | None
    controls: bool
    since: int
    changes: bool = False
    had: SentView | None = None


class EncodedViews:
    """Encoded texts of a match in one stream, kept until something about it is new."""

    def __init__(self) -> None:
        self._made: dict[object, object] = {}
        self._of: tuple[store.Snapshot, People] | None = None
        self._made_at = 0.0

    def view(
        self, shown: ShownMatch, people: People, reader: Reader
    ) -> tuple[bytes, SentView | None]:
        """Return the message that shows the match to a reader, and the base for later changes."""
        self._forget_old(shown.snapshot, people)
        if reader.seat is not None:
            return self._view(shown, people, reader)
        key = (language.active(), reader)
        return self._cache_once(key, lambda: self._view(shown, people, reader))

    def here(self, shown: ShownMatch, people: People) -> bytes:
        """Return the message that says who is at the table."""
        self._forget_old(shown.snapshot, people)

        def encode_presence() -> bytes:
            seats = queries.presences(shown.snapshot, people, shown.now)
            return encode({"type": "here", "seats": seats})

        return self._cache_once("here", encode_presence)

    def _cache_once(self, key: object, make: Callable[[], T]) -> T:
        if (known := self._made.get(key)) is None:
            known = self._made[key] = make()
        return cast(T, known)

    def _forget_old(self, snapshot: store.Snapshot, people: People) -> None:
        now = time.monotonic()
        same = self._of and self._of[0] is snapshot and self._of[1] == people
        if not same or now - self._made_at > FRESH_SECONDS:
            self._made.clear()
            self._of, self._made_at = (snapshot, people), now

    def _view(
        self, shown: ShownMatch, people: People, reader: Reader
    ) -> tuple[bytes, SentView | None]:
        version, shared = shown.snapshot.version, self._get_shared_part(shown, people)
        own = _build_own_part(shown, shared, reader)
        events = queries.list_events(shown.snapshot, reader.seat, reader.since)
        if not reader.changes:
            return self._encode_whole_view(version, shared, own, events), None
        edition = SentView(version, shared, _split_own_part(own), own["own_lines"])
        if reader.had is None:
            return self._encode_whole_view(version, shared, own, events), edition
        return self._encode_difference(reader.had, edition, [*own], events), edition

    def _get_shared_part(self, shown: ShownMatch, people: People) -> Shared:
        key = ("shared", language.active())
        return self._cache_once(key, lambda: queries.shared_part(shown.snapshot, people, shown.now))

    def _encode_whole_view(
        self, version: int, shared: Shared, own: PersonalPart, events: list[Event]
    ) -> bytes:
        view = self._cache_once(("whole", language.active()), lambda: _encode_values(shared))
        message = {"type": "view", "version": version, "view": {**view, **own}, "events": events}
        return encode(message)

    def _encode_difference(
        self, had: SentView, new: SentView, keys: list[str], events: list[Event]
    ) -> bytes:
        _kept, (view, seats, log) = self._cache_once(
            ("changes", id(had.shared)),
            # Keeping the old view prevents another object from getting its id.
            lambda: (had.shared, _encode_changes(shared_changes(had.shared, new.shared))),
        )
        lines = own_lines_added(had.own_lines, new.own_lines, new.shared["log"])
        pairs = zip(keys, had.own, new.own, strict=True)
        own: dict[str, object] = {key: _wrap_part(now) for key, was, now in pairs if was != now}
        if lines is None:
            own["own_lines"] = new.own_lines
        return encode(
            {
                "type": "changes",
                "version": new.version,
                "since": had.version,
                "view": {**view, **own},
                "seats": seats,
                "log": log,
                "own_lines": lines or {},
                "events": events,
            }
        )


def _build_own_part(shown: ShownMatch, shared: Shared, reader: Reader) -> PersonalPart:
    """Build the reader's own part of the view.

    A reader of changes gets the reason why a card does not fit only in the reader's own turn.
    """
    snapshot, seat = shown.snapshot, reader.seat
    own = queries.own_part(
        snapshot,
        seat,
        shown.now,
        controls=reader.controls,
        stream=shown.stream,
        terse=reader.changes,
    )
    return queries.add_coaching(snapshot, shared, own)


def _split_own_part(own: PersonalPart) -> tuple[object, ...]:
    """Return the value of each key, with lists and objects as JSON, which takes less room.

    The exception is `own_lines`, which is compared line by line.
    """
    looked_at = {**own, "own_lines": None}
    return tuple(
        # Copied, because the encoder's result reserves kilobytes.
        memoryview(encode(value)).tobytes() if isinstance(value, list | dict) else value
        for value in looked_at.values()
    )


def _wrap_part(part: object) -> object:
    """Wrap a part of an edition, so that it can be encoded into a message."""
    return Fragment(part) if isinstance(part, bytes) else part


def _encode_values(values: Mapping[str, object]) -> dict[str, Fragment]:
    return {key: Fragment(encode(value)) for key, value in values.items()}


def _encode_changes(changes: SharedChanges) -> tuple[dict[str, Fragment], Fragment, Fragment]:
    """`view`, `seats` and `log` of a message about changes."""
    seats, log = Fragment(encode(changes.seats)), Fragment(encode(changes.log))
    return _encode_values(changes.view), seats, log
