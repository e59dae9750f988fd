"""Winner and podium of an event."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, Registration, Round, Stage
from tournament.models.play import Table
from tournament.pure.ranking import Value, format_value
from tournament.pure.words import join_words
from tournament.results.stages import StageResults, stage_results
from tournament.results.unplayed import find_unplayed_rounds
from tournament.stages.places import PlayerPlace, places

STEPS = 3


def describe_score(points: int, average: Value) -> str:
    """Describe the points that decided a place. `average` is given if points per match did."""
    if average is not None:
        return _("{points} points per match").format(points=format_value(average))
    return ngettext("{n} point", "{n} points", points).format(n=points)


@dataclass(frozen=True)
class Winner:
    """The winner of the event, or the winners who share first place.

    * `registration`: the first of the winners.
    * `name`: the names of all winners.
    * `points`: the points that decided the win.
    * `table`: the table of the final, or None if there was no final.
    * `shared`: all winners.
    * `average`: the points per match if these decided the win, or None.
    """

    registration: Registration
    name: str
    points: int
    table: Table | None
    shared: list[Registration]
    average: Value = None

    @property
    def score(self) -> str:
        """The points that decided the win, such as `320 points`."""
        return describe_score(self.points, self.average)

    @property
    def sentence(self) -> str:
        """A phrase such as `Asha won` or `Asha and Ben share the win`."""
        text = ngettext("{names} won", "{names} share the win", len(self.shared))
        return text.format(names=self.name)


@dataclass(frozen=True)
class Leader:
    """A player in one of the first three places, during or after the event."""

    place: int
    registration: Registration
    points: int
    average: Value = None

    @property
    def figure(self) -> str:
        """The points, or points per match, that decide the place."""
        return format_value(self.points if self.average is None else self.average)


@dataclass(frozen=True)
class PodiumStep:
    """A step of the podium, with all players who share the place.

    * `points`: the points of each player, or 0 if their points differ.
    * `average`: the points per match if these decided the place, or None.
    """

    place: int
    people: list[Registration]
    points: int
    average: Value = None

    @property
    def score(self) -> str:
        """The points that decided the place, or "" if the players' points differ."""
        has_score = self.points or self.average is not None
        return describe_score(self.points, self.average) if has_score else ""


@dataclass(frozen=True)
class Podium:
    """The podium, with up to three steps in order of place. `also` lists the other finalists."""

    steps: list[PodiumStep] = field(default_factory=list)
    also: list[Registration] = field(default_factory=list)


def winner(event: Event) -> Winner | None:
    """Return the winner, or None if the winner is not public."""
    return find_winner(stage_results(event)) if is_announced(event) else None


def is_announced(event: Event) -> bool:
    """Return whether the winner is public.

    That is the case once the organizers have announced the winner, unless the leaderboard is
    frozen.
    """
    return event.state == Event.State.FINISHED and not event.freeze


def podium(event: Event) -> Podium:
    """Return the podium. It has no steps until the winner is announced."""
    if not is_announced(event):
        return Podium()
    results = stage_results(event)
    return build_podium(results, places(results)) if find_winner(results) else Podium()


def build_podium(results: StageResults, placed: list[PlayerPlace]) -> Podium:
    """Build the podium from all places. Players who share a place share a step."""
    leading = leaders(results, placed)
    steps = [
        _make_podium_step(place, list(each))
        for place, each in groupby(leading, lambda leader: leader.place)
    ]
    other_finalists = [
        each.player for each in placed if each.final and each.place > STEPS and not each.out
    ]
    return Podium(steps, [results.registrations[player] for player in other_finalists])


def _make_podium_step(place: int, leaders_sharing: Sequence[Leader]) -> PodiumStep:
    points, averages = (
        {leader.points for leader in leaders_sharing},
        {leader.average for leader in leaders_sharing},
    )
    people = [leader.registration for leader in leaders_sharing]
    average = averages.pop() if len(averages) == 1 else None
    return PodiumStep(place, people, points.pop() if len(points) == 1 else 0, average)


def leaders(results: StageResults, placed: list[PlayerPlace]) -> list[Leader]:
    """Return the players in the first three places, except those who have not played."""
    people = results.registrations
    return [
        Leader(each.place, people[each.player], each.points, each.average)
        for each in placed
        if each.place <= STEPS and not each.out and (each.row.counts or each.first)
    ]


def find_winner(results: StageResults) -> Winner | None:
    """Return the winner by the results of a whole event, or None.

    The winner is the only remaining player. If several remain, it is the winner of the final, or
    the best player of a last stage without a final.
    """
    placed = places(results)
    first = [each for each in placed if each.place == 1 and each.first]
    if not first:
        return None
    people = [results.registrations[each.player] for each in first]
    final = first[0].final
    name = join_words([person.name for person in people])
    table = final.table if final else None
    return Winner(people[0], name, first[0].points, table, people, first[0].average)


def is_decided(event: Event, registration: Registration | None) -> bool:
    """Return whether the event is decided.

    It is decided once the last stage that has players is over: after its final, after all its
    rounds, or when it is closed and no one advances. It is also decided if only one player remains.
    Callers pass that player as `registration`.
    """
    stage = find_deciding_stage(event)
    if registration or stage is None:
        return registration is not None
    if stage.format == Stage.Format.BRACKET:
        return stage.rounds.filter(is_final=True, state=Round.State.CLOSED).exists()
    last = not event.stages.filter(number__gt=stage.number).exists()
    return stage.state == Stage.State.CLOSED or (last and are_all_rounds_played(stage))


def find_deciding_stage(event: Event) -> Stage | None:
    """Return the last stage to which a player has advanced, or the first stage if there is none."""
    entered = Q(number=1) | Q(qualifiers__isnull=False)
    return event.stages.filter(entered).order_by("number").last()


def are_all_rounds_played(stage: Stage) -> bool:
    """Return whether all planned rounds have been played and no round is open."""
    rounds = list(stage.rounds.exclude(state=Round.State.DRAFT))
    closed = {played.pk for played in rounds if played.state == Round.State.CLOSED}
    counting = len(closed - find_unplayed_rounds(stage)) if closed else 0
    return len(closed) == len(rounds) and counting >= stage.rounds_planned
