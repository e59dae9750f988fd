"""Presence at an event, and the current status of each participant."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from tournament.models import Event, Registration, Round, TableSeat
from tournament.pure import alphabet
from tournament.pure.search import matches_person

State = Registration.State
# Statuses of approved players, most specific first. For other players, the status is the state of
# the registration.
PLAYING, ABSENT, CHECKED_IN = "playing", "absent", "checked-in"
PARTS: dict[str, str | Promise] = {
    PLAYING: pgettext_lazy("a player", "playing now"),
    ABSENT: gettext_lazy("absent"),
    CHECKED_IN: gettext_lazy("checked in"),
}
BADGES = {
    PLAYING: "live",
    ABSENT: "bad",
    CHECKED_IN: "good",
    State.APPROVED: "good",
    State.PENDING: "live",
    State.REFUSED: "bad",
    State.DISQUALIFIED: "bad",
}
# Open pages of the event report every 15 seconds, and the time is stored every 30 seconds.
OPEN_SECONDS = 75


@dataclass(frozen=True)
class Attendee:
    """A registration with its current status in the event.

    * `here`: whether the player is at the door or at a table.
    * `part`: a key of PARTS, or the state of the registration.
    """

    registration: Registration
    part: str
    here: bool

    @property
    def text(self) -> str:
        return str(PARTS.get(self.part) or self.registration.get_state_display())

    @property
    def badge(self) -> str:
        return BADGES.get(self.part, "")


def make_attendee(registration: Registration, playing: Collection[int]) -> Attendee:
    """Return the registration with its status.

    `playing` is the result of `find_playing` for the event.
    """
    part = _find_part(registration, playing)
    here = part == PLAYING or (
        registration.checked_in_at is not None and registration.absent_at is None
    )
    return Attendee(registration, part, here)


def _find_part(registration: Registration, playing: Collection[int]) -> str:
    if registration.state != State.APPROVED:
        return registration.state
    if registration.pk in playing:
        return PLAYING
    if registration.absent_at:
        return ABSENT
    return CHECKED_IN if registration.checked_in_at else State.APPROVED


def find_playing(event: Event) -> set[int]:
    """Return the ids of the registrations with a seat in a running round."""
    seats = TableSeat.objects.filter(
        table__round__stage__event=event, table__round__state=Round.State.RUNNING
    )
    return set(seats.exclude(registration=None).values_list("registration_id", flat=True))


def is_playing() -> Exists:
    """Return a query expression that is true for registrations with a seat in a running round."""
    seats = TableSeat.objects.filter(registration=OuterRef("pk"))
    return Exists(seats.filter(table__round__state=Round.State.RUNNING))


def list_attendees(event: Event) -> list[Attendee]:
    """Return all participants: missing players first, then by name."""
    playing = find_playing(event)
    rows = event.registrations.filter(Registration.TAKES_PART).order_by("name")
    return sorted(
        (make_attendee(row, playing) for row in rows), key=lambda row: not is_missing(row)
    )


def filter_attendees(rows: Iterable[Attendee], words: str, show: str) -> list[Attendee]:
    """Return the attendees whose name or roll number matches the words, by name.

    `show` is "missing" or "here". Any other value shows everyone.
    """
    matching = [
        row
        for row in rows
        if matches_person(words, row.registration.name, row.registration.roll_number)
        and _is_shown(row, show)
    ]
    return sorted(matching, key=lambda row: alphabet.name_sort_key(row.registration.name))


def _is_shown(row: Attendee, show: str) -> bool:
    if show == "missing":
        return is_missing(row)
    return row.here or show != "here"


def is_missing(row: Attendee) -> bool:
    """Return whether the player has a spot, but is neither here nor marked as absent."""
    return row.part == State.APPROVED


@dataclass(frozen=True)
class AttendanceCounts:
    """Numbers of players with a spot, by presence.

    `waiting` is the number of players who have no spot yet.
    """

    placed: int
    here: int
    missing: int
    absent: int
    waiting: int


def count_attendees(rows: Collection[Attendee]) -> AttendanceCounts:
    placed = [row for row in rows if row.registration.state == State.APPROVED]
    return AttendanceCounts(
        placed=len(placed),
        here=sum(row.here for row in placed),
        missing=sum(is_missing(row) for row in placed),
        absent=sum(row.part == ABSENT for row in placed),
        waiting=len(rows) - len(placed),
    )


def count_present(event: Event) -> AttendanceCounts | None:
    """Return the counts if the event seats only players who have checked in, else None."""
    return count_attendees(list_attendees(event)) if event.asks_presence else None


def select_present(event: Event) -> Q:
    """Return a query condition for the registrations to seat in future rounds.

    Players must not be marked as absent. If the event requires check-in, they must have checked
    in.
    """
    here = Q(absent_at=None)
    return here & Q(checked_in_at__isnull=False) if event.asks_presence else here


def has_page_open(registration: Registration, now: datetime) -> bool:
    """Return whether the player's device has a page of the event open."""
    since = now - timedelta(seconds=OPEN_SECONDS)
    return registration.seen_at is not None and registration.seen_at > since


@dataclass(frozen=True)
class MissingPlayers:
    """The players of one table who have not arrived yet."""

    table: int
    names: list[str]


@dataclass(frozen=True)
class Gathering:
    """The arrival of players before a published round starts.

    `waits` has the tables where players are missing.
    """

    here: int
    seats: int
    waits: list[MissingPlayers]


def find_gathering(round_: Round, now: datetime | None = None) -> Gathering | None:
    """Return which players of a round have arrived, or None if the round is not published."""
    if round_.state != Round.State.PUBLISHED:
        return None
    now = now or timezone.now()
    rows = TableSeat.objects.filter(table__round=round_).exclude(registration=None)
    seats = list(rows.select_related("table", "registration").order_by("table__number", "number"))
    missing: dict[int, list[str]] = {}
    for seat in seats:
        if not is_present(seat.registration, now):
            missing.setdefault(seat.table.number, []).append(str(seat))
    waits = [MissingPlayers(number, names) for number, names in missing.items()]
    return Gathering(len(seats) - sum(len(each.names) for each in waits), len(seats), waits)


def is_present(registration: Registration | None, now: datetime) -> bool:
    """Return whether the player has checked in or has the site open. Bots are always present."""
    if registration is None:
        return True
    if registration.absent_at is not None:
        return False
    return registration.checked_in_at is not None or has_page_open(registration, now)
