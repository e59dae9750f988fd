"""Winner of a second round without play, after all other players have withdrawn."""

from collections.abc import Iterable

from tournament.models import Event, Qualifier, Registration, Round
from tournament.results.stages import StageResults, stage_results


def alone_in(event: Event) -> Registration | None:
    """Return the only player still in the event, or None.

    No results are loaded before any player has advanced.
    """
    entered = Qualifier.objects.filter(stage__event=event).exists()
    return last_player(stage_results(event)) if entered else None


def last_player(results: StageResults) -> Registration | None:
    """Return the only player left in the last stage that players have advanced to.

    Takes the results of a whole event. Return None if more players are left, or if a final has
    been played.
    """
    entered = [each for each in results.entered if each.stage == results.last_entered]
    if not entered:
        return None
    played = _find_last_closed(results, results.last_entered)
    if played and played.is_final:
        return None
    people = results.registrations
    still = (
        _list_still_in(results, played)
        if played
        else [each.player for each in entered if each.active]
    )
    able = [pk for pk in still if results.states[pk] == Registration.State.APPROVED]
    return people[able[0]] if len(able) == 1 else None


def _find_last_closed(results: StageResults, stage: int) -> Round | None:
    rounds = [played for played in results.rounds if played.stage.number == stage]
    closed = [played for played in rounds if results.is_closed(played)]
    return max(closed, key=lambda played: played.number, default=None)


def _list_still_in(results: StageResults, round_: Round) -> Iterable[int]:
    """Return the players who may still advance from the last round played."""
    here = [at for at in results.tables if at.table.round_id == round_.pk]
    seated = {pk for at in here for pk in at.people}
    return [*seated, *(pk for pk in round_.seating.byes if pk in results.registrations)]
