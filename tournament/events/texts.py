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


def play_of(event: Event) -> MatchPlan:
    """Return the plan of how a match of the event is played."""
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
        event=event.title, told=join_sentences(_clauses(event, stages))
    )


def join_sentences(clauses: Iterable[str]) -> str:
    """Join the clauses, making each a sentence of its own."""
    return " ".join(_("{clause}.").format(clause=capfirst(each)) for each in clauses)


def _clauses(event: Event, stages: Sequence[StagePlan]) -> Iterator[str]:
    play = play_of(event)
    yield from match_clauses(play)
    yield from format_clauses(stages, play, event.capacity or 0)
    yield _describe_eligibility(event)
    yield _describe_time(event)


def _describe_eligibility(event: Event) -> str:
    text = _("open to everyone with a confirmed email address")
    if event.eligibility_required:
        text = _("open to the students on the eligibility list")
    if event.capacity is None:
        return text
    return _("{who}, up to {places} players").format(who=text, places=event.capacity)


def describe_admission(event: Event) -> str:
    """Describe who can register, with the conditions."""
    text = _("everyone with an account")
    if event.eligibility_required:
        text = _("students on the organizers’ list")
    conditions = describe_conditions(event)
    return _("{who}: {conditions}").format(who=text, conditions=conditions) if conditions else text


def _describe_time(event: Event) -> str:
    with timezone.override(event.zone):
        when = moment_text(event.starts_at) if event.starts_at else _("time to be announced")
    return _("{when}, {place}").format(when=when, place=event.place) if event.place else when
