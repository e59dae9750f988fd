"""What decides an event, in a sentence or two for everybody."""

from collections.abc import Sequence

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.ruleset.rulesets import RuleSet
from tournament.events.formats.sentences import decides
from tournament.models import Event, Stage
from tournament.results.queries import rules_of
from tournament.results.stages import order_of
from tournament.stages.qualifying.thresholds import first_step
from tournament.standings.ranking import METRICS


def what_decides(event: Event, stages: Sequence[Stage]) -> str:
    """By the format of its stages, the rules and the first of the tie-breakers."""
    rules = rules_of(event)
    decisive = _("{clause}.").format(clause=capfirst(decides(stages, rules.scoring)))
    if stages and stages[-1].format == Stage.Format.BRACKET:
        before = _("Earlier rounds decide only who gets there.") if len(stages) > 1 else ""
        told = [_at_a_table(rules), _going_on(stages[-1]), decisive, before]
    else:
        told = [decisive, _on_equal_points(event)]
    told.append(_with_few(stages, rules))
    return " ".join(filter(None, told))


def _going_on(last: Stage) -> str:
    text = ngettext(
        "The best of each table goes on.", "The best {count} of each table go on.", last.advance
    )
    return text.format(count=last.advance)


def _with_few(stages: Sequence[Stage], rules: RuleSet) -> str:
    """What decides where the turnout gives nobody a place in a later stage."""
    first = stages[0] if len(stages) > 1 else None
    if first is None or first.qualify_rule != Stage.Rule.THRESHOLDS:
        return ""
    least = first_step(first.thresholds)
    text = ngettext(
        "With fewer than {count} player nobody goes on; then {clause}.",
        "With fewer than {count} players nobody goes on; then {clause}.",
        least,
    )
    return text.format(count=least, clause=decides(stages[:1], rules.scoring))


def _at_a_table(rules: RuleSet) -> str:
    if rules.scoring == "elimination":
        return _("At a table who reaches the target is out, and the last one left wins.")
    if rules.scoring == "lowest":
        return _("At a table the fewest points win.")
    return _("At a table the most points win.")


def _on_equal_points(event: Event) -> str:
    breakers = order_of(event)[1:]
    if not breakers:
        return ""
    text = _("Only on equal points something else counts: {criterion} first.")
    return text.format(criterion=_(METRICS[breakers[0]].phrase))
