"""What an event is, in words."""

from collections.abc import Iterator, Sequence

from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.common.moments import moment_text
from tournament.events.formats import MatchPlan, StagePlan, match_clauses, summary
from tournament.models import Event
from tournament.results.queries import rules_of


def play_of(event: Event) -> MatchPlan:
    """How a match of the event is played."""
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


def in_one_sentence(event: Event, stages: Sequence[StagePlan]) -> str:
    """Such as "Chem Fest: UNO to 500, at tables of 4: 3 rounds that everybody plays …"."""
    text = _("{event}: {parts}.")
    return text.format(event=event.title, parts="; ".join(_parts(event, stages)))


def _parts(event: Event, stages: Sequence[StagePlan]) -> Iterator[str]:
    play = play_of(event)
    yield from match_clauses(play)
    yield summary(stages, play, event.capacity or 0)
    yield _who(event)
    yield _when(event)


def _who(event: Event) -> str:
    text = _("for everybody with a confirmed e-mail address")
    if event.eligibility_required:
        text = _("for the students on a list")
    if event.capacity is None:
        return text
    return _("{who}, {places} at most").format(who=text, places=event.capacity)


def _when(event: Event) -> str:
    with timezone.override(event.zone):
        when = moment_text(event.starts_at) if event.starts_at else _("at a time to be announced")
    return _("{when}, {place}").format(when=when, place=event.place) if event.place else when
