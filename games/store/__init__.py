"""Load and save live matches; only `current` and `commit` access their state.

`commit` is a compare-and-swap: in one transaction, it writes the log row and updates the match,
provided that the match is unchanged since the caller read it. Committed snapshots stay in a bounded
cache of the process, so the next action of the same match reads nothing from the database.
"""

import copy
import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from django.db import connection, transaction
from django.db.models import QuerySet

from games.json_values.deals import Deals
from games.json_values.race import Races
from games.models import Hand, LoggedAction, Match, Seat
from games.process import here
from games.process.components import Component
from games.process.liveness import Liveness
from games.store import statements
from games.store.snapshot import MatchChange, Snapshot, load, reload
from games.store.statements import GroupWriter, Rights, RightsLostError

# Enough for all tables of a large event, because each process has windows of nearly all of them.
# Without the cache, an action would cost 50 % more. A snapshot takes up 13 to 110 kB.
CACHED = 1500
# Number of snapshots whose computed data is cached for all readers.
SNAPSHOTS = 256

Row = TypeVar("Row", Hand, Seat)


class ConflictError(Exception):
    """Another writer has changed the match since it was read."""


class Snapshots(Component):
    """Cache of up to CACHED snapshots in a process, with the locks for loading them."""

    def __init__(self) -> None:
        self._snapshots: OrderedDict[int, Snapshot] = OrderedDict()
        self._lock = threading.Lock()
        self._loading = tuple(threading.Lock() for _ in range(16))
        self.group_writer = GroupWriter()

    def loading_lock(self, match_id: int) -> threading.Lock:
        """Return the lock that lets only one thread at a time load the match."""
        return self._loading[match_id % len(self._loading)]

    def get(self, match_id: int) -> Snapshot | None:
        with self._lock:
            if (snapshot := self._snapshots.get(match_id)) is not None:
                self._snapshots.move_to_end(match_id)
            return snapshot

    def forget(self, match_id: int) -> None:
        with self._lock:
            self._snapshots.pop(match_id, None)

    def put(self, snapshot: Snapshot) -> None:
        """Cache the snapshot, unless a newer version or newer claims of the match are cached."""
        with self._lock:
            cached = self._snapshots.get(snapshot.match.pk)
            if cached is not None and cached.match.public_id == snapshot.match.public_id:
                snapshot = max(
                    snapshot,
                    cached,
                    key=lambda candidate: (candidate.version, candidate.match.claims),
                )
            self._snapshots[snapshot.match.pk] = snapshot
            self._snapshots.move_to_end(snapshot.match.pk)
            while len(self._snapshots) > CACHED:
                self._snapshots.popitem(last=False)


def match_topic(match_id: int) -> str:
    """Return the topic that is poked after each new version of the match."""
    return f"match:{match_id}"


def current(match_id: int, at_least: int = 0) -> Snapshot:
    """Return the match from the cache, or load it if it is missing or older than `at_least`.

    A cached snapshot may be older than the database. `commit` detects that.

    Raises Match.DoesNotExist.
    """
    if connection.in_atomic_block:
        return load(match_id)  # uncommitted data must not be cached
    snapshot = find_cached(match_id)
    if snapshot is not None and snapshot.version >= at_least:
        return snapshot
    with here().part(Snapshots).loading_lock(match_id):
        snapshot = find_cached(match_id)
        if snapshot is None or snapshot.version < at_least:
            snapshot = (snapshot and reload(snapshot)) or load(match_id)
            remember(snapshot)
    return snapshot


def find_cached(match_id: int) -> Snapshot | None:
    """Return the match from this process's cache, however old it is, or None."""
    return here().part(Snapshots).get(match_id)


def has_newest_version(match_id: int) -> bool:
    """Return whether the newest version of the match is cached, using one query."""
    snapshot = find_cached(match_id)
    return snapshot is not None and _find_unchanged_match(snapshot.match).exists()


def forget(match_id: int) -> None:
    """Remove the match from the cache, so that it is loaded again when needed."""
    here().part(Snapshots).forget(match_id)


def remember(snapshot: Snapshot) -> None:
    """Cache the snapshot for the next action, unless a newer one is cached."""
    here().part(Snapshots).put(snapshot)


def commit(change: MatchChange) -> Snapshot:
    """Write the change, and return the updated match.

    The new version reaches sockets and the cache only after the outermost transaction commits.

    Raises ConflictError if another change came first, RightsLostError if the author no longer
    has the right to make it, and IntegrityError if the action's client id was used before.
    """
    match = _apply_match_change(change)
    with _open_transaction(change):
        _swap(change, match)
        hands = _write_hands(change)
        snapshot = Snapshot(
            match=match,
            rules=change.old.rules,
            seats=_write_seats(change),
            hands=hands,
            position=change.position,
            actions=_list_logged_actions(change),
            made_here=True,
        )
        transaction.on_commit(lambda: _publish(snapshot, change.notable))
    return snapshot


def set_due_time(snapshot: Snapshot, due: datetime | None) -> None:
    """Change the time at which the match is due, without creating a version."""
    old = snapshot.match
    if _find_unchanged_match(old).update(due=due):
        match = copy.copy(old)
        match.due = due
        remember(replace(snapshot, match=match))


