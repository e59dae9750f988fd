"""Rounds that were closed without play. They do not count.

A round that was started or closed by mistake does not use up a planned round, and its players do
not count as having met.
"""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from games import facts
from games.models import Match
from tournament.models import Event, Result, Round, Stage


def find_unplayed_rounds(scope: Event | Stage) -> set[int]:
    """Return the keys of closed rounds in which no one has played and no result counts."""
    path = "stage__event" if isinstance(scope, Event) else "stage"
    return set(
        _select_unplayed_rounds(Round.objects.filter(**{path: scope})).values_list("pk", flat=True)
    )


def _select_unplayed_rounds(rounds: QuerySet[Round]) -> QuerySet[Round]:
    acted = facts.filter_played(Match.objects.filter(event_table__round=OuterRef("pk")))
    counting = Result.objects.filter(table__round=OuterRef("pk"), state=Result.State.CONFIRMED)
    closed = rounds.filter(state=Round.State.CLOSED)
    return closed.exclude(Q(Exists(acted)) | Q(Exists(counting)))


def count_earlier_rounds(stage: Stage, number: int) -> int:
    """Count the stage's rounds before this number, except unplayed rounds."""
    if number == 1:
        return 0
    rounds: Iterable[Round] = stage.rounds.filter(number__lt=number)
    left_out = find_unplayed_rounds(stage)
    return sum(played.pk not in left_out for played in rounds)
