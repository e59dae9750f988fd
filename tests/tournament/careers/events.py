"""Short events of one table in which a given user has a given place."""

from typing import Any

from tests.tournament.helpers import (
    finish_paper_round,
    first_stage,
    make_organized_event,
    start_drafted_round,
)
from tests.tournament.staging import first_table, organizer_of
from tests.typed import sure
from tournament.advancing.services import announce_winner
from tournament.models import Event, Registration, User
from tournament.seating.services import seat_round


def make_short_event(players: int, **fields: Any) -> tuple[Event, User]:
    """Create an event of a single round, which decides it."""
    event, organizer = make_organized_event(players, **fields)
    event.stages.exclude(number=1).delete()
    event.stages.update(rounds_planned=1)
    return event, organizer


def make_event_with_place(user: User, *, place: int = 1, **fields: Any) -> Event:
    """Play an event with one table, and give the user this place at it.

    The winner is not announced yet.
    """
    event, organizer = make_short_event(4, **fields)
    seat_user(event, user)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer)
    table = first_table(played)
    own = table.seats.get(registration__user=user).number
    others = [points for n, points in enumerate((400, 300, 200, 100), 1) if n != place]
    others.insert(own, (400, 300, 200, 100)[place - 1])
    finish_paper_round(played, organizer, others)
    return Event.objects.get(pk=event.pk)


def seat_user(event: Event, user: User) -> Registration:
    """Let the user replace the event's first player."""
    one = sure(event.registrations.order_by("queue_number").first())
    one.user, one.name = user, user.display_name
    one.save()
    return one


def make_announced_event(user: User, **fields: Any) -> Event:
    event = make_event_with_place(user, **fields)
    announce_winner(event, organizer_of(event))
    return Event.objects.get(pk=event.pk)
