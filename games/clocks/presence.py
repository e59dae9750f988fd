"""Presence at the tables: open sockets, their processes, and the window in control.

Presence is stored in `Seat`, where every process can read it. The process with a player's socket
stores its key in `Seat.here`, and clears it when the socket closes or falls silent. If a process
dies, another one notices the missing heartbeat and clears its entries (liveness/lost_processes.py).
If a player has two windows, the one that connected or acted last is in control. The other one shows
a notice.
"""

import secrets
import threading
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

from django.db.models import Q
from django.utils import timezone

from games.json_values.key_lists import match_any
from games.models import Seat
from games.process import KEY
from games.process.components import Component
from games.seats import Holder, SeatNumber

# Clients ping every 2.5 s. A player who is silent for this long is shown as gone.
GONE_SECONDS = 9.0
# A player who has not connected yet counts as on the way for this long after the start, and as
# absent after that.
COMING_SECONDS = 60.0
# Interval at which a player without a socket, as in the demo, is reported as present.
HEARTBEAT_SECONDS = 3.0
# Character that marks the socket key of a polling client. It replaces the first digit after the
# process's key.
POLLED = "~"


def make_socket_key(process: str, *, polled: bool = False) -> str:
    """Return a new key for a socket of this process. It fits into `Seat.controller`."""
    token = secrets.token_hex(5)
    return process + (POLLED + token[1:] if polled else token)


@dataclass(frozen=True, slots=True)
class PresentPlayer:
    """Presence of the player at a seat.

    If the player has an open socket, `seen_at` is the time at which the row was read.
    """

    holder: Holder
    seen_at: datetime | None
    controller: str
    here: str = ""

    def is_present(self, now: datetime) -> bool:
        return self.seen_at is not None and self.silent_seconds(now) is None

    @property
    def polled(self) -> bool:
        """True if the window in control uses polling."""
        return self.controller[KEY : KEY + 1] == POLLED

    @property
    def gone_at(self) -> datetime | None:
        """Time at which the player counts as gone if no further message arrives.

        None for a player who has never connected.
        """
        return self.seen_at + timedelta(seconds=GONE_SECONDS) if self.seen_at else None

    def silent_seconds(self, now: datetime) -> int | None:
        """Return the number of whole seconds for which an absent player has been silent.

        Returns None for a player who is present or has never connected.
        """
        seconds = (now - self.seen_at).total_seconds() if self.seen_at and not self.here else 0
        return int(seconds) if seconds > GONE_SECONDS else None

    def time_to_arrive(self, started: datetime | None, now: datetime) -> timedelta:
        """Return for how much longer a player who has never connected counts as on the way.

        Returns zero for any other player.
        """
        if self.seen_at is not None or started is None:
            return timedelta(0)
        return max(timedelta(0), started + timedelta(seconds=COMING_SECONDS) - now)


People = dict[SeatNumber, PresentPlayer]


