"""What a correction would change, before it is made."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament import brackets
from tournament.models import Event, Qualifier, Round, Stage, Table
from tournament.qualifying import RuleError
from tournament.queries.cut import CutRule, cut, proposed_rule, rule_of, rule_text
from tournament.queries.last_one import last_one
from tournament.queries.results import TableResult
from tournament.queries.stage_results import StageResults, stage_results
from tournament.queries.winners import is_decided, winner_by
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
    before: StageResults
    after: StageResults

    @property
    def both(self) -> tuple[StageResults, StageResults]:
        """Of the whole event."""
        return self.before, self.after

    @property
    def stage(self) -> tuple[StageResults, StageResults]:
        """Of the table's stage alone."""
        stage = self.table.round.stage
        return self.before.within(stage), self.after.within(stage)

    @property
    def own(self) -> tuple[TableResult, TableResult]:
        """Of the table itself."""
        return self.before.of(self.table), self.after.of(self.table)


def effect(table: Table, points: Sequence[int]) -> Effect:
    """Compare everything that follows from the results with what would follow from these points."""
    event = table.round.stage.event
    before = stage_results(event)
    both = _Supposed(event, table, before, before.supposing(table, points))
    sentences = [*_table_winner(both), *_event_winner(both), *_who_goes_on(both)]
    return Effect(_points(both), _ranks(both), sentences)


def _points(both: _Supposed) -> list[tuple[str, int | None, int]]:
    old, new = both.own
    before: Sequence[int | None] = old.points or [None] * len(old.seats)
    names = [str(seat) for seat in new.seats]
    return list(zip(names, before, new.points, strict=True))


def _ranks(both: _Supposed) -> list[tuple[str, int, int]]:
    old, new = (results.rows() for results in both.stage)
    ranks = {row.player: row.rank for row in old}
    return [(row.name, ranks[row.player], row.rank) for row in new if ranks[row.player] != row.rank]


def _table_winner(both: _Supposed) -> list[str]:
    old, new = map(_names, both.own)
    if old == new:
        return []
    if not old:
        text = _("{names} would have won the table.")
    else:
        text = _("{names} would have won the table instead of {others}.")
    return [text.format(names=listed(new), others=listed(old))]


def _names(found: TableResult) -> list[str]:
    return [str(found.seats[number]) for number in found.winners] if found.final else []


def _event_winner(both: _Supposed) -> list[str]:
    left = last_one(both.event)
    if left or not (both.table.round.is_final or is_decided(both.event, left)):
        return []
    old, new = map(winner_by, both.both)
    if new is None or (old and old.shared == new.shared):
        return []
    told = _("{names} would have won the event.").format(names=new.name)
    if old:
        text = _("{names} would have won the event instead of {others}.")
        told = text.format(names=new.name, others=old.name)
    if both.event.state == Event.State.FINISHED:
        at_once = _("It is announced: everybody would see it at once.")
        return [f"{told} {at_once}"]
    return [told]


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
        return [_("Who would go through cannot be told: {reason}").format(reason=error)]


def _through(results: StageResults, rule: CutRule) -> dict[int, str]:
    """Registration -> name of those whom the rule would send through."""
    return {d.player: d.name for d in cut(results, rule).decisions if d.through}


def _stored_cut(both: _Supposed, names: dict[int, str]) -> list[str]:
    """Who is in the next stage and would not be, or the other way round. The stage itself stays."""
    _before, after = both.stage
    would = _through(after, rule_of(both.table.round.stage))
    sentences = _exchange(
        names, would, _("{name} would not have gone through."), _("{name} would have gone through.")
    )
    if sentences:
        text = _("The next stage stays as it is: open the stage before it again to redraw it.")
        sentences.append(text)
    return sentences


def _coming_cut(both: _Supposed) -> list[str]:
    before, after = both.stage
    rule = proposed_rule(before)
    old, new = _through(before, rule), _through(after, rule)
    sentences = _exchange(
        old, new, _("{name} would not go through."), _("{name} would go through.")
    )
    text = _("That is by the rule as it stands: {rule}.").format(rule=rule_text(rule))
    return [*sentences, text] if sentences else []


def _bracket(both: _Supposed) -> list[str]:
    played = both.table.round
    if played.is_final:
        return []
    old, new = (_going_on(played, results) for results in both.stage)
    sentences = _exchange(old, new, _("{name} would not go on."), _("{name} would go on."))
    if sentences and played.stage.rounds.filter(number=played.number + 1).exists():
        text = _("The next round is drawn already and stays as it is: change it by hand.")
        sentences.append(text)
    return sentences


def _going_on(played: Round, results: StageResults) -> dict[int, str]:
    try:
        following, _drawn = going_on(
            played, [at for at in results.tables if at.table.round_id == played.pk]
        )
    except (Refused, brackets.BracketError):
        return {}
    return {d.player: d.name for d in following.decisions if d.through}


def _exchange(old: dict[int, str], new: dict[int, str], lost: str, won: str) -> list[str]:
    """Sentences about those who are in one and not in the other; none where nobody was before."""
    if not old:
        return []
    gone = [lost.format(name=name) for pk, name in old.items() if pk not in new]
    return gone + [won.format(name=name) for pk, name in new.items() if pk not in old]
