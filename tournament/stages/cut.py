"""Players who would advance by the organizers' rule. This module stores nothing."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Event, Registration, Round, Stage
from tournament.pure import qualifying
from tournament.pure.qualifying.thresholds import read_thresholds
from tournament.pure.ranking import MatchResult, StandingsRow
from tournament.results.queries import list_counted
from tournament.results.stages import StageResults, list_metric_keys
from tournament.results.table_result import TableResult
from tournament.stages.outline import count_planned_rounds

BEGUN = (Round.State.RUNNING, Round.State.CLOSED)
# Keys of `qualifying.sentences.GONE`, by registration state.
GONE = {"withdrawn": "withdrew", "refused": "disqualified", "disqualified": "disqualified"}


@dataclass(frozen=True)
class CutRule:
    """The rule that decides who advances from a stage.

    * `kind`: one of `Stage.Rule`.
    * `value`: a number of players, a percentage or a number per table, depending on `kind`.
    * `ties`: what happens to players tied for the last spot, one of `Stage.Ties`.
    * `min_matches`: the number of matches that a player must have played.
    """

    kind: str
    value: int
    ties: str
    min_matches: int


RULES: dict[Stage.Rule, Callable[[int], str]] = {
    Stage.Rule.NUMBER: lambda n: ngettext("the top player", "the top {count} players", n),
    # xgettext:no-python-format
    Stage.Rule.SHARE: lambda _n: _("the top {count}% of the players who took part"),
    Stage.Rule.TOP_K: lambda n: ngettext(
        "the winner of each table", "the top {count} of each table", n
    ),
    Stage.Rule.THRESHOLDS: lambda _n: _("a number that depends on turnout"),
}


def rule_text(rule: CutRule) -> str:
    """Describe the players who advance under the rule, as a noun phrase."""
    return RULES[Stage.Rule(rule.kind)](rule.value).format(count=rule.value)


def rule_of(stage: Stage) -> CutRule:
    """Return the rule stored with the stage."""
    return CutRule(stage.qualify_rule, stage.qualify_value, stage.cut_ties, stage.min_matches)


def list_cutting_stages(event: Event) -> list[Stage]:
    """Return the stages that end with a cut, in order: all but the last one."""
    stages = list(event.stages.order_by("number"))
    return [stage for stage, _following in pairwise(stages)]


def find_cutting_stage(event: Event, number: int | None = None) -> Stage | None:
    """Return the stage with this number if it ends with a cut, or None.

    Without a number, return the open stage, which is cut next. If no stage is open, return the last
    one that has been cut, or otherwise the first one.
    """
    stages = list_cutting_stages(event)
    if number is not None:
        return next((stage for stage in stages if stage.number == number), None)
    not_closed = [stage for stage in stages if stage.state != Stage.State.CLOSED]
    closed = [stage for stage in stages if stage.state == Stage.State.CLOSED]
    # A stage that has not begun has no players yet.
    begun = [stage for stage in not_closed if stage.state == Stage.State.OPEN]
    return next(iter([*begun, *reversed(closed), *not_closed]), None)


def rule_problem(stage: Stage) -> str:
    """Return a sentence that explains why the stage's rule is invalid, or "" if it is valid."""
    try:
        _make_pure_rule(stage, rule_of(stage))
    except qualifying.RuleError as error:
        return str(error)
    return ""


def compute_cut(
    results: StageResults,
    rule: CutRule,
    *,
    removed: Mapping[int, str] | None = None,
    staying: Collection[int] = (),
) -> qualifying.Cut:
    """Apply the rule to the finished matches of a stage.

    * `removed`: reasons why players cannot advance, by registration.
    * `staying`: players who are treated as present although they have left since.

    Raises `qualifying.RuleError`, with a message for the organizer, if the rule is invalid.
    """
    # Players whom only lots separate are tied at the cut, and the stage's rule for ties decides
    # about them.
    rows = results.rows(lots=False)
    unavailable = explain_absences(
        registration for pk, registration in results.people.items() if pk not in staying
    ) | dict(removed or {})
    candidates = [_make_candidate(row, unavailable.get(row.player, ""), row.played) for row in rows]
    return _apply_rule(results, rule, candidates, list_counted(_list_last_round_results(results)))


def compute_current_cut(
    results: StageResults, rule: CutRule, rows: Sequence[StandingsRow] | None = None
) -> qualifying.Cut:
    """Apply the rule to the current results, including finished hands of tables in progress.

    Matches that a player has yet to finish count as played. `rows` are the stage's current
    standings, if already computed. Raises `qualifying.RuleError` if the rule is invalid.
    """
    if rows is None or "lots" in list_metric_keys(results.event):
        rows = results.rows(provisional=True, lots=False)
    unavailable, remaining = (
        explain_absences(results.people.values()),
        _count_remaining_matches(results),
    )
    candidates = [
        _make_candidate(
            row, unavailable.get(row.player, ""), row.played + remaining.get(row.player, 0)
        )
        for row in rows
    ]
    tables = [
        _find_current_result(result)
        for result in _list_last_round_results(results)
        if result.final or result.open
    ]
    return _apply_rule(results, rule, candidates, tables)


def _make_candidate(row: StandingsRow, reason: str, matches_played: int) -> qualifying.Candidate:
    return qualifying.Candidate(
        row.player, row.name, reason, rank=row.rank, played=matches_played, byes=row.byes
    )


def _apply_rule(
    results: StageResults,
    rule: CutRule,
    candidates: Sequence[qualifying.Candidate],
    tables: Sequence[MatchResult],
) -> qualifying.Cut:
    stage = _require_stage(results)
    pure_rule = _make_pure_rule(stage, rule, list_metric_keys(results.event)[1:])
    return qualifying.qualify(candidates, pure_rule, tables=tables, hands=stage.playoff)


