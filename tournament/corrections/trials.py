"""Doing something in earnest to see what comes of it; nothing of it stays."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction

from tournament.common.locks import lock_event
from tournament.models import Event
from tournament.stages.places import Placed

# The name, and the rank before and after.
Moved = tuple[str, int, int]
# What is done inside a trial, to its event.
Deed = Callable[[Event], object]


@dataclass(frozen=True)
class Consequences:
    """What a trial has shown. `ranks` of the stage that change; `points` of a table's seats as
    (name, before, after), None where there are none; the rest in `sentences`."""

    sentences: list[str]
    ranks: list[Moved]
    points: Sequence[tuple[str, int | None, int | None]] = ()


@contextmanager
def trial(event: Event) -> Iterator[Event]:
    """Inside, services do what they do, at once and whoever has to confirm it; then all of it is
    rolled back, before anybody hears of it. The event is locked meanwhile.

    Refused as what is done inside.
    """
    with transaction.atomic():
        event = lock_event(event)
        Event.objects.filter(pk=event.pk).update(second_person=Event.SecondPerson.OFF)
        yield event
        transaction.set_rollback(True)


def list_moved(before: Iterable[Placed], after: Iterable[Placed]) -> list[Moved]:
    """Whose place is another."""
    old = {each.player: each.place for each in before}
    ranks = [(each.row.name, old.get(each.player, each.place), each.place) for each in after]
    return [each for each in ranks if each[1] != each[2]]


def exchange(before: Mapping[int, str], after: Mapping[int, str]) -> tuple[list[str], list[str]]:
    """The names of who has gone, and of who has come; nobody where nobody was before."""
    if not before:
        return [], []
    gone = [name for pk, name in before.items() if pk not in after]
    return gone, [name for pk, name in after.items() if pk not in before]
