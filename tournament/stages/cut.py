"""Players who would advance by the organizer's rule. Nothing is stored here."""

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
from tournament.stages.outline import planned_rounds

BEGUN = (Round.State.RUNNING, Round.State.CLOSED)
# Keys of `qualifying.sentences.GONE`, by registration state.
GONE = {"withdrawn": "withdrew", "refused": "disqualified", "disqualified": "disqualified"}


@dataclass(frozen=True)
class CutRule:
    """The organizer's choice of a rule, with the field names of `Stage`."""

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
    """Describe the players who advance by the rule, as a noun phrase."""
    return RULES[Stage.Rule(rule.kind)](rule.value).format(count=rule.value)


def rule_of(stage: Stage) -> CutRule:
    """Return the rule stored with the stage."""
    return CutRule(stage.qualify_rule, stage.qualify_value, stage.cut_ties, stage.min_matches)


def cutting_stages(event: Event) -> list[Stage]:
    """Return the stages from which players advance, in order."""
    stages = list(event.stages.order_by("number"))
    return [stage for stage, _following in pairwise(stages)]


def cutting_stage(event: Event, number: int | None = None) -> Stage | None:
    """Return the stage with this number, or the stage whose cut is next.

    Without a number, this is the first open stage without a cut, or the last stage with one.
    """
    stages = cutting_stages(event)
    if number is not None:
        return next((stage for stage in stages if stage.number == number), None)
    not_closed = [stage for stage in stages if stage.state != Stage.State.CLOSED]
    closed = [stage for stage in stages if stage.state == Stage.State.CLOSED]
    # A stage that has not begun has no players yet.
    begun = [stage for stage in not_closed if stage.state == Stage.State.OPEN]
    return next(iter([*begun, *reversed(closed), *not_closed]), None)


def rule_problem(stage: Stage) -> str:
    """Return a sentence that explains why the stage's rule is invalid, or ""."""
    try:
        _make_pure_rule(stage, rule_of(stage))
    except qualifying.RuleError as error:
        return str(error)
    return ""


def cut(
    results: StageResults,
    rule: CutRule,
    *,
    removed: Mapping[int, str] | None = None,
    staying: Collection[int] = (),
) -> qualifying.Cut:
    """Apply the rule to the finished matches of a stage.

    * `removed`: the reason for each registration that cannot advance.
    * `staying`: players who keep their place in the cut although they have left since.

    Raises `qualifying.RuleError`, with a message for the organizer, if the rule is invalid.
    """
    # Lots are not merit. Players whom only lots separate are therefore tied at the cut, and the
    # stage's rule for ties decides.
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

    Players with a match to finish count as having taken part. `rows` are the stage's current
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
        _find_result_so_far(result)
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


def _find_result_so_far(result: TableResult) -> MatchResult:
    """Return the current result of a match.

    Before the first finished hand, all players are tied.
    """
    return (
        result.counts
        or replace(result, points=[0] * len(result.seats), places=[], left=[]).as_counted()
    )


def _count_remaining_matches(results: StageResults) -> Counter[int]:
    """Count how many matches each player still has to finish.

    These are matches without a finished hand, and matches of rounds that have not begun.
    """
    begun = [result for result in results.tables if result.open and not result.counts]
    remaining = Counter(player for result in begun for player in result.people)
    if remaining_rounds := rounds_left(results):
        seated = {player for result in results.tables for player in result.people}
        participants = (
            pk
            for pk, registration in results.people.items()
            if pk in seated or not registration.absent_at
        )
        remaining.update(dict.fromkeys(participants, remaining_rounds))
    return remaining


def rounds_left(results: StageResults) -> int:
    """Return the number of planned rounds that have not begun."""
    return max(0, _require_stage(results).rounds_planned - len(_list_counting_rounds(results)))


def rounds_in_all(results: StageResults) -> int:
    """Return the planned number of rounds, or the number that have begun if more have."""
    return max(_require_stage(results).rounds_planned, len(_list_counting_rounds(results)))


def _require_stage(results: StageResults) -> Stage:
    """Return the stage of these results, which must not be those of a whole event."""
    assert results.stage is not None
    return results.stage


def _list_last_round_results(results: StageResults) -> list[TableResult]:
    """Return the results of the last round that counts."""
    counting = _list_counting_rounds(results)
    last = max((played.number for played in counting), default=0)
    return [result for result in results.tables if result.table.round.number == last and counting]


def _list_counting_rounds(results: StageResults) -> list[Round]:
    """Return the rounds that have begun, in order, without rounds that were closed unplayed."""
    rounds = {result.table.round_id: result.table.round for result in results.tables}
    begun = [played for played in rounds.values() if played.state in BEGUN]
    finished = {result.table.round_id for result in results.tables if result.final}
    running = Round.State.RUNNING
    return [played for played in begun if played.pk in finished or played.state == running]


def proposed_rule(results: StageResults) -> CutRule:
    """Return the stored rule, or a proposal for a small field.

    With few players, a rule based on turnout would leave no second round. The proposal is then to
    advance the best players of each table after a single round, or as many players from the
    standings after several rounds.
    """
    stage = _require_stage(results)
    stored = rule_of(stage)
    if stage.state == Stage.State.CLOSED or stored.kind != Stage.Rule.THRESHOLDS:
        return stored
    tables = _list_last_round_results(results)
    if len(tables) < 2 or cut(results, stored).places:
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
    planned = planned_rounds(stage)
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
    """Return the reason why each of the registrations cannot advance.

    Registrations that can advance are left out. Reasons are keys of `sentences.GONE`.
    """
    return {
        registration.pk: GONE[registration.state]
        for registration in registrations
        if registration.state in GONE
    }
