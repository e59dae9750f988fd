"""The course of an event by its settings, for the planner and the calendar."""

from collections.abc import Iterable
from dataclasses import replace

from django.utils.translation import gettext as _

from tournament.models import Event, Registration, Round, Stage
from tournament.pure.formats import StagePlan, rotation_rounds
from tournament.pure.simulation.scenarios import Course, CoursePart
from tournament.results.unplayed import find_unplayed_rounds


def expected_players(event: Event) -> int:
    """Return the number of players with a spot, or else the event's capacity, or else 30."""
    players = event.registrations.filter(state__in=Registration.HOLDS_PLACE).count()
    return players if players > 1 else (event.capacity or 30)


def stage_course(event: Event, players: int) -> Course:
    """Return the course of the event for this number of players."""
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
    """Convert stored stages to parts of a course, with their stored thresholds."""
    return tuple(replace(part(stage), thresholds=stage.thresholds) for stage in stages)


def part(stage: Stage | StagePlan) -> CoursePart:
    """Convert a stored or planned stage to a part of a course, with the default thresholds."""
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
    """Return the planned number of rounds, or the number played if more have been.

    Returns None for a bracket, whose length depends on the remaining players, and for rotating
    partners until the number of players is known.
    """
    if stage.format == Stage.Format.BRACKET:
        return None
    rounds = stage.rounds.all()
    if not stage.rotation or rounds:
        # The draw of a rotation sets rounds_planned.
        return max(stage.rounds_planned, _count_rounds(stage, rounds))
    approved = stage.event.registrations.filter(state=Registration.State.APPROVED)
    return rotation_rounds(approved.count())


def _count_rounds(stage: Stage, rounds: Iterable[Round]) -> int:
    """Count the published rounds without those that were closed unplayed.

    Returns 0 if no more rounds than planned have been published.
    """
    begun = {each.pk for each in rounds if each.state != Round.State.DRAFT}
    # Unplayed rounds matter only if there are more rounds than planned, which saves a query.
    return len(begun - find_unplayed_rounds(stage)) if len(begun) > stage.rounds_planned else 0
