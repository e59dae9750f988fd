"""Who is at the table: when a player's sockets were last heard, and which of them controls.

Both live in `Seat`, so every process can tell. Of two windows of one player the one that connected
or acted last controls; the other is told.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from games.models import Seat
from games.process.parts import Part
from games.seats import SeatNumber

# Clients ping every 2.5 s; who was heard since the last time is written every HEARTBEAT_SECONDS.
HEARTBEAT_SECONDS = 3.0
GONE_SECONDS = 9.0


@dataclass(frozen=True, slots=True)
class Person:
    """A seat's player, as far as presence goes."""

    user_id: int
    seen_at: datetime | None
    controller: str

    def present(self, now: datetime) -> bool:
        return self.seen_at is not None and self.gone_seconds(now) is None

    @property
    def gone_at(self) -> datetime | None:
        """When the player counts as gone if not heard again; None before ever."""
        return self.seen_at + timedelta(seconds=GONE_SECONDS) if self.seen_at else None

    def gone_seconds(self, now: datetime) -> int | None:
        """Whole seconds since the player was last heard; None while present and before ever."""
        seconds = (now - self.seen_at).total_seconds() if self.seen_at else 0
        return int(seconds) if seconds > GONE_SECONDS else None


People = dict[SeatNumber, Person]


class Presence(Part):
    """What a process last read of who is at the tables; kept for matches with sockets here.

    Those who change something answer like `refresh`: with the matches where somebody has come or
    gone. They use the database; `known` and `forget_others` don't.
    """

    def __init__(self) -> None:
        self._known: dict[int, People] = {}
        # Who was present in each match when it was last read.
        self._shown: dict[int, set[SeatNumber]] = {}

    def known(self, match: int) -> People:
        """The people of a match, by seat number, as of the last `refresh`."""
        return self._known.get(match, {})

    def refresh(self, matches: Collection[int]) -> list[int]:
        """Read the people of these matches, in one query; where somebody has come or gone."""
        now = timezone.now()
        found = people(matches)
        present = {match: _present(found[match], now) for match in matches}
        flipped = [match for match in matches if present[match] != self._shown.get(match, set())]
        self._known.update(found)
        self._shown.update(present)
        return flipped

    def forget_others(self, matches: Collection[int]) -> None:
        """Keep what is known of these matches alone."""
        for match in self._known.keys() - set(matches):
            self._known.pop(match, None)
            self._shown.pop(match, None)

    def come_back(self, match: int, seat: int) -> list[int]:
        """Who counted as gone (the seat by key) was heard just now."""
        heard([seat])
        return self.refresh([match])

    def take_control(self, match: int, seat: int, controller: str) -> list[int]:
        """This socket of the seat (by key) controls it from now on."""
        Seat.objects.filter(pk=seat).update(controller=controller, seen_at=timezone.now())
        return self.refresh([match])


def _present(people: People, now: datetime) -> set[SeatNumber]:
    return {number for number, person in people.items() if person.present(now)}


def people(matches: Collection[int]) -> dict[int, People]:
    """The people of these matches by match and seat number, from the database."""
    found: dict[int, People] = {match: {} for match in matches}
    rows = Seat.objects.filter(match__in=matches, user__isnull=False)
    columns = ("match_id", "number", "user_id", "seen_at", "controller")
    for match, number, *person in rows.values_list(*columns):
        found[match][number] = Person(*person)
    return found


def heard(seats: Collection[int]) -> None:
    """Sockets of these seats (by key) were heard just now."""
    if seats:
        Seat.objects.filter(pk__in=seats).update(seen_at=timezone.now())
