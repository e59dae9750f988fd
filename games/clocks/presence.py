"""Who is at the table: whose sockets are open, at which process, and which of them controls.

All of it lives in `Seat`, so every process can tell, and is written when somebody comes or goes:
the process that has a player's socket says so (`Seat.here`) until the socket is closed or silent.
What is kept at a process that died is found by its beat (liveness/lost_processes.py). Of two
windows of one player the one that connected or acted last controls; the other is told.
"""

import threading
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

from django.db.models import Q
from django.utils import timezone

from games.models import Seat
from games.process.parts import Part
from games.seats import Holder, SeatNumber
from games.stored.among import match_any

# Clients ping every 2.5 s: who is not heard for so long is shown as gone.
GONE_SECONDS = 9.0
# So long from the start of a match who has not come yet may be on the way: nobody is absent yet.
COMING_SECONDS = 60.0
# Who plays without a socket, as in the demo, says so as often as this.
HEARTBEAT_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class PresentPlayer:
    """A seat's player, as far as presence goes; `seen_at` of who is here is when it was read."""

    holder: Holder
    seen_at: datetime | None
    controller: str
    here: str = ""

    def present(self, now: datetime) -> bool:
        return self.seen_at is not None and self.gone_seconds(now) is None

    @property
    def gone_at(self) -> datetime | None:
        """When the player counts as gone if not heard again; None before ever."""
        return self.seen_at + timedelta(seconds=GONE_SECONDS) if self.seen_at else None

    def gone_seconds(self, now: datetime) -> int | None:
        """Whole seconds since the player was last heard; None while present and before ever."""
        seconds = (now - self.seen_at).total_seconds() if self.seen_at and not self.here else 0
        return int(seconds) if seconds > GONE_SECONDS else None

    def time_to_arrive(self, started: datetime | None, now: datetime) -> timedelta:
        """For how much longer who was never here in a match may be on the way; none for others."""
        if self.seen_at is not None or started is None:
            return timedelta(0)
        return max(timedelta(0), started + timedelta(seconds=COMING_SECONDS) - now)


People = dict[SeatNumber, PresentPlayer]


class PresenceBook(Part):
    """What a process last read of who is at the tables; kept for matches with sockets here.

    `refresh`, `arrive` and `leave` use the database and answer with the matches where somebody
    has come or gone; the others don't.
    """

    def __init__(self) -> None:
        self._known: dict[int, People] = {}
        # Who was present in each match when it was last read.
        self._shown: dict[int, set[SeatNumber]] = {}
        # Which reading a match's people are of: threads that began later may be done first.
        self._numbers, self._read = count(), dict[int, int]()
        self._lock = threading.Lock()

    def people_of(self, match: int) -> People:
        """The people of a match, by seat number, as of the last `refresh`."""
        return self._known.get(match, {})

    def refresh(self, matches: Collection[int]) -> list[int]:
        """Read the people of these matches, in one query; where somebody has come or gone."""
        number = next(self._numbers)
        found = people(matches)
        with self._lock:
            newer = [match for match in matches if number > self._read.get(match, -1)]
            self._read.update(dict.fromkeys(newer, number))
            self._known.update({match: found[match] for match in newer})
        return self.list_changed(matches)

    def list_changed(self, matches: Collection[int]) -> list[int]:
        """Where somebody has come or gone since this was asked: who has left counts as gone only
        a while later."""
        now = timezone.now()
        present = {match: _list_present_seats(self.people_of(match), now) for match in matches}
        flipped = [match for match in matches if present[match] != self._shown.get(match, set())]
        self._shown.update(present)
        return flipped

    def forget_others(self, matches: Collection[int]) -> None:
        """Keep what is known of these matches alone."""
        for match in self._known.keys() - set(matches):
            self._known.pop(match, None)
            self._shown.pop(match, None)
            self._read.pop(match, None)

    def arrive(self, match: int, seat: int, process: str, controller: str = "") -> list[int]:
        """A socket of the seat (by key) is open at this process; it may control the seat now."""
        fields = {"controller": controller} if controller else {}
        Seat.objects.filter(pk=seat).update(here=process, seen_at=timezone.now(), **fields)
        return self.refresh([match])

    def leave(self, seats: Collection[int], process: str, matches: Collection[int]) -> list[int]:
        """These seats (by key) of these matches have no socket at this process any more.

        They have not been heard for GONE_SECONDS as the process counts them, however long that
        took it: what it was late itself is not told of anybody. Whoever came to another process
        meanwhile stays.
        """
        then = timezone.now() - timedelta(seconds=GONE_SECONDS)
        gone = Seat.objects.filter(pk__in=seats, here=process)
        gone.update(here="", seen_at=then)
        return self.refresh(matches)


class Attendance(Part):
    """Whom a process has heard at which seat (by key), and how many of its sweeps ago.

    Sweeps are late when the process is, and in each it has read all that had come: so nobody is
    gone because the process is slow.
    """

    def __init__(self) -> None:
        self.sweeps = 0
        self._heard: dict[int, tuple[int, int]] = {}

    def note(self, match: int, seat: int, silent_for: int) -> None:
        """A socket of this seat has been silent for so many sweeps."""
        heard = self.sweeps - silent_for
        if heard > self._heard.get(seat, (0, -1))[1]:
            self._heard[seat] = (match, heard)

    def silent(self, sweeps: int) -> dict[int, int]:
        """Seats that were not heard for more than so many, with their matches."""
        since = self.sweeps - sweeps
        return {seat: match for seat, (match, heard) in self._heard.items() if heard < since}

    def forget(self, seats: Collection[int]) -> None:
        for seat in seats:
            self._heard.pop(seat, None)


def _list_present_seats(people: People, now: datetime) -> set[SeatNumber]:
    return {number for number, person in people.items() if person.present(now)}


def people(matches: Collection[int]) -> dict[int, People]:
    """The people of these matches by match and seat number, from the database."""
    found: dict[int, People] = {match: {} for match in matches}
    now = timezone.now()
    rows = Seat.objects.filter(~Q(guest="") | Q(user__isnull=False), match__in=match_any(matches))
    columns = ("match_id", "number", "user_id", "guest", "seen_at", "controller", "here")
    for match, number, user, guest, seen_at, controller, here in rows.values_list(*columns):
        found[match][number] = PresentPlayer(
            user or guest, now if here else seen_at, controller, here
        )
    return found


def mark_heard(seats: Collection[int]) -> None:
    """The players of these seats (by key) were heard just now, by no socket of a process."""
    Seat.objects.filter(pk__in=seats).update(seen_at=timezone.now())
