"""The line while a stage is played: who would go through as it stands, until it is confirmed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.common.words import listed
from tournament.models import Event, Registration, Stage
from tournament.results.stages import StageResults
from tournament.stages import qualifying
from tournament.stages.cut import (
    BEGUN,
    CutRule,
    cut_as_it_stands,
    rounds_left,
    rule_of,
    rule_text,
)
from tournament.stages.qualifying.thresholds import step_text
from tournament.standings.ranking import StandingsRow

# So many tables are named by their numbers.
NAMED = 4


@dataclass(frozen=True)
class CutLine:
    """A stage's rule upon the hands that are over. `players` have a place, or had one and played;
    `playing`: the tables whose result may still change; `to_come`: rounds that have not begun.
    `stopped`: nothing later is told, so nobody is told either what is still to come."""

    stage: Stage
    rule: CutRule
    outcome: qualifying.Cut
    players: int
    playing: tuple[int, ...]
    to_come: int
    stopped: bool

    @property
    def settled(self) -> bool:
        """Whether all is played: what is left is the organizers' word."""
        return not (self.playing or self.to_come or self.stopped)

    @cached_property
    def decisions(self) -> dict[int, qualifying.Decision]:
        """By registration."""
        return {each.player: each for each in self.outcome.decisions}

    def above(self, players: Sequence[int]) -> int:
        """How many of them, in their order, stand above the line; 0: there is none."""
        return rows_above(self.rule, self.outcome, players)

    @property
    def sentence(self) -> str:
        """How many of how many, by which rule, and what is still to come: the same everywhere."""
        return " ".join([self._places(), *self._still()])

    def _places(self) -> str:
        taking, places = self.outcome.took_part, self.outcome.places
        there = ngettext("{count} place", "{count} places", places).format(count=places)
        return _("{players}, {took_part}, {places}: {rule}.").format(
            players=_players(self.players),
            took_part=_took_part(taking) if self.settled else _takes_part(taking),
            places=there if places else _("no place"),
            rule=self._rule(),
        )

    def _rule(self) -> str:
        if self.rule.kind == Stage.Rule.THRESHOLDS:
            return step_text(self.stage.thresholds, self.outcome.took_part)
        if self.rule.kind == Stage.Rule.NUMBER:
            return _("the best of the standings")
        return rule_text(self.rule)

    def _still(self) -> Iterator[str]:
        if self.stopped:
            return
        if self.playing:
            yield _playing(self.playing)
        if self.to_come:
            text = ngettext(
                "{count} round is still to come.",
                "{count} rounds are still to come.",
                self.to_come,
            )
            yield text.format(count=self.to_come)
        if self.settled and self.outcome.places:
            yield from self._to_confirm()

    def _to_confirm(self) -> Iterator[str]:
        through = len(self.outcome.through)
        waiting = sum(each.through is None for each in self.outcome.decisions)
        if waiting:
            text = _("{count} are level and play a hand for what is left of the places.")
            yield text.format(count=waiting)
        elif through > self.outcome.places:
            yield _("Who share the last place would all go through.")
        text = ngettext(
            "{count} would go through; the organizers confirm.",
            "{count} would go through; the organizers confirm.",
            through,
        )
        yield text.format(count=through)


def rows_above(rule: CutRule, outcome: qualifying.Cut, players: Sequence[int]) -> int:
    """How many of `players`, in the order of the standings, stand above the line that the rule
    draws; 0 where there is none, as each table has its own."""
    if rule.kind == Stage.Rule.TOP_K:
        return 0
    goes = {each.player for each in outcome.decisions if each.through is not False}
    return max((n for n, player in enumerate(players, 1) if player in goes), default=0)


def line(
    results: StageResults, rule: CutRule | None = None, rows: Sequence[StandingsRow] | None = None
) -> CutLine | None:
    """Of a stage's results by this rule, without one by its own; None for a rule without sense.

    `rows`: the stage's standings with all hands that are over, where they are known.
    """
    assert results.stage is not None
    rule = rule or rule_of(results.stage)
    try:
        outcome = cut_as_it_stands(results, rule, rows)
    except qualifying.RuleError:
        return None
    return CutLine(
        stage=results.stage,
        rule=rule,
        outcome=outcome,
        players=_with_a_place(results),
        playing=tuple(at.table.number for at in results.tables if at.open),
        to_come=rounds_left(results),
        stopped=results.told_until is not None,
    )


def line_of(
    results: StageResults,
    rows: Sequence[StandingsRow] | None = None,
    stages: Iterable[Stage] | None = None,
) -> CutLine | None:
    """The same of the results of a stage or a whole event, from the first table on until the
    organizers have confirmed who goes through; `rows` only where they are those of that stage.

    `stages`: all of the event, where they are known.
    """
    begun = [at.table.round.stage for at in results.tables if at.table.round.state in BEGUN]
    stage = max(begun, key=lambda each: each.number, default=None)
    if stage is None or not _to_be_cut(stage, stages or results.event.stages.all()):
        return None
    return line(results.within(stage), rows=rows)


def _to_be_cut(stage: Stage, stages: Iterable[Stage]) -> bool:
    if stage.event.state != Event.State.RUNNING or stage.format != Stage.Format.ROUNDS:
        return False
    if stage.state == Stage.State.CLOSED:
        return False
    return any(each.number > stage.number for each in stages)


def _with_a_place(results: StageResults) -> int:
    """How many the event calls its players, with those who have played and left."""
    there = set(results.people)
    if results.stage and results.stage.number == 1:
        there |= {pk for pk, state in results.states.items() if state in Registration.HOLDS_PLACE}
    return len(there)


def _players(count: int) -> str:
    return ngettext("{count} player", "{count} players", count).format(count=count)


def _took_part(count: int) -> str:
    return ngettext("{count} took part", "{count} took part", count).format(count=count)


def _takes_part(count: int) -> str:
    return ngettext("{count} takes part", "{count} take part", count).format(count=count)


def _playing(tables: Sequence[int]) -> str:
    if len(tables) > NAMED:
        text = ngettext("{count} table still plays.", "{count} tables still play.", len(tables))
        return text.format(count=len(tables))
    text = ngettext("Table {tables} still plays.", "Tables {tables} still play.", len(tables))
    return text.format(tables=listed(list(map(str, tables))))
