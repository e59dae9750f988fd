"""Whose turn it is to take the seat of somebody who has not come."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models import Event, Registration, Round, Stage
from tournament.people.presence import is_there, present
from tournament.seating.queries import entrants, list_seated, problem_of

State = Registration.State


class From(TextChoices):
    """Where a reserve comes from."""

    BYE = "bye"
    LATE = "late"
    LIST = "list"


@dataclass(frozen=True)
class Reserve:
    registration: Registration
    whence: From

    @property
    def sentence(self) -> str:
        """Who comes in, and why it is their turn."""
        text = {
            From.BYE: _("{name} had a bye and will play instead."),
            From.LATE: _("{name} is checked in without a seat and plays instead."),
            From.LIST: _("{name} is first on the waitlist, gets a spot and plays instead."),
        }
        return text[self.whence].format(name=self.registration.name)


def reserve_for(played: Round) -> Reserve | None:
    """Who has a bye, those here before others and who sat out most first; who is here and has no
    seat; who waits longest for a place. None in a bracket, whose chairs are earned, or if nobody.
    """
    if played.stage.format == Stage.Format.BRACKET:
        return None
    byes = _list_with_bye(played)
    if byes:
        return Reserve(byes[0], From.BYE)
    if late := _list_without_seat(played):
        return Reserve(late[0], From.LATE)
    first = _find_first_waiting(played.stage.event) if played.stage.number == 1 else None
    return Reserve(first, From.LIST) if first else None


def _list_with_bye(played: Round) -> Sequence[Registration]:
    now, history = timezone.now(), problem_of(played).history
    rows = Registration.objects.filter(pk__in=played.seating.byes, state=State.APPROVED)

    def sort_key(who: Registration) -> tuple[bool, int, int]:
        sat_out = sum(who.pk in past.byes for past in history)
        return not is_there(who, now), -sat_out, who.queue_number

    return sorted(rows.filter(absent_at=None), key=sort_key)


def _list_without_seat(played: Round) -> Sequence[Registration]:
    taken = {pk for table in list_seated(played) for pk in table} | set(played.seating.out)
    return [who for who in entrants(played.stage, played.number) if who.pk not in taken]


def _find_first_waiting(event: Event) -> Registration | None:
    """The first, of those who have checked in where that is asked."""
    waiting = event.registrations.filter(present(event), state=State.WAITLIST)
    return waiting.order_by("queue_number").first()
