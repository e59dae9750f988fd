"""The outline of an event by its settings, used by the planner and the calendar."""

from collections.abc import Iterable
from dataclasses import replace

from django.utils.translation import gettext as _

from tournament.models import Event, Registration, Round, Stage
from tournament.pure.formats import StagePlan, rotation_rounds
from tournament.pure.simulation.scenarios import Course, CoursePart
from tournament.results.unplayed import find_unplayed


def expected_players(event: Event) -> int:
    """Return the expected number of players.

    This is the number of players with a place, otherwise the event's capacity, otherwise thirty.
    """
    held = event.registrations.filter(state__in=Registration.HOLDS_PLACE).count()
    return held if held > 1 else (event.capacity or 30)


def stage_course(event: Event, players: int) -> Course:
    """Return the event's course with this many players."""
    return Course(
        name=_("This event"),
        players=players,
        ruleset=event.ruleset,
        options=event.options,
        table_size=event.table_size,
        hand_limit=event.hand_limit,
        round_minutes=event.round_minutes,
        parts=parts(event.stages.order_by("number")),
    )


def parts(stages: Iterable[Stage]) -> tuple[CoursePart, ...]:
    """Return stored stages as parts of a course, with their own thresholds."""
    return tuple(replace(part(stage), thresholds=stage.thresholds) for stage in stages)


def part(stage: Stage | StagePlan) -> CoursePart:
    """Return a stage, stored or only planned, as part of a course.

    It has the usual thresholds.
    """
    return CoursePart(
        format=stage.format,
        rounds=stage.rounds_planned,
        by_points=stage.by_points,
        rotation=stage.rotation,
        rule=stage.qualify_rule,
        value=stage.qualify_value,
        ties=stage.cut_ties,
        advance=stage.advance,
    )


def planned_rounds(stage: Stage) -> int | None:
    """Return the stage's number of rounds: as planned, or more if more are played.

    If partners rotate, the number depends on the players, and is None while they are not known. In
    a bracket it is None, because it depends on the players who are still in.
    """
    if stage.format == Stage.Format.BRACKET:
        return None
    rounds = stage.rounds.all()
    if not stage.rotation or rounds:
        # The draw of a rotation stores what it came to.
        return max(stage.rounds_planned, _count_rounds(stage, rounds))
    placed = stage.event.registrations.filter(state=Registration.State.APPROVED)
    return rotation_rounds(placed.count())


def _count_rounds(stage: Stage, rounds: Iterable[Round]) -> int:
    """Count the published rounds that were not closed without play.

    Return 0 if no more rounds than planned have been published.
    """
    begun = {each.pk for each in rounds if each.state != Round.State.DRAFT}
    # Mostly there is nothing to ask.
    return len(begun - find_unplayed(stage)) if len(begun) > stage.rounds_planned else 0
