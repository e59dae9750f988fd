"""Who would go through: the organizer's rule applied to a stage's results, nothing stored."""

from dataclasses import dataclass
from fractions import Fraction

from tournament import qualifying
from tournament.models import Registration, Round, Stage
from tournament.queries.results import Outcome, counted, outcomes
from tournament.queries.standings import rank

GONE = {"withdrawn": "withdrew", "refused": "was disqualified"}


@dataclass(frozen=True)
class CutRule:
    """What the organizer chooses; fields as those of Stage."""

    kind: str
    value: int
    ties: str
    min_matches: int


def rule_of(stage: Stage) -> CutRule:
    """The rule that is stored with the stage."""
    return CutRule(stage.qualify_rule, stage.qualify_value, stage.cut_ties, stage.min_matches)


def cut(stage: Stage, rule: CutRule, *, gone: dict[int, str] | None = None) -> qualifying.Outcome:
    """Apply the rule to the stage's finished matches. `gone`: registration -> why not.

    Raises qualifying.RuleError, in words, for a rule that makes no sense.
    """
    return cut_of(stage, rule, outcomes(stage), gone=gone)


def cut_of(
    stage: Stage, rule: CutRule, found: list[Outcome], *, gone: dict[int, str] | None = None
) -> qualifying.Outcome:
    """The same for outcomes at hand, stored or supposed."""
    # Lots in the standings are no merit: who is level but for them is level on the cut, and the
    # stage's own rule for ties decides.
    rows, people = rank(stage.event, found, lots=False)
    away = {pk: GONE[r.state] for pk, r in people.items() if r.state in GONE} | (gone or {})
    candidates = [
        qualifying.Candidate(row.player, row.name, row.rank, row.played, away.get(row.player, ""))
        for row in rows
    ]
    last = stage.rounds.filter(state=Round.State.CLOSED).order_by("-number").first()
    tables = counted([o for o in found if last and o.table.round_id == last.pk])
    return qualifying.qualify(candidates, _pure(stage, rule), tables=tables, playoff=stage.playoff)


def _pure(stage: Stage, rule: CutRule) -> qualifying.Rule:
    value = Fraction(rule.value, 100) if rule.kind == Stage.Rule.SHARE else rule.value
    return qualifying.Rule(
        kind=rule.kind,
        value=value,
        minimum_matches=rule.min_matches,
        ties=rule.ties,
        lots_key=stage.lots_key,
    )


def absent(registrations: list[Registration]) -> dict[int, str]:
    """Registration -> why it cannot play on, for those that cannot."""
    return {r.pk: GONE[r.state] for r in registrations if r.state in GONE}