def save_race(snapshot: Snapshot, race: Races, due: datetime | None) -> Snapshot:
    """Save the undecided claims, and the time at which to decide between them.

    This creates no version and sends no poke, because only the next writer needs the claims.

    Raises ConflictError if the match has changed.
    """
    match = copy.copy(snapshot.match)
    match.race, match.due, match.claims = race, due, match.claims + 1
    with _get_writer():
        fields = {"race": race, "due": due, "claims": match.claims}
        if not _find_unchanged_match(snapshot.match).update(**fields):
            raise ConflictError
    noted = replace(snapshot, match=match)
    transaction.on_commit(lambda: _cache_snapshot(noted))
    return noted


def save_deals(snapshot: Snapshot, deals: Deals, due: datetime | None) -> Snapshot:
    """Save the seats' commitments and shares for the deal of the prepared hand.

    This creates no version and sends no poke. Views show the commitments once the list is closed,
    and the shares once the hand is dealt.

    Raises ConflictError if the match has changed.
    """
    match, hand = copy.copy(snapshot.match), snapshot.prepared
    assert hand is not None
    match.due, match.claims, match.parts = due, match.claims + 1, match.parts + 1
    with _get_writer(), transaction.atomic():
        fields = {"due": due, "claims": match.claims, "parts": match.parts}
        if not _find_unchanged_match(snapshot.match).update(**fields):
            raise ConflictError
        written = _write_row(hand, {"deals": deals})
    hands = tuple(written if each is hand else each for each in snapshot.hands)
    noted = replace(snapshot, match=match, hands=hands)
    transaction.on_commit(lambda: _cache_snapshot(noted))
    return noted


def _cache_snapshot(snapshot: Snapshot) -> None:
    remember(snapshot)
    process = here()
    process.part(Liveness).mark_commit()
    process.alarm.note_due_time(snapshot.match.due)


def _find_unchanged_match(match: Match) -> QuerySet[Match]:
    return Match.objects.filter(pk=match.pk, version=match.version, claims=match.claims)


def _can_write_as_group() -> bool:
    """Return whether the database is SQLite and this thread has no open transaction."""
    return connection.vendor == "sqlite" and not connection.in_atomic_block


def _get_writer() -> AbstractContextManager[Any]:
    return here().part(Snapshots).group_writer.writer if _can_write_as_group() else nullcontext()


@contextmanager
def _open_transaction(change: MatchChange) -> Iterator[None]:
    """Open a transaction if the change writes more than the match and its log.

    Otherwise, `_swap` writes the change in a transaction of its own, or as part of a group.
    """
    if change.writes_parts or connection.in_atomic_block:
        with _get_writer(), transaction.atomic():
            yield
    else:
        yield


def _apply_match_change(change: MatchChange) -> Match:
    match = copy.copy(change.old.match)
    if match.race:
        change.match.setdefault("race", Races())  # claims made before this change no longer apply
    if change.position is not change.old.position:
        # the position is stored together with the state
        change.match.setdefault("state", change.old.match.state)
    for name, value in change.match.items():
        setattr(match, name, value)
    match.version += 1
    match.parts += change.writes_parts
    return match


def _swap(change: MatchChange, match: Match) -> None:
    work = partial(_swap_match, change, match)
    # SQLite has one writer, so the changes of several threads are written together.
    swapped = here().part(Snapshots).group_writer.write(work) if _can_write_as_group() else work()
    if not swapped:
        if change.rights is not None:
            change.rights.check()
        raise ConflictError


def _swap_match(change: MatchChange, match: Match) -> bool:
    fields = {**change.match, "version": match.version, "parts": match.parts}
    if "state" in fields:
        position = change.position.to_json() if change.position else None
        fields["state"] = replace(change.state, position=position)
    if change.action is None:
        return statements.swap(change.old.match, fields, change.rights)
    return statements.swap_and_log(change.old.match, fields, change.action, change.rights)


def _write_hands(change: MatchChange) -> tuple[Hand, ...]:
    if not (change.hands or change.new_hands):
        return change.old.hands
    hands = []
    for hand in change.old.hands:
        if fields := change.hands.get(hand.number):
            hand = _write_row(hand, fields)
        hands.append(hand)
    for hand in change.new_hands:
        hand.save(force_insert=True)
    return (*hands, *change.new_hands)


def _write_seats(change: MatchChange) -> tuple[Seat, ...]:
    if not change.seats:
        return change.old.seats
    fields = change.seats
    return tuple(
        _write_row(seat, fields[seat.number]) if seat.number in fields else seat
        for seat in change.old.seats
    )


def _write_row(row: Row, fields: Mapping[str, object]) -> Row:
    """Update these fields in the database, and return a copy of the row with the new values."""
    type(row)._default_manager.filter(pk=row.pk).update(**fields)
    row = copy.copy(row)
    for name, value in fields.items():
        setattr(row, name, value)
    return row


def _list_logged_actions(change: MatchChange) -> tuple[LoggedAction, ...]:
    dealt = any("dealt_at" in fields for fields in change.hands.values())
    before = () if dealt else change.old.actions
    return (*before, change.action) if change.action is not None else before


def _publish(snapshot: Snapshot, notable: bool) -> None:
    remember(snapshot)
    match = snapshot.match
    process = here()
    process.part(Liveness).mark_commit()
    process.hub.poke(match_topic(match.pk), match.version)
    if notable and match.topic:
        process.hub.poke(match.topic)
    process.alarm.note_due_time(match.due)
