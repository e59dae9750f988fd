"""Who has won an event: decided here alone, whoever asks."""

from tournament.models import Event, Qualifier, Registration, Round, Stage, Table
from tournament.queries.last_one import last_one
from tournament.queries.shapes import Winner
from tournament.queries.stage_results import StageResults, stage_results
from tournament.words import listed


def winner(event: Event) -> Winner | None:
    """Who won the event, once the organizers have announced it."""
    return decided_winner(event) if event.state == Event.State.FINISHED else None


def decided_winner(event: Event) -> Winner | None:
    """Who has won by the results so far, announced or not."""
    return winner_by(stage_results(event), last_one(event))


def winner_by(results: StageResults, left: Registration | None = None) -> Winner | None:
    """Who has won by the results of a whole event: who alone is `left`, else the final's winner,
    without a final the best of all. None while that is open."""
    if left:
        return _winner([left], _points_of(results, left), None)
    finals = [at for at in results.tables if at.table.round.is_final]
    if not finals:
        return _best_of_all(results)
    final = finals[-1]
    first = [final.seats[number] for number in final.winners] if final.final else []
    people = [seat.registration for seat in first if seat.registration]
    if not people:
        return None
    return _winner(people, final.points[final.winners[0]], final.table)


def is_decided(event: Event, left: Registration | None) -> bool:
    """With a second stage its final decides or who alone is `left`; else the closed first stage."""
    if left:
        return True
    if Qualifier.objects.filter(stage__event=event).exists():
        finals = Round.objects.filter(stage__event=event, is_final=True)
        return finals.filter(state=Round.State.CLOSED).exists()
    return event.stages.filter(number=1, state=Stage.State.CLOSED).exists()


def _best_of_all(results: StageResults) -> Winner | None:
    rows = [row for row in results.rows() if row.rank == 1 and row.played and not row.out]
    people = [results.registrations[row.player] for row in rows]
    return _winner(people, rows[0].points, None) if rows else None


def _points_of(results: StageResults, registration: Registration) -> int:
    return next(row.points for row in results.rows() if row.player == registration.pk)


def _winner(people: list[Registration], points: int, table: Table | None) -> Winner:
    name = listed([person.name for person in people])
    return Winner(people[0], name, points, table, people)
