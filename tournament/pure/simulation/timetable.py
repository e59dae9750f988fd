"""Maximum duration of an event, if its rounds have a time limit."""

from tournament.pure import brackets
from tournament.pure.arrangement import partner_rounds
from tournament.pure.simulation.scenarios import PlannedEvent


def compute_maximum_minutes(course: PlannedEvent, pause: float) -> float | None:
    """Return the duration of an event in which every round takes its full time.

    `pause` is the number of minutes between two rounds. Returns None if rounds have no time limit.
    Raises one of PLAN_ERRORS if the event cannot be played as planned.
    """
    if course.round_minutes is None:
        return None
    rounds = _count_rounds(course)
    return rounds * course.round_minutes + max(0, rounds - 1) * pause


def _count_rounds(course: PlannedEvent) -> int:
    players, count = course.players, 0
    for part in course.parts:
        if not players:
            break  # Turnout is too low for the next stage.
        if part.format == "bracket":
            return count + len(brackets.plan_bracket(players, part.shape(course)))
        count += len(partner_rounds(range(players))) if part.rotation else part.rounds
        if part.each_table:
            players = min(players, -(-players // course.table_size) * part.each_table)
        else:
            players = part.places(players)
    return count