class PresenceBook(Component):
    """Presence at this process's tables, as last read from the database.

    Only `refresh`, `arrive` and `leave` use the database. They return the matches where a player
    has arrived or left.
    """

    def __init__(self) -> None:
        self._people: dict[int, People] = {}
        # The seats in each match whose players were present at the last check.
        self._present: dict[int, set[SeatNumber]] = {}
        # Readings are numbered, because one that begins later may finish first.
        self._reading_numbers, self._last_readings = count(), dict[int, int]()
        self._lock = threading.Lock()

    def people_of(self, match: int) -> People:
        """Return the players of a match by seat number, as of the last `refresh`."""
        return self._people.get(match, {})

    def refresh(self, matches: Collection[int]) -> list[int]:
        """Read the players of these matches from the database, using one query.

        Returns the matches where a player has arrived or left.
        """
        number = next(self._reading_numbers)
        people_by_match = load_people(matches)
        with self._lock:
            newer = [match for match in matches if number > self._last_readings.get(match, -1)]
            self._last_readings.update(dict.fromkeys(newer, number))
            self._people.update({match: people_by_match[match] for match in newer})
        return self.list_changed(matches)

    def list_changed(self, matches: Collection[int]) -> list[int]:
        """Return the matches where a player has arrived or left since the last call.

        A player who has left counts as gone only after GONE_SECONDS.
        """
        now = timezone.now()
        present = {match: _list_present_seats(self.people_of(match), now) for match in matches}
        flipped = [match for match in matches if present[match] != self._present.get(match, set())]
        self._present.update(present)
        return flipped

    def keep_only(self, matches: Collection[int]) -> None:
        """Forget all matches except these."""
        for match in self._people.keys() - set(matches):
            self._people.pop(match, None)
            self._present.pop(match, None)
            self._last_readings.pop(match, None)

    def arrive(self, match: int, seat: int, process: str, controller: str = "") -> list[int]:
        """Record that a socket of the seat with this primary key is open in this process.

        If `controller` is given, that socket now controls the seat. Returns the matches where a
        player has arrived or left.
        """
        fields = {"controller": controller} if controller else {}
        Seat.objects.filter(pk=seat).update(here=process, seen_at=timezone.now(), **fields)
        return self.refresh([match])

    def leave(self, seats: Collection[int], process: str, matches: Collection[int]) -> list[int]:
        """Record that the seats with these primary keys no longer have a socket in this process.

        The players count as last heard from GONE_SECONDS ago, even if a slow process noticed their
        silence later than that. Players who have connected to another process are unaffected.
        Returns the matches where a player has arrived or left.
        """
        last_heard = timezone.now() - timedelta(seconds=GONE_SECONDS)
        gone = Seat.objects.filter(pk__in=seats, here=process)
        gone.update(here="", seen_at=last_heard)
        return self.refresh(matches)


class Attendance(Component):
    """Record of the sweep in which this process last heard from each seat, by primary key.

    Silence is counted in sweeps. A slow process sweeps late, but by then it has read all messages
    that have arrived. No player therefore counts as gone merely because the process is slow.
    """

    def __init__(self) -> None:
        self.sweeps = 0
        self._heard: dict[int, tuple[int, int]] = {}

    def record_silence(self, match: int, seat: int, silent_sweeps: int) -> None:
        """Record that a socket of this seat has been silent for `silent_sweeps` sweeps."""
        sweep = self.sweeps - silent_sweeps
        if sweep > self._heard.get(seat, (0, -1))[1]:
            self._heard[seat] = (match, sweep)

    def silent_seats(self, sweeps: int) -> dict[int, int]:
        """Return the match of each seat that has been silent for more than `sweeps` sweeps."""
        since = self.sweeps - sweeps
        return {seat: match for seat, (match, sweep) in self._heard.items() if sweep < since}

    def forget(self, seats: Collection[int]) -> None:
        for seat in seats:
            self._heard.pop(seat, None)


def _list_present_seats(people: People, now: datetime) -> set[SeatNumber]:
    return {number for number, person in people.items() if person.is_present(now)}


def load_people(matches: Collection[int]) -> dict[int, People]:
    """Read the players of these matches from the database, by match and seat number."""
    people_by_match: dict[int, People] = {match: {} for match in matches}
    now = timezone.now()
    rows = Seat.objects.filter(~Q(guest="") | Q(user__isnull=False), match__in=match_any(matches))
    columns = ("match_id", "number", "user_id", "guest", "seen_at", "controller", "here")
    for match, number, user, guest, seen_at, controller, here in rows.values_list(*columns):
        people_by_match[match][number] = PresentPlayer(
            user or guest, now if here else seen_at, controller, here
        )
    return people_by_match


def record_presence(seats: Collection[int]) -> None:
    """Record that the players of the seats with these primary keys are present now.

    Used only for players without a socket.
    """
    Seat.objects.filter(pk__in=seats).update(seen_at=timezone.now())
