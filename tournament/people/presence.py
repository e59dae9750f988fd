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
# Statuses of approved players, in order of precedence. The status of other players is the state of
# their registration.
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
# A page counts as open for this many seconds after its last report. Open pages report every 15
# seconds, but the time is stored only every 30 seconds.
OPEN_SECONDS = 75


@dataclass(frozen=True)
class Attendee:
    """A registration with the player's current status in the event.

    * `part`: a key of PARTS, or the state of the registration.
    * `here`: whether the player has checked in or is playing.
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
    """Return the attendee for a registration.

    `playing` is the result of `find_playing_keys` for the event.
    """
    part = _find_status(registration, playing)
    here = part == PLAYING or (
        registration.checked_in_at is not None and registration.absent_at is None
    )
    return Attendee(registration, part, here)


def _find_status(registration: Registration, playing: Collection[int]) -> str:
    if registration.state != State.APPROVED:
        return registration.state
    if registration.pk in playing:
        return PLAYING
    if registration.absent_at:
        return ABSENT
    return CHECKED_IN if registration.checked_in_at else State.APPROVED


def find_playing_keys(event: Event) -> set[int]:
    """Return the ids of the registrations with a seat in a running round."""
    seats = TableSeat.objects.filter(
        table__round__stage__event=event, table__round__state=Round.State.RUNNING
    )
    return set(seats.exclude(registration=None).values_list("registration_id", flat=True))


def make_playing_condition() -> Exists:
    """Return a query expression that is true for registrations with a seat in a running round."""
    seats = TableSeat.objects.filter(registration=OuterRef("pk"))
    return Exists(seats.filter(table__round__state=Round.State.RUNNING))


def list_attendees(event: Event) -> list[Attendee]:
    """Return all participants, sorted by name, with missing players first."""
    playing = find_playing_keys(event)
    rows = event.registrations.filter(Registration.TAKES_PART).order_by("name")
    return sorted(
        (make_attendee(row, playing) for row in rows), key=lambda row: not is_missing(row)
    )


def filter_attendees(rows: Iterable[Attendee], words: str, show: str) -> list[Attendee]:
    """Return the attendees whose name or roll number matches the words, sorted by name.

    `show` is "missing" or "here". Any other value shows everyone.
    """
    matching = [
        row
        for row in rows
        if matches_person(words, row.registration.name, row.registration.roll_number)
        and _matches_filter(row, show)
    ]
    return sorted(matching, key=lambda row: alphabet.name_sort_key(row.registration.name))


def _matches_filter(row: Attendee, show: str) -> bool:
    if show == "missing":
        return is_missing(row)
    return row.here or show != "here"


def is_missing(row: Attendee) -> bool:
    """Return whether the player has a spot, but has neither checked in nor is marked as absent."""
    return row.part == State.APPROVED


@dataclass(frozen=True)
class AttendanceCounts:
    """Numbers of players.

    * `placed`: those with a spot. This is the sum of `here`, `missing` and `absent`.
    * `here`: those who have checked in or are playing.
    * `missing`: those who have neither checked in nor been marked as absent.
    * `absent`: those marked as absent.
    * `waiting`: those without a spot.
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
    """Return the counts, or None if players are seated without checking in."""
    return count_attendees(list_attendees(event)) if event.asks_presence else None


def make_presence_condition(event: Event) -> Q:
    """Return a query condition for the registrations to seat in future rounds.

    These players are not marked as absent. If the event requires check-in, they have checked in.
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
    """The arrival of players between the publication and the start of a round.

    * `here`: the number of players who have arrived.
    * `seats`: the number of players who have seats.
    * `waits`: the tables where players are missing.
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
