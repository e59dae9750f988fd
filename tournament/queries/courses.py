"""Courses of an event for the planner: as it is set, as a ready format has it, as it stands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils import timezone
from django.utils.translation import gettext as _

from games import queries as games
from games.queries import facts
from tournament.formats import READY, ReadyFormat, StagePlan
from tournament.models import Event, Registration, Round, Stage
from tournament.planning.courses import Course, Part
from tournament.planning.matches import Begun
from tournament.planning.questions import Question
from tournament.planning.rounds import Pace
from tournament.queries.control import current_round
from tournament.queries.results import TableResult, table_results

OWN = "own"


@dataclass(frozen=True)
class Wanted:
    """One side of a comparison: OWN or the key of a ready format, and what is other than there;
    None: as it is."""

    format: str = OWN
    table_size: int | None = None
    target: int | None = None
    hand_limit: int | None = None
    round_minutes: int | None = None


def expected_players(event: Event) -> int:
    """Who has a place, or else the places there are, or else a class of thirty."""
    held = event.registrations.filter(state__in=Registration.HOLDS_PLACE).count()
    return held if held > 1 else (event.capacity or 30)


def course(event: Event, wanted: Wanted, players: int) -> Course:
    """The event as it would be."""
    found = Course(
        name=_("This event"),
        players=players,
        ruleset=event.ruleset,
        options=event.options,
        table_size=event.table_size,
        hand_limit=event.hand_limit,
        round_minutes=event.round_minutes,
        parts=_parts(event.stages.order_by("number")),
    )
    if wanted.format in READY:
        found = _in_format(found, READY[wanted.format])
    if wanted.target is not None:
        found = replace(found, options={**found.options, "target": wanted.target})
    return replace(
        found,
        table_size=wanted.table_size or found.table_size,
        hand_limit=wanted.hand_limit or found.hand_limit,
        round_minutes=wanted.round_minutes or found.round_minutes,
    )


def _in_format(found: Course, ready: ReadyFormat) -> Course:
    """With the stages of the format, and with other rules where it is meant for those."""
    other = ready.ruleset and ready.ruleset != found.ruleset
    return replace(
        found,
        name=_(ready.name),
        ruleset=ready.ruleset if other else found.ruleset,
        options=ready.options if other else {**found.options, **ready.options},
        table_size=ready.settings.get("table_size", found.table_size),
        hand_limit=ready.settings.get("hand_limit", found.hand_limit),
        parts=tuple(_part(plan) for plan in ready.stages),
    )


def _parts(stages: Iterable[Stage]) -> tuple[Part, ...]:
    return tuple(replace(_part(stage), thresholds=stage.thresholds) for stage in stages)


def _part(stage: Stage | StagePlan) -> Part:
    """Stored or only planned; thresholds are the usual ones."""
    return Part(
        format=stage.format,
        rounds=stage.rounds_planned,
        by_points=stage.by_points,
        rotation=stage.rotation,
        rule=stage.qualify_rule,
        value=stage.qualify_value,
        ties=stage.cut_ties,
        advance=stage.advance,
    )


def rest_of_day(event: Event, minutes: float, pause: float) -> Question | None:
    """What is left of an event as it stands now; None while no round is being played."""
    played = current_round(event)
    if played is None or played.state != Round.State.RUNNING:
        return None
    found = table_results(played)
    left = event.stages.filter(number__gte=played.stage.number).order_by("number")
    people = sum(seat.registration_id is not None for at in found for seat in at.seats)
    whole = course(event, Wanted(), max(2, people))
    begun = played.stage.rounds.exclude(state=Round.State.DRAFT).count()
    return Question(
        courses=(replace(whole, parts=_parts(left)),),
        minutes=minutes,
        pace=Pace(),
        pause=pause,
        stand=tuple(_stand(found)),
        begun=begun,
    )


def _stand(found: Sequence[TableResult]) -> Iterable[tuple[int, Begun]]:
    """The tables that still play; with physical cards nobody knows how far they are."""
    return ((len(at.seats), begun_match(at)) for at in found if not at.final)


def begun_match(found: TableResult) -> Begun:
    """How far a table is, as far as it is known."""
    match = found.match
    if match is None or match.started_at is None:
        return Begun()
    ended = max(facts.hands_ended(match), default=match.started_at)
    left = (match.ends_at - timezone.now()).total_seconds() / 60 if match.ends_at else None
    hands = tuple(tuple(points) for points in games.score(match).hands)
    return Begun(hands, (ended - match.started_at).total_seconds() / 60, left)
