"""Descriptions of how an event is decided, with one sentence per stage."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.ruleset.rulesets import RuleSet
from tournament.models import Event, Round, Stage
from tournament.pure.qualifying.thresholds import find_smallest_turnout
from tournament.pure.ranking import METRICS
from tournament.results.queries import rules_of
from tournament.results.stages import list_metric_keys
from tournament.stages.cut import rule_of, rule_problem
from tournament.stages.decided import describe_decision
from tournament.stages.winners import is_announced


def describe_deciding(
    event: Event, stages: Sequence[Stage], players: int | None = None, spots: int | None = None
) -> str:
    """Describe how players advance between stages and how the winner is decided.

    The description begins with the stage in progress. If there are too few players for a second
    stage, only the first one is described.

    * `players`: the number of players who take part, if known.
    * `spots`: the number of players who advance from the stage in progress, if known.
    """
    if is_announced(event):
        return describe_decision(event, stages)
    rules = rules_of(event)
    if _ends_with_first_stage(stages, players, spots):
        stages = stages[:1]
    undecided = _list_undecided(event, stages)
    sentences = [describe_advancing(stage, rules) for stage, _following in pairwise(undecided)]
    if spots and sentences and undecided[0].qualify_rule == Stage.Rule.THRESHOLDS:
        sentences[0] = _describe_top_players(spots, rules).format(
            stage=undecided[0].label, count=spots
        )
    sentences += _describe_ending(event, stages, rules, first=len(undecided) == 1)
    return " ".join(sentences)


def _list_undecided(event: Event, stages: Sequence[Stage]) -> Sequence[Stage]:
    """Return the stages that are not yet decided, or the last stage if all are.

    Before and after the event, return all stages.
    """
    if event.state != Event.State.RUNNING:
        return stages
    undecided = [stage for stage in stages if stage.state != Stage.State.CLOSED]
    return undecided or stages[-1:]


def _ends_with_first_stage(stages: Sequence[Stage], players: int | None, spots: int | None) -> bool:
    """Return whether the known turnout is too small for a second stage."""
    if len(stages) < 2 or stages[1].state != Stage.State.WAITING or rule_problem(stages[0]):
        return False
    if stages[0].qualify_rule != Stage.Rule.THRESHOLDS:
        return False
    if spots is not None:
        return spots == 0
    return players is not None and players < find_smallest_turnout(stages[0].thresholds)


def _describe_ending(
    event: Event, stages: Sequence[Stage], rules: RuleSet, *, first: bool
) -> Iterator[str]:
    """Yield sentences about how the last stage is decided.

    `first` is true if no other stage is described before this one.
    """
    last = stages[-1] if stages else None
    if last and last.format == Stage.Format.BRACKET:
        yield describe_knockout(last, first=first)
        yield _describe_table_win(rules)
        return
    if last and len(stages) > 1:
        yield describe_last_rounds(last, rules)
    else:
        rounds = 0 if last is None or last.rotation else last.rounds_planned
        yield describe_win(rounds, rules.scoring)
    breakers = list_metric_keys(event)[1:]
    if breakers:
        text = _("The first tie-break is {criterion}.")
        yield text.format(criterion=_(METRICS[breakers[0]].phrase))


def describe_win(rounds: int, scoring: str) -> str:
    """Describe how a player wins an event in which everyone plays this many rounds.

    `rounds` is 0 if the number is unknown.
    """
    if scoring == "winner-takes":
        text = ngettext(
            "The player with the most points after {count} round wins.",
            "The player with the most points after {count} rounds wins.",
            rounds,
        )
        return (
            text.format(count=rounds)
            if rounds
            else _("The player with the most points after all rounds wins.")
        )
    text = ngettext(
        "The player with the fewest points per match after {count} round wins.",
        "The player with the fewest points per match after {count} rounds wins.",
        rounds,
    )
    return (
        text.format(count=rounds)
        if rounds
        else _("The player with the fewest points per match overall wins.")
    )


def describe_last_rounds(stage: Stage, rules: RuleSet) -> str:
    """Describe how a player wins an event that ends with a second or later stage of rounds."""
    if rules.scoring == "winner-takes":
        text = _("{stage}: the player with the most points wins, and earlier rounds don’t count.")
    else:
        text = _(
            "{stage}: the player with the fewest points per match wins, and earlier rounds "
            "don’t count."
        )
    return text.format(stage=stage.label)


def describe_knockout(stage: Stage, *, first: bool) -> str:
    """Describe how a knockout is decided.

    `first` is true if no other stage is described before this one.
    """
    if any(each.is_final and each.state != Round.State.DRAFT for each in stage.rounds.all()):
        return _("The winner of the final wins the event.")
    if first:
        text = ngettext(
            "Knockout: the winner of each table advances until only the final table is left.",
            "Knockout: the top {count} of each table advance until only the final table is left.",
            stage.advance,
        )
    else:
        text = ngettext(
            "Then knockout: the winner of each table advances until only the final table is left.",
            "Then knockout: the top {count} of each table advance until only the final "
            "table is left.",
            stage.advance,
        )
    return text.format(count=stage.advance)


def describe_advancing(stage: Stage, rules: RuleSet) -> str:
    """Describe the players who advance from the stage."""
    rule = rule_of(stage)
    if rule_problem(stage):
        text = _("{stage}: the organizers decide how many players advance.")
    elif rule.kind == Stage.Rule.THRESHOLDS:
        return _describe_turnout(stage, rules)
    elif rule.kind == Stage.Rule.NUMBER:
        text = _describe_top_players(rule.value, rules)
    elif rule.kind == Stage.Rule.SHARE:
        # xgettext:no-python-format
        text = _("{stage}: the top {count}% of the players advance.")
    else:
        text = ngettext(
            "{stage}: the winner of each table in the last round advances.",
            "{stage}: the top {count} of each table in the last round advance.",
            rule.value,
        )
    return text.format(stage=stage.label, count=rule.value)


def _describe_top_players(count: int, rules: RuleSet) -> str:
    if rules.scoring == "winner-takes":
        return ngettext(
            "{stage}: the player with the most points advances.",
            "{stage}: the {count} players with the most points advance.",
            count,
        )
    return ngettext(
        "{stage}: the player with the fewest points per match advances.",
        "{stage}: the {count} players with the fewest points per match advance.",
        count,
    )


def _describe_turnout(stage: Stage, rules: RuleSet) -> str:
    """Describe that turnout decides how many players advance, and what happens if it is too low."""
    text = _("{stage}: how many players advance depends on turnout.").format(stage=stage.label)
    least = find_smallest_turnout(stage.thresholds)
    if least < 2:
        return text
    if rules.scoring == "winner-takes":
        few = _(
            "With fewer than {count} players, no one advances, and the player with the "
            "most points wins."
        )
    else:
        few = _(
            "With fewer than {count} players, no one advances, and the player with the "
            "fewest points per match wins."
        )
    return f"{text} {few.format(count=least)}"


def _describe_table_win(rules: RuleSet) -> str:
    if rules.scoring == "elimination":
        return _(
            "A player who reaches the target is out of the match, and the last player left wins it."
        )
    if rules.scoring == "lowest":
        return _("At each table, the player with the fewest points wins.")
    return _("At each table, the player with the most points wins.")
