"""Who has won an event: decided here alone, whoever asks."""

from dataclasses import dataclass

from django.db.models import Q

from tournament.models import Event, Registration, Round, Stage, Table
from tournament.queries.last_one import last_one
from tournament.queries.results import TableResult
from tournament.queries.shapes import Winner
from tournament.queries.stage_results import StageResults, stage_results
from tournament.queries.unplayed import unplayed
from tournament.words import listed

STEPS = 3


@dataclass(frozen=True)
class Step:
    """Who stands on the podium, or in front so far, and where."""

    place: int
    registration: Registration
    points: int


def winner(event: Event) -> Winner | None:
    """Who won the event, once the organizers have announced it and the leaderboard moves again."""
    announced = event.state == Event.State.FINISHED and not event.freeze
    return decided_winner(event) if announced else None


def decided_winner(event: Event) -> Winner | None:
    """Who has won by the results so far, announced or not."""
    return winner_by(stage_results(event), last_one(event))


def podium(event: Event) -> list[Step]:
    """The first three places once the winner is announced, the first one first.

    Of the final where one decided; who alone is left stands there alone.
    """
    if event.state != Event.State.FINISHED or event.freeze:
        return []
    results, left = stage_results(event), last_one(event)
    won = winner_by(results, left)
    if won is None:
        return []
    if won.table:
        return _of_final(results.of(won.table))
    if left:
        return [Step(1, left, won.points)]
    rows = [row for row in _decisive(results).rows() if row.played and not row.out]
    people = results.registrations
    return [Step(row.rank, people[row.player], row.points) for row in rows if row.rank <= STEPS]


def _of_final(final: TableResult) -> list[Step]:
    places = [final.counted().place(player) for player in final.counted().players]
    steps = [
        Step(place, seat.registration, points)
        for place, seat, points in zip(places, final.seats, final.points, strict=True)
        if seat.registration and place <= STEPS
    ]
    return sorted(steps, key=lambda step: step.place)


def winner_by(results: StageResults, left: Registration | None = None) -> Winner | None:
    """Who has won by the results of a whole event: who alone is `left`, else the final's winner,
    without a final the best of the last stage. None while that is open."""
    if left:
        return _winner([left], _points_of(results, left), None)
    finals = [at for at in results.tables if at.table.round.is_final]
    if not finals:
        return _best(_decisive(results))
    final = finals[-1]
    first = [final.seats[number] for number in final.winners] if final.final else []
    people = [seat.registration for seat in first if seat.registration]
    if not people:
        return None
    return _winner(people, final.points[final.winners[0]], final.table)


def is_decided(event: Event, left: Registration | None) -> bool:
    """The last stage that anybody is in decides, by its final or the end of its rounds; or who
    alone is `left`. That a stage is closed and nobody has gone through ends the event too."""
    stage = deciding_stage(event)
    if left or stage is None:
        return left is not None
    if stage.format == Stage.Format.BRACKET:
        return stage.rounds.filter(is_final=True, state=Round.State.CLOSED).exists()
    last = not event.stages.filter(number__gt=stage.number).exists()
    return stage.state == Stage.State.CLOSED or (last and played_out(stage))


def deciding_stage(event: Event) -> Stage | None:
    """The last stage that somebody has gone through to, else the first."""
    entered = Q(number=1) | Q(qualifiers__isnull=False)
    return event.stages.filter(entered).order_by("number").last()


def played_out(stage: Stage) -> bool:
    """Whether as many rounds as planned have been played, and none is open."""
    rounds = list(stage.rounds.exclude(state=Round.State.DRAFT))
    closed = {played.pk for played in rounds if played.state == Round.State.CLOSED}
    counting = len(closed - unplayed(stage)) if closed else 0
    return len(closed) == len(rounds) and counting >= stage.rounds_planned


def _decisive(results: StageResults) -> StageResults:
    """Of an event that ends with rounds: those of its last stage, all where there is but one."""
    stages = [at.table.round.stage for at in results.tables if at.final]
    last = max(stages, key=lambda stage: stage.number, default=None)
    if last is None or last.number == 1 or last.format == Stage.Format.BRACKET:
        return results
    return results.within(last)


def _best(results: StageResults) -> Winner | None:
    rows = [row for row in results.rows() if row.rank == 1 and row.played and not row.out]
    people = [results.registrations[row.player] for row in rows]
    return _winner(people, rows[0].points, None) if rows else None


def _points_of(results: StageResults, registration: Registration) -> int:
    return next(row.points for row in results.rows() if row.player == registration.pk)


def _winner(people: list[Registration], points: int, table: Table | None) -> Winner:
    name = listed([person.name for person in people])
    return Winner(people[0], name, points, table, people)
