"""The provisional cut line of a stage, before the organizers confirm its cut."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, Stage
from tournament.pure import qualifying
from tournament.pure.ranking import StandingsRow
from tournament.pure.words import join_words, number_ranges
from tournament.results.queries import rules_of
from tournament.results.stages import StageResults
from tournament.stages.cut import (
    BEGUN,
    CutRule,
    compute_current_cut,
    count_remaining_rounds,
    count_rounds,
    rule_of,
)
from tournament.stages.deciding import describe_win

# If more tables than this are playing, only their number is given.
MAX_NAMED_TABLES = 4


@dataclass(frozen=True)
class CutLine:
    """The line between players who would advance and those who would not, after finished hands.

    * `rule`: the rule that decides who advances.
    * `outcome`: the result of applying it.
    * `rounds`: the number of rounds in the stage.
    * `playing`: the numbers of the tables whose results may still change.
    * `to_come`: the number of rounds that have not begun.
    * `stopped`: whether a freeze hides later results, and with them what remains to be played.
    """

    stage: Stage
    rule: CutRule
    outcome: qualifying.Cut
    rounds: int
    playing: tuple[int, ...]
    to_come: int
    stopped: bool

    @property
    def settled(self) -> bool:
        """Whether all rounds have been played, so that only the confirmation is missing."""
        return not (self.playing or self.to_come or self.stopped)

    @cached_property
    def decisions(self) -> dict[int, qualifying.Decision]:
        """The decision about each player, keyed by registration."""
        return {each.player: each for each in self.outcome.decisions}

    def count_above(self, players: Sequence[int]) -> int:
        """Return how many of the players, in standings order, are above the line.

        Returns 0 if the rule applies to each table separately.
        """
        return count_above(self.rule, self.outcome, players)

    @property
    def sentence(self) -> str:
        """Sentences about who advances and what remains to be played."""
        return " ".join([self._describe_advancing(), *self._describe_remaining_play()])

    def _describe_advancing(self) -> str:
        """Describe how many players advance, or what decides if turnout is too low for that."""
        count, players = self.spots, self.outcome.took_part
        if not count:
            if self.rule.kind == Stage.Rule.THRESHOLDS and players:
                return describe_win(self.rounds, rules_of(self.stage.event).scoring)
            return _("No one advances.")
        if count == players:
            text = ngettext("The only player advances.", "All {count} players advance.", count)
        else:
            text = self._describe_rule(count)
        return text.format(count=count, players=players, value=self.rule.value)

    @property
    def spots(self) -> int:
        """The number of spots in the next stage.

        Once all rounds have been played and no tie is open, the number of players who advance.
        """
        has_open_ties = any(each.through is None for each in self.outcome.decisions)
        return (
            len(self.outcome.through) if self.settled and not has_open_ties else self.outcome.places
        )

    def _describe_rule(self, count: int) -> str:
        if self.rule.kind == Stage.Rule.TOP_K:
            return ngettext(
                "The winner of each table advances: {count} of {players} players.",
                "The top {value} of each table advance: {count} of {players} players.",
                self.rule.value,
            )
        if self.rule.kind == Stage.Rule.SHARE:
            # xgettext:no-python-format
            return _("The top {value}% advance: {count} of {players} players.")
        return ngettext(
            "{count} of {players} players advances.",
            "{count} of {players} players advance.",
            count,
        )

    def _describe_remaining_play(self) -> Iterator[str]:
        if self.stopped:
            return
        if self.playing:
            yield describe_playing(self.playing)
        if self.to_come:
            yield describe_remaining(self.to_come)
        if self.settled and self.outcome.places:
            yield from self._describe_missing_confirmation()

    def _describe_missing_confirmation(self) -> Iterator[str]:
        tied_count = sum(each.through is None for each in self.outcome.decisions)
        if tied_count:
            spots = sum(each.places for each in self.outcome.playoffs)
            text = ngettext(
                "{waiting} tied players still have to play a hand for the last spot.",
                "{waiting} tied players still have to play a hand for the last {count} spots.",
                spots,
            )
            yield text.format(waiting=tied_count, count=spots)
        elif len(self.outcome.through) > self.outcome.places:
            yield _("Everyone tied for the last spot advances.")
        yield _("The organizers still have to confirm who advances.")


def count_above(rule: CutRule, outcome: qualifying.Cut, players: Sequence[int]) -> int:
    """Return how many of `players`, in standings order, are above the rule's line.

    Returns 0 if the rule applies to each table separately.
    """
    if rule.kind == Stage.Rule.TOP_K:
        return 0
    advancing = {each.player for each in outcome.decisions if each.through is not False}
    positions = (n for n, player in enumerate(players, 1) if player in advancing)
    return max(positions, default=0)


def make_cut_line(
    results: StageResults, rule: CutRule | None = None, rows: Sequence[StandingsRow] | None = None
) -> CutLine | None:
    """Return the cut line of a stage, or None if the rule is invalid.

    * `rule`: the rule to apply instead of the stage's own.
    * `rows`: the stage's standings with all finished hands, if already computed.
    """
    assert results.stage is not None
    rule = rule or rule_of(results.stage)
    try:
        outcome = compute_current_cut(results, rule, rows)
    except qualifying.RuleError:
        return None
    return CutLine(
        stage=results.stage,
        rule=rule,
        outcome=outcome,
        rounds=count_rounds(results),
        playing=tuple(result.table.number for result in results.tables if result.open),
        to_come=count_remaining_rounds(results),
        stopped=results.known_until is not None,
    )


def line_of(
    results: StageResults,
    rows: Sequence[StandingsRow] | None = None,
    stages: Iterable[Stage] | None = None,
) -> CutLine | None:
    """Return the current cut line of a stage or a whole event, or None.

    There is a line from the start of the first table until the organizers confirm the cut.

    * `rows`: the standings of the stage with the line, if already computed.
    * `stages`: all stages of the event, if already loaded.
    """
    begun = [
        result.table.round.stage for result in results.tables if result.table.round.state in BEGUN
    ]
    stage = max(begun, key=lambda each: each.number, default=None)
    if stage is None or not _has_cut_ahead(stage, stages or results.event.stages.all()):
        return None
    return make_cut_line(results.for_stage(stage), rows=rows)


def _has_cut_ahead(stage: Stage, stages: Iterable[Stage]) -> bool:
    if stage.event.state != Event.State.RUNNING or stage.format != Stage.Format.ROUNDS:
        return False
    if stage.state == Stage.State.CLOSED:
        return False
    return any(each.number > stage.number for each in stages)


def describe_remaining(rounds: int) -> str:
    """Describe how many rounds of the stage have not begun."""
    text = ngettext("{count} round is still to come.", "{count} rounds are still to come.", rounds)
    return text.format(count=rounds)


def describe_playing(tables: Sequence[int]) -> str:
    """Describe which tables are still playing, or only their number if there are many."""
    ranges = number_ranges(tables)
    if len(ranges) > MAX_NAMED_TABLES:
        text = ngettext(
            "{count} table is still playing.", "{count} tables are still playing.", len(tables)
        )
        return text.format(count=len(tables))
    text = ngettext(
        "Table {tables} is still playing.", "Tables {tables} are still playing.", len(tables)
    )
    return text.format(tables=join_words(ranges))
