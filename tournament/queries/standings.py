"""Standings of an event or a stage, from the results of its tables."""

from collections.abc import Sequence
from datetime import datetime

from games.models import Match
from tournament import standings as pure
from tournament.models import Event, Qualifier, Registration, Round, Stage
from tournament.queries.results import Outcome, counted, outcomes, rules_of
from tournament.queries.shapes import Leaderboard, LeaderRow

# Lots only where the organizer asks for them: until then equal is equal.
LOTS = 16**12
DEFAULT_TIE_BREAKERS = tuple(key for key in pure.TIE_BREAKERS if key != "lots")


def order_of(event: Event) -> tuple[str, ...]:
    """The keys of the event's metrics, the headline first."""
    breakers = event.tie_breakers or DEFAULT_TIE_BREAKERS
    return pure.order_for(rules_of(event).scoring, breakers)


def players_of(event: Event, found: Sequence[Outcome]) -> dict[int, Registration]:
    """Who has a place, and who has sat at a table whatever became of the place since."""
    seated = {s.registration_id for o in found for s in o.seats if s.registration_id}
    rows = event.registrations.select_related("user")
    return {r.pk: r for r in rows if r.state == Registration.State.APPROVED or r.pk in seated}


def rank(
    event: Event, found: Sequence[Outcome], *, provisional: bool = False, lots: bool = True
) -> tuple[list[pure.Row], dict[int, Registration]]:
    """The pure rows of these outcomes, and the registrations by id; no `lots`: none are drawn."""
    people = players_of(event, found)
    names = {pk: registration.name for pk, registration in people.items()}
    matches = counted(found, provisional=provisional)
    lots_key = event.lots_key if lots else ""
    return pure.standings(names, matches, order_of(event), lots_key=lots_key), people


def leaderboard(event: Event, stage: Stage | None = None) -> Leaderboard:
    """The standings of `stage`, without one those of the whole event, as far as viewers know."""
    found = outcomes(stage or event, public=True, play=False)
    rows, people = rank(event, found, provisional=True)
    order = order_of(event)
    shown = [n for n, _ in enumerate(order) if any(row.values[n] is not None for row in rows)]
    through = _through(event, stage)
    playing = _still_playing(found)
    wins = _wins(found)
    ranks = [row.rank for row in rows]
    return Leaderboard(
        event=event,
        stage=stage,
        columns=[pure.METRICS[order[n]].title for n in shown],
        rows=[
            LeaderRow(
                rank=row.rank,
                registration=people[row.player],
                name=row.name,
                points=row.points,
                matches=row.played,
                wins=wins.get(row.player, 0),
                metrics=[_figure(order[n], row.values[n]) for n in shown],
                separated_by=row.sentence,
                tied=ranks.count(row.rank) > 1 and row.played > 0,
                through=row.player in through,
                provisional=row.player in playing,
            )
            for row in rows
        ],
        provisional=bool(playing),
        updated_at=_updated_at(found),
    )


def _figure(key: str, value: pure.Value) -> str:
    """A metric as shown; a lot as a fraction of the highest there is, in the same order."""
    if key == "lots" and value is not None:
        return f"{float(value) / LOTS:.4f}"
    return pure.show(value)


def _through(event: Event, stage: Stage | None) -> set[int]:
    """Who plays in the stage after this one (of the whole event: in any later stage)."""
    later = Qualifier.objects.filter(stage__event=event, active=True)
    if stage:
        later = later.filter(stage__number=stage.number + 1)
    return set(later.values_list("registration_id", flat=True))


def _still_playing(found: Sequence[Outcome]) -> set[int]:
    """Who sits at a table whose result may still change, whether or not a hand is over there."""
    return {s.registration_id for o in found if _open(o) for s in o.seats if s.registration_id}


def _open(found: Outcome) -> bool:
    match, running = found.table.match, found.table.round.state == Round.State.RUNNING
    abandoned = match is not None and match.ended == Match.Ended.ABANDONED
    return running and not found.final and not abandoned


def _wins(found: Sequence[Outcome]) -> dict[int, int]:
    wins: dict[int, int] = {}
    for o in found:
        for number in o.winners if o.final else []:
            if pk := o.seats[number].registration_id:
                wins[pk] = wins.get(pk, 0) + 1
    return wins


def _updated_at(found: Sequence[Outcome]) -> datetime | None:
    ended = [o.table.match.ended_at for o in found if o.table.match and o.table.match.ended_at]
    entered = [r.entered_at for o in found for r in o.table.results.all()]
    return max([*ended, *entered], default=None)
