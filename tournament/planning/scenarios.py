"""Plans of an event for simulation: as configured, in another format, or from its current state."""

from dataclasses import dataclass, replace

from django.utils import timezone
from django.utils.translation import gettext as _

from games import facts
from games import queries as games
from tournament.desk.control import current_round
from tournament.models import Event, Round
from tournament.pure.formats import READY, ReadyFormat
from tournament.pure.simulation.matches import MatchProgress
from tournament.pure.simulation.questions import Question
from tournament.pure.simulation.rounds import HumanPace
from tournament.pure.simulation.scenarios import PlannedEvent
from tournament.results.queries import table_results
from tournament.results.table_result import TableResult
from tournament.stages.outline import make_event_course, make_planned_stage, make_planned_stages

OWN = "own"


@dataclass(frozen=True)
class PlanChoice:
    """One side of a comparison: a format, and values that replace the event's own.

    `format` is OWN or the key of a ready-made format. In the other fields, None means the event's
    own value.
    """

    format: str = OWN
    table_size: int | None = None
    target: int | None = None
    hand_limit: int | None = None
    round_minutes: int | None = None


def make_planned_event(event: Event, course_choice: PlanChoice, players: int) -> PlannedEvent:
    """Return the event's course with these choices."""
    chosen = make_event_course(event, players)
    if course_choice.format in READY:
        chosen = _apply_format(chosen, READY[course_choice.format])
    if course_choice.target is not None:
        chosen = replace(chosen, options={**chosen.options, "target": course_choice.target})
    return replace(
        chosen,
        table_size=course_choice.table_size or chosen.table_size,
        hand_limit=course_choice.hand_limit or chosen.hand_limit,
        round_minutes=course_choice.round_minutes or chosen.round_minutes,
    )


def _apply_format(course: PlannedEvent, ready: ReadyFormat) -> PlannedEvent:
    """Return the plan with the stages and settings of the format.

    The plan also gets the rule set that the format needs, if any.
    """
    needs_other_rules = ready.ruleset and ready.ruleset != course.ruleset
    return replace(
        course,
        name=_(ready.name),
        ruleset=ready.ruleset if needs_other_rules else course.ruleset,
        options=ready.options if needs_other_rules else {**course.options, **ready.options},
        table_size=ready.settings.get("table_size", course.table_size),
        hand_limit=ready.settings.get("hand_limit", course.hand_limit),
        parts=tuple(make_planned_stage(plan) for plan in ready.stages),
    )


def make_rest_of_day_question(event: Event, minutes: float, pause: float) -> Question | None:
    """Return a question about the rest of the event, or None if no round is in progress."""
    played = current_round(event)
    if played is None or played.state != Round.State.RUNNING:
        return None
    results = table_results(played)
    unfinished = [result for result in results if not result.final]
    remaining = event.stages.filter(number__gte=played.stage.number).order_by("number")
    people = sum(seat.registration_id is not None for result in results for seat in result.seats)
    event_course = make_planned_event(event, PlanChoice(), max(2, people))
    begun = played.stage.rounds.exclude(state=Round.State.DRAFT).count()
    return Question(
        courses=(replace(event_course, parts=make_planned_stages(remaining)),),
        minutes=minutes,
        pace=HumanPace(),
        pause=pause,
        stand=tuple((len(result.seats), find_match_progress(result)) for result in unfinished),
        begun=begun,
    )


def find_match_progress(result: TableResult) -> MatchProgress:
    """Return the progress of the table's match, as far as it is known.

    With physical cards, the progress is unknown, so the match is treated as not started.
    """
    match = result.match
    if match is None or match.started_at is None:
        return MatchProgress()
    ended = max(facts.hand_end_times(match), default=match.started_at)
    minutes_left = (match.ends_at - timezone.now()).total_seconds() / 60 if match.ends_at else None
    hands = tuple(tuple(points) for points in games.score(match).hands)
    return MatchProgress(hands, (ended - match.started_at).total_seconds() / 60, minutes_left)
