"""What will be played, in one sentence."""

from collections.abc import Sequence

from games.rules.text import _, ngettext
from tournament.formats.shapes import StagePlan


def summary(stages: Sequence[StagePlan]) -> str:
    """Such as "3 rounds that everybody plays, then a bracket of tables down to the final"."""
    told = [_part(stage, first=number == 0) for number, stage in enumerate(stages)]
    return _(", then ").join(told)


def _part(stage: StagePlan, *, first: bool) -> str:
    if stage.format == "bracket":
        if first:
            return _("tables that the best of each leave for the next, down to the final")
        return _("a bracket of tables down to the final")
    if stage.rotation:
        return _("rounds in which everybody has everybody else as partner once")
    count = stage.rounds_planned
    if first:
        text = ngettext("{n} round that everybody plays", "{n} rounds that everybody plays", count)
    else:
        text = ngettext("{n} more round of the best", "{n} more rounds of the best", count)
    return text.format(n=count)
