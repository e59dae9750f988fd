"""Descriptions of an event in words."""

from collections.abc import Iterable, Iterator, Sequence

from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from tournament.common.moments import moment_text
from tournament.models import Event
from tournament.pure.formats import MatchPlan, StagePlan, format_clauses, match_clauses
from tournament.registration.eligibility.list_effects import describe_conditions
from tournament.results.queries import rules_of


def match_plan_of(event: Event) -> MatchPlan:
    """Return the settings of the event's matches."""
    rules = rules_of(event)
    return MatchPlan(
        rules=rules.name,
        scoring=rules.scoring,
        target=rules.target,
        partners=rules.partners,
        fewest=rules.min_seats,
        most=rules.max_seats,
        table_size=event.table_size,
        hands=event.hand_limit,
        minutes=event.round_minutes,
    )


def event_summary(event: Event, stages: Sequence[StagePlan]) -> str:
    """Return a summary such as "Chem Fest: UNO to 500, tables of 4. … 3 rounds for everyone. …"."""
    return _("{event}: {told}").format(
        event=event.title, told=join_sentences(_iterate_clauses(event, stages))
    )


def join_sentences(clauses: Iterable[str]) -> str:
    """Turn each clause into a sentence, and join the sentences."""
    return " ".join(_("{clause}.").format(clause=capfirst(each)) for each in clauses)


def _iterate_clauses(event: Event, stages: Sequence[StagePlan]) -> Iterator[str]:
    play = match_plan_of(event)
    yield from match_clauses(play)
    yield from format_clauses(stages, play, event.capacity or 0)
    yield _describe_eligibility(event)
    yield _describe_time(event)


def _describe_eligibility(event: Event) -> str:
    admitted = _("open to everyone with a confirmed email address")
    if event.eligibility_required:
        admitted = _("open to the students on the eligibility list")
    if event.capacity is None:
        return admitted
    return _("{who}, up to {places} players").format(who=admitted, places=event.capacity)


def describe_admission(event: Event) -> str:
    """Describe who can register, and under which conditions."""
    admitted = _("everyone with an account")
    if event.eligibility_required:
        admitted = _("students on the organizers’ list")
    conditions = describe_conditions(event)
    return (
        _("{who}: {conditions}").format(who=admitted, conditions=conditions)
        if conditions
        else admitted
    )


def _describe_time(event: Event) -> str:
    with timezone.override(event.zone):
        when = moment_text(event.starts_at) if event.starts_at else _("time to be announced")
    return _("{when}, {place}").format(when=when, place=event.place) if event.place else when
