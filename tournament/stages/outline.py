"""The planned stages and rounds of an event, for the planner and the calendar."""

from collections.abc import Iterable
from dataclasses import replace

from django.utils.translation import gettext as _

from tournament.models import Event, Registration, Round, Stage
from tournament.pure.formats import StagePlan, count_rotation_rounds
from tournament.pure.simulation.scenarios import PlannedEvent, PlannedStage
from tournament.results.unplayed import find_unplayed_rounds


def estimate_players(event: Event) -> int:
    """Return how many players to expect.

    This is the number of players with a spot. If fewer than two have one, it is the event's
    capacity, or 30 if that is unlimited.
    """
    players = event.registrations.filter(state__in=Registration.HOLDS_PLACE).count()
    return players if players > 1 else (event.capacity or 30)


def make_event_course(event: Event, players: int) -> PlannedEvent:
    """Convert the event to a `PlannedEvent` for this number of players."""
    return PlannedEvent(
        name=_("This event"),
        players=players,
        ruleset=event.ruleset,
        options=event.options,
        table_size=event.table_size,
        hand_limit=event.hand_limit,
        round_minutes=event.round_minutes,
        parts=make_planned_stages(event.stages.order_by("number")),
    )


def make_planned_stages(stages: Iterable[Stage]) -> tuple[PlannedStage, ...]:
    """Convert stored stages to parts of a `PlannedEvent`, keeping their thresholds."""
    return tuple(
        replace(make_planned_stage(stage), thresholds=stage.thresholds) for stage in stages
    )


def make_planned_stage(stage: Stage | StagePlan) -> PlannedStage:
    """Convert a stored or planned stage to a part of a `PlannedEvent`, with default thresholds."""
    return PlannedStage(
        format=stage.format,
        rounds=stage.rounds_planned,
        by_points=stage.by_points,
        rotation=stage.rotation,
        rule=stage.qualify_rule,
        value=stage.qualify_value,
        ties=stage.cut_ties,
        advance=stage.advance,
    )


def count_planned_rounds(stage: Stage) -> int | None:
    """Return the planned number of rounds, or the number published if that is higher.

    Returns None if the number is unknown: for a bracket, where it depends on the remaining players,
    and for rotating partners before the number of players is known.
    """
    if stage.format == Stage.Format.BRACKET:
        return None
    rounds = stage.rounds.all()
    if not stage.rotation or rounds:
        # The draw of a rotation sets rounds_planned.
        return max(stage.rounds_planned, _count_rounds(stage, rounds))
    approved = stage.event.registrations.filter(state=Registration.State.APPROVED)
    return count_rotation_rounds(approved.count())


def _count_rounds(stage: Stage, rounds: Iterable[Round]) -> int:
    """Count the published rounds, except those that were closed unplayed.

    Returns 0 if no more rounds than planned have been published.
    """
    begun = {each.pk for each in rounds if each.state != Round.State.DRAFT}
    # Without extra rounds, the query for unplayed rounds is not needed.
    return len(begun - find_unplayed_rounds(stage)) if len(begun) > stage.rounds_planned else 0
