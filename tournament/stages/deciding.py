"""What decides an event, in a sentence or two for everybody."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rules.ruleset.rulesets import RuleSet
from tournament.models import Event, Stage
from tournament.results.queries import rules_of
from tournament.results.stages import order_of
from tournament.standings.ranking import METRICS

LOW = ("lowest", "elimination")


def what_decides(event: Event, stages: Sequence[Stage]) -> str:
    """By the format of its stages, the rules and the first of the tie-breakers."""
    rules = rules_of(event)
    last = stages[-1] if stages else None
    if last and last.format == Stage.Format.BRACKET:
        return _by_final(last, rules, only=len(stages) == 1)
    return " ".join(filter(None, (_by_points(rules, last), _on_equal_points(event))))


def _by_final(last: Stage, rules: RuleSet, *, only: bool) -> str:
    on = ngettext(
        "The best of each table goes on, and who wins the final has won.",
        "The best {count} of each table go on, and who wins the final has won.",
        last.advance,
    ).format(count=last.advance)
    before = "" if only else _("Earlier rounds decide only who gets there.")
    return " ".join(filter(None, (_at_a_table(rules), on, before)))


def _at_a_table(rules: RuleSet) -> str:
    if rules.scoring == "elimination":
        return _("At a table who reaches the target is out, and the last one left wins.")
    if rules.scoring == "lowest":
        return _("At a table the fewest points win.")
    return _("At a table the most points win.")


def _by_points(rules: RuleSet, last: Stage | None) -> str:
    if last and last.number > 1:
        low = _("Only the rounds of “{stage}” decide: the fewest points a match win.")
        high = _("Only the rounds of “{stage}” decide: the most points win.")
        return (low if rules.scoring in LOW else high).format(stage=last)
    if rules.scoring in LOW:
        return _("The fewest points a match win, over all rounds.")
    return _("The most points of all rounds win.")


def _on_equal_points(event: Event) -> str:
    breakers = order_of(event)[1:]
    if not breakers:
        return ""
    text = _("Only on equal points something else counts: {criterion} first.")
    return text.format(criterion=_(METRICS[breakers[0]].phrase))
