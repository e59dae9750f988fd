"""Choosing a reserve for the seat of a missing player."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models import Event, Registration, Round, Stage
from tournament.people.presence import is_present, make_presence_condition
from tournament.seating.queries import build_current_problem, list_entrants, list_seated

State = Registration.State


class ReserveSource(TextChoices):
    """Where a reserve comes from."""

    BYE = "bye"
    LATE = "late"
    LIST = "list"


@dataclass(frozen=True)
class Reserve:
    registration: Registration
    source: ReserveSource

    @property
    def sentence(self) -> str:
        """A sentence that names the reserve and gives the reason for the choice."""
        text = {
            ReserveSource.BYE: _("{name} had a bye and will play instead."),
            ReserveSource.LATE: _("{name} is checked in without a seat and will play instead."),
            ReserveSource.LIST: _(
                "{name} is first on the waitlist and will get a spot and play instead."
            ),
        }
        return text[self.source].format(name=self.registration.name)


def find_reserve(round_: Round) -> Reserve | None:
    """Return the reserve for the round, or None if there is none.

    Players with a bye are preferred, then present players without a seat, then the first player on
    the waitlist. Among players with a bye, present players come first, then those who have sat out
    the most rounds. Brackets have no reserves, because seats are earned.
    """
    if round_.stage.format == Stage.Format.BRACKET:
        return None
    byes = _list_players_with_bye(round_)
    if byes:
        return Reserve(byes[0], ReserveSource.BYE)
    if late := _list_players_without_seat(round_):
        return Reserve(late[0], ReserveSource.LATE)
    first = _find_first_on_waitlist(round_.stage.event) if round_.stage.number == 1 else None
    return Reserve(first, ReserveSource.LIST) if first else None


def _list_players_with_bye(round_: Round) -> Sequence[Registration]:
    now, history = timezone.now(), build_current_problem(round_).history
    rows = Registration.objects.filter(pk__in=round_.seating.byes, state=State.APPROVED)

    def sort_key(registration: Registration) -> tuple[bool, int, int]:
        sat_out = sum(registration.pk in past.byes for past in history)
        return not is_present(registration, now), -sat_out, registration.queue_number

    return sorted(rows.filter(absent_at=None), key=sort_key)


def _list_players_without_seat(round_: Round) -> Sequence[Registration]:
    taken = {pk for table in list_seated(round_) for pk in table} | set(round_.seating.out)
    return [
        player for player in list_entrants(round_.stage, round_.number) if player.pk not in taken
    ]


def _find_first_on_waitlist(event: Event) -> Registration | None:
    """Return the first player on the waitlist.

    If the event has check-in, only players who are present count.
    """
    waiting = event.registrations.filter(make_presence_condition(event), state=State.WAITLIST)
    return waiting.order_by("queue_number").first()
