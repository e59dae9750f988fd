"""What a correction would change, before it is made."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournament import brackets
from tournament.models import Event, Qualifier, Stage, Table
from tournament.qualifying import RuleError
from tournament.queries import results as read
from tournament.queries.cut import CutRule, cut_of, proposed_rule, rule_of, rule_text
from tournament.queries.last_one import last_one
from tournament.queries.pages import is_decided
from tournament.queries.standings import rank
from tournament.services.advancing import going_on
from tournament.services.errors import Refused
from tournament.words import listed


@dataclass(frozen=True)
class Effect:
    """`points` of the table's seats as (name, before, after), before None where there were none;
    `ranks` of the stage that change, as (name, before, after); `sentences` about winners, the cut
    and the bracket."""

    points: list[tuple[str, int | None, int]]
    ranks: list[tuple[str, int, int]]
    sentences: list[str]


@dataclass(frozen=True)
class _Supposed:
    """All outcomes of the event as they are, and as they would be."""

    event: Event
    table: Table
    before: list[read.Outcome]
    after: list[read.Outcome]

    def of(self, found: list[read.Outcome], stage: Stage) -> list[read.Outcome]:
        return [o for o in found if o.table.round.stage_id == stage.pk]

    def own(self, found: list[read.Outcome]) -> read.Outcome:
        return next(o for o in found if o.table.pk == self.table.pk)


def effect(table: Table, points: Sequence[int]) -> Effect:
    """Compare everything that follows from the results with what would follow from these points."""
    event = table.round.stage.event
    before = read.outcomes(event)
    after = [_changed(o, points) if o.table.pk == table.pk else o for o in before]
    both = _Supposed(event, table, before, after)
    sentences = [*_table_winner(both), *_event_winner(both), *_who_goes_on(both)]
    return Effect(_points(both), _ranks(both), sentences)


def _changed(found: read.Outcome, points: Sequence[int]) -> read.Outcome:
    best = (min if found.low_wins else max)(points)
    winners = [n for n, value in enumerate(points) if value == best]
    return replace(found, points=list(points), winners=winners, left=[], final=True, places=[])


def _points(both: _Supposed) -> list[tuple[str, int | None, int]]:
    old, new = both.own(both.before), both.own(both.after)
    before: Sequence[int | None] = old.points or [None] * len(old.seats)
    names = [str(seat) for seat in new.seats]
    return list(zip(names, before, new.points, strict=True))


def _ranks(both: _Supposed) -> list[tuple[str, int, int]]:
    stage = both.table.round.stage
    old, _people = rank(both.event, both.of(both.before, stage))
    new, _people = rank(both.event, both.of(both.after, stage))
    ranks = {row.player: row.rank for row in old}
    return [(row.name, ranks[row.player], row.rank) for row in new if ranks[row.player] != row.rank]


def _table_winner(both: _Supposed) -> list[str]:
    old, new = (_names(both.own(found)) for found in (both.before, both.after))
    if old == new:
        return []
    instead = f" instead of {listed(old)}" if old else ""
    return [f"{listed(new)} would have won the table{instead}."]


def _names(found: read.Outcome) -> list[str]:
    return [str(found.seats[number]) for number in found.winners] if found.final else []


def _event_winner(both: _Supposed) -> list[str]:
    if last_one(both.event) or not (both.table.round.is_final or is_decided(both.event)):
        return []
    old, new = (_best(both.event, found) for found in (both.before, both.after))
    if old == new or not new:
        return []
    instead = f" instead of {listed(old)}" if old else ""
    announced = both.event.state == Event.State.FINISHED
    at_once = " It is announced: everybody would see it at once." if announced else ""
    return [f"{listed(new)} would have won the event{instead}.{at_once}"]


def _best(event: Event, found: list[read.Outcome]) -> list[str]:
    """Who has won by these outcomes: the final's winners, without a final the best of all."""
    finals = [o for o in found if o.table.round.is_final]
    if finals:
        return _names(finals[-1])
    rows, _people = rank(event, found)
    return [row.name for row in rows if row.rank == 1 and row.played]


def _who_goes_on(both: _Supposed) -> list[str]:
    stage = both.table.round.stage
    if stage.format == Stage.Format.BRACKET:
        return _bracket(both)
    following = Qualifier.objects.filter(
        stage__event=both.event, stage__number=stage.number + 1, active=True
    )
    names = dict(following.values_list("registration_id", "registration__name"))
    try:
        return _stored_cut(both, names) if names else _coming_cut(both)
    except RuleError as error:
        return [f"Who would go through cannot be told: {error}"]


def _through(both: _Supposed, found: list[read.Outcome], rule: CutRule) -> dict[int, str]:
    """Registration -> name of those whom the rule would send through."""
    stage = both.table.round.stage
    outcome = cut_of(stage, rule, both.of(found, stage))
    return {d.player: d.name for d in outcome.decisions if d.through}


def _stored_cut(both: _Supposed, names: dict[int, str]) -> list[str]:
    """Who is in the next stage and would not be, or the other way round. The stage itself stays."""
    would = _through(both, both.after, rule_of(both.table.round.stage))
    sentences = _exchange(names, would, "have gone through")
    if sentences:
        sentences.append("The next stage stays as it is: open the first round again to redraw it.")
    return sentences


def _coming_cut(both: _Supposed) -> list[str]:
    rule = proposed_rule(both.table.round.stage)
    old, new = (_through(both, found, rule) for found in (both.before, both.after))
    sentences = _exchange(old, new, "go through")
    return [*sentences, f"That is by the rule as it stands: {rule_text(rule)}."] * bool(sentences)


def _bracket(both: _Supposed) -> list[str]:
    played = both.table.round
    if played.is_final:
        return []
    old, new = (_going_on(both, found) for found in (both.before, both.after))
    sentences = _exchange(old, new, "go on")
    if sentences and played.stage.rounds.filter(number=played.number + 1).exists():
        sentences.append("The next round is drawn already and stays as it is: change it by hand.")
    return sentences


def _going_on(both: _Supposed, found: list[read.Outcome]) -> dict[int, str]:
    played = both.table.round
    try:
        following, _drawn = going_on(played, [o for o in found if o.table.round_id == played.pk])
    except (Refused, brackets.BracketError):
        return {}
    return {d.player: d.name for d in following.decisions if d.through}


def _exchange(old: dict[int, str], new: dict[int, str], verb: str) -> list[str]:
    """Sentences about those who are in one and not in the other; none where nobody was before."""
    if not old:
        return []
    lost = [name for pk, name in old.items() if pk not in new]
    won = [name for pk, name in new.items() if pk not in old]
    return [f"{name} would not {verb}." for name in lost] + [
        f"{name} would {verb}." for name in won
    ]
