"""Winning the event without a final, because no other players are left."""

from collections.abc import Iterable

from tournament.models import Event, Qualifier, Registration, Round
from tournament.results.stages import StageResults, stage_results


def find_sole_player(event: Event) -> Registration | None:
    """Return the only player who remains in the event, or None.

    Loads results only if a player has advanced to a later stage.
    """
    entered = Qualifier.objects.filter(stage__event=event).exists()
    return find_sole_player_in(stage_results(event)) if entered else None


def find_sole_player_in(results: StageResults) -> Registration | None:
    """Return the only player who remains in the last stage that has players, or None.

    `results` are those of a whole event. Returns None if several players remain, or if the final
    is closed.
    """
    entered = [each for each in results.entered if each.stage == results.last_entered_stage]
    if not entered:
        return None
    last_closed = _find_last_closed_round(results, results.last_entered_stage)
    if last_closed and last_closed.is_final:
        return None
    people = results.registrations
    remaining = (
        _list_remaining_players(results, last_closed)
        if last_closed
        else [each.player for each in entered if each.active]
    )
    approved = [pk for pk in remaining if results.states[pk] == Registration.State.APPROVED]
    return people[approved[0]] if len(approved) == 1 else None


def _find_last_closed_round(results: StageResults, stage: int) -> Round | None:
    rounds = [played for played in results.rounds if played.stage.number == stage]
    closed = [played for played in rounds if results.is_closed(played)]
    return max(closed, key=lambda played: played.number, default=None)


def _list_remaining_players(results: StageResults, round_: Round) -> Iterable[int]:
    """Return the players of the last closed round, with tables and byes."""
    tables = [result for result in results.tables if result.table.round_id == round_.pk]
    seated = {pk for result in tables for pk in result.people}
    return [*seated, *(pk for pk in round_.seating.byes if pk in results.registrations)]