def _find_current_result(result: TableResult) -> MatchResult:
    """Return the current result of a match.

    Before the first finished hand, all players are tied.
    """
    return (
        result.counts
        or replace(result, points=[0] * len(result.seats), places=[], left=[]).as_counted()
    )


def _count_remaining_matches(results: StageResults) -> Counter[int]:
    """Count the matches of each player that do not yet appear in the standings.

    These are matches without a finished hand, and matches of rounds that have not begun.
    """
    begun = [result for result in results.tables if result.open and not result.counts]
    remaining = Counter(player for result in begun for player in result.people)
    if remaining_rounds := count_remaining_rounds(results):
        seated = {player for result in results.tables for player in result.people}
        participants = (
            pk
            for pk, registration in results.people.items()
            if pk in seated or not registration.absent_at
        )
        remaining.update(dict.fromkeys(participants, remaining_rounds))
    return remaining


def count_remaining_rounds(results: StageResults) -> int:
    """Return the number of planned rounds that have not begun."""
    return max(0, _require_stage(results).rounds_planned - len(_list_counting_rounds(results)))


def count_rounds(results: StageResults) -> int:
    """Return the planned number of rounds, or the number of rounds begun if that is higher."""
    return max(_require_stage(results).rounds_planned, len(_list_counting_rounds(results)))


def _require_stage(results: StageResults) -> Stage:
    """Return the stage of these results. They must not be those of a whole event."""
    assert results.stage is not None
    return results.stage


def _list_last_round_results(results: StageResults) -> list[TableResult]:
    """Return the results of the last round that has begun and was not closed unplayed."""
    counting = _list_counting_rounds(results)
    last = max((played.number for played in counting), default=0)
    return [result for result in results.tables if result.table.round.number == last and counting]


def _list_counting_rounds(results: StageResults) -> list[Round]:
    """Return the rounds that have begun, in order. Rounds closed unplayed are left out."""
    rounds = {result.table.round_id: result.table.round for result in results.tables}
    begun = [played for played in rounds.values() if played.state in BEGUN]
    finished = {result.table.round_id for result in results.tables if result.final}
    running = Round.State.RUNNING
    return [played for played in begun if played.pk in finished or played.state == running]


def propose_rule(results: StageResults) -> CutRule:
    """Return the stored rule, or a better one if no one would advance under it.

    That happens if the rule depends on turnout and only few players have come. After a single
    round, the proposed rule advances the best players of each table. After several rounds, it
    advances the same number of players by the standings.
    """
    stage = _require_stage(results)
    stored = rule_of(stage)
    if stage.state == Stage.State.CLOSED or stored.kind != Stage.Rule.THRESHOLDS:
        return stored
    tables = _list_last_round_results(results)
    if len(tables) < 2 or compute_cut(results, stored).places:
        return stored
    per_table = max(1, min(2, *(len(result.seats) - 1 for result in tables)))
    if len(_list_counting_rounds(results)) > 1:
        return replace(stored, kind=Stage.Rule.NUMBER, value=per_table * len(tables))
    return replace(stored, kind=Stage.Rule.TOP_K, value=per_table)


def list_cut_warnings(results: StageResults, outcome: qualifying.Cut) -> list[str]:
    """Return warnings to show before this cut is confirmed."""
    through = len(outcome.through)
    sentences = [*_iterate_unfinished(results)]
    if not through:
        text = _("No one would advance. Without a second round, the standings decide.")
        sentences.append(text)
    elif through == outcome.took_part:
        text = ngettext(
            "The only player who took part would advance, so no one would be eliminated.",
            "All {count} players who took part would advance, so no one would be eliminated.",
            through,
        )
        sentences.append(text.format(count=through))
    return sentences


def _iterate_unfinished(results: StageResults) -> Iterator[str]:
    """Yield warnings about rounds that were not played and tables without a result."""
    stage, tables = _require_stage(results), results.tables
    rounds = _list_counting_rounds(results)
    planned = count_planned_rounds(stage)
    if planned is not None and len(rounds) < planned:
        text = ngettext(
            "Only {count} of {planned} planned rounds has been played.",
            "Only {count} of {planned} planned rounds have been played.",
            len(rounds),
        )
        yield text.format(count=len(rounds), planned=planned)
    for played in rounds:
        missing = [
            result.table.number
            for result in tables
            if result.table.round_id == played.pk and not result.final
        ]
        if missing:
            text = ngettext(
                "{round} has no result from table {tables}.",
                "{round} has no results from tables {tables}.",
                len(missing),
            )
            yield text.format(round=played, tables=", ".join(map(str, missing)))


def _make_pure_rule(
    stage: Stage, rule: CutRule, breakers: Sequence[str] = ()
) -> qualifying.QualifyingRule:
    value = Fraction(rule.value, 100) if rule.kind == Stage.Rule.SHARE else rule.value
    return qualifying.QualifyingRule(
        kind=rule.kind,
        value=value,
        thresholds=read_thresholds(stage.thresholds),
        minimum_matches=rule.min_matches,
        ties=rule.ties,
        lots_key=stage.lots_key,
        breakers=tuple(breakers),
    )


def explain_absences(registrations: Iterable[Registration]) -> dict[int, str]:
    """Return the reasons why registrations cannot advance, by registration.

    Registrations that can advance are left out. Reasons are keys of `qualifying.sentences.GONE`.
    """
    return {
        registration.pk: GONE[registration.state]
        for registration in registrations
        if registration.state in GONE
    }
