"""Descriptions of how a finished event was decided, in the past tense.

`stages.deciding` has the same descriptions for an event that is not finished.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.ruleset.rulesets import RuleSet
from tournament.models import Event, Round, Stage
from tournament.pure.ranking import METRICS
from tournament.results.queries import rules_of
from tournament.results.stages import list_metric_keys
from tournament.stages.cut import rule_of
from tournament.stages.winners import find_deciding_stage


def describe_decision(event: Event, stages: Sequence[Stage]) -> str:
    """Describe how players advanced between stages and how the winner was decided."""
    rules, last = rules_of(event), find_deciding_stage(event)
    reached = [stage for stage in stages if last and stage.number <= last.number]
    sentences = [
        _describe_advanced_players(stage, following, rules)
        for stage, following in pairwise(reached)
    ]
    sentences += _describe_ending(event, reached, rules)
    return " ".join(sentences)


def _describe_advanced_players(stage: Stage, following: Stage, rules: RuleSet) -> str:
    """Describe the players who advanced from the stage."""
    rule = rule_of(stage)
    if rule.kind == Stage.Rule.SHARE:
        # xgettext:no-python-format
        text = _("{stage}: the top {count}% of the players advanced.")
        return text.format(stage=stage.label, count=rule.value)
    if rule.kind in (Stage.Rule.THRESHOLDS, Stage.Rule.NUMBER):
        count = following.qualifiers.count()
        return _describe_top_players(count, rules).format(stage=stage.label, count=count)
    text = ngettext(
        "{stage}: the winner of each table in the last round advanced.",
        "{stage}: the top {count} of each table in the last round advanced.",
        rule.value,
    )
    return text.format(stage=stage.label, count=rule.value)


def _describe_top_players(count: int, rules: RuleSet) -> str:
    if rules.scoring == "winner-takes":
        return ngettext(
            "{stage}: the player with the most points advanced.",
            "{stage}: the {count} players with the most points advanced.",
            count,
        )
    return ngettext(
        "{stage}: the player with the fewest points per match advanced.",
        "{stage}: the {count} players with the fewest points per match advanced.",
        count,
    )


def _describe_ending(event: Event, stages: Sequence[Stage], rules: RuleSet) -> Iterator[str]:
    """Yield sentences about how the last stage was decided."""
    if not stages:
        return
    last = stages[-1]
    if last.format == Stage.Format.BRACKET:
        yield _describe_knockout(last, first=len(stages) == 1)
        yield _describe_table_win(rules)
        return
    if len(stages) > 1:
        yield _describe_last_rounds(last, rules)
    else:
        rounds = last.rounds.filter(state=Round.State.CLOSED).count()
        yield _describe_rounds_win(rounds, rules)
    if breakers := list_metric_keys(event)[1:]:
        text = _("The first tie-break was {criterion}.")
        yield text.format(criterion=_(METRICS[breakers[0]].phrase))


def _describe_rounds_win(rounds: int, rules: RuleSet) -> str:
    if rules.scoring == "winner-takes":
        text = ngettext(
            "The player with the most points after {count} round won.",
            "The player with the most points after {count} rounds won.",
            rounds,
        )
    else:
        text = ngettext(
            "The player with the fewest points per match after {count} round won.",
            "The player with the fewest points per match after {count} rounds won.",
            rounds,
        )
    return text.format(count=rounds)


def _describe_last_rounds(stage: Stage, rules: RuleSet) -> str:
    if rules.scoring == "winner-takes":
        text = _("{stage}: the player with the most points won, and earlier rounds didn’t count.")
    else:
        text = _(
            "{stage}: the player with the fewest points per match won, and earlier rounds "
            "didn’t count."
        )
    return text.format(stage=stage.label)


def _describe_knockout(stage: Stage, *, first: bool) -> str:
    """Describe how a knockout was decided.

    `first` is true if no other stage is described before this one.
    """
    if stage.rounds.filter(is_final=True).exclude(state=Round.State.DRAFT).exists():
        return _("The winner of the final won the event.")
    if first:
        text = ngettext(
            "Knockout: the winner of each table advanced.",
            "Knockout: the top {count} of each table advanced.",
            stage.advance,
        )
    else:
        text = ngettext(
            "Then knockout: the winner of each table advanced.",
            "Then knockout: the top {count} of each table advanced.",
            stage.advance,
        )
    return text.format(count=stage.advance)


def _describe_table_win(rules: RuleSet) -> str:
    if rules.scoring == "elimination":
        return _(
            "A player who reached the target was out of the match, and the last player left won it."
        )
    if rules.scoring == "lowest":
        return _("At each table, the player with the fewest points won.")
    return _("At each table, the player with the most points won.")
