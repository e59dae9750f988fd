"""Trial runs: services act in a transaction that is rolled back.

They show the effect of an action before it is taken.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from tournament.common.locks import lock_event
from tournament.models import Event
from tournament.stages.places import PlayerPlace
from tournament.stages.winners import Winner

# A player's name, old rank and new rank. A disqualified player has no rank.
RankChange = tuple[str, int | None, int | None]
# An action to perform on the event inside a trial.
TrialAction = Callable[[Event], object]


@dataclass(frozen=True)
class Consequences:
    """The effect of an action, as found by a trial run.

    * `sentences`: the effects other than changed ranks and points.
    * `ranks`: the changed ranks in the stage.
    * `points`: (name, old points, new points) for each seat of a table. Missing points are None.
    """

    sentences: list[str]
    ranks: list[RankChange]
    points: Sequence[tuple[str, int | None, int | None]] = ()


@contextmanager
def trial(event: Event) -> Iterator[Event]:
    """Run services as a trial, and roll back all changes at the end.

    Services called in the context act immediately, without a second organizer, and send no
    messages. The event is locked during the trial. Raises RefusedError like the services.
    """
    with transaction.atomic():
        event = lock_event(event)
        Event.objects.filter(pk=event.pk).update(second_person=Event.SecondPerson.OFF)
        yield event
        transaction.set_rollback(True)


def list_rank_changes(
    before: Iterable[PlayerPlace], after: Iterable[PlayerPlace]
) -> list[RankChange]:
    """Return the players whose place has changed, with their old and new places."""
    old = {each.player: each.rank for each in before}
    ranks = [(each.row.name, old.get(each.player, each.rank), each.rank) for each in after]
    return [each for each in ranks if each[1] != each[2]]


def describe_new_winner(event: Event, old: Winner | None, new: Winner | None) -> list[str]:
    """Describe the change of the event's winner, or return [] if the winner stays the same."""
    if new is None or (old and old.shared == new.shared):
        return []
    sentence = _("{names} would win the event.").format(names=new.name)
    if old:
        text = _("{names} would win the event instead of {others}.")
        sentence = text.format(names=new.name, others=old.name)
    if event.state == Event.State.FINISHED:
        warning = _("The winner has been announced, so everyone would see the change immediately.")
        return [f"{sentence} {warning}"]
    return [sentence]


def compare_players(
    before: Mapping[int, str], after: Mapping[int, str]
) -> tuple[list[str], list[str]]:
    """Return the names of removed players, and of added players.

    Both lists are empty if `before` is empty.
    """
    if not before:
        return [], []
    removed = [name for pk, name in before.items() if pk not in after]
    return removed, [name for pk, name in after.items() if pk not in before]
