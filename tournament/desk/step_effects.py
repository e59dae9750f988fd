"""The effect that a pending request would have if it were confirmed now.

The effect at the time of the request is stored in the request, so that the second organizer can see
what has changed since.
"""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.common.language import use_site_language
from tournament.corrections.dry_run import Consequences
from tournament.desk.steps import STEPS
from tournament.models import Event, Round
from tournament.oversight.second_person import Step, StepRequest
from tournament.pure.chain import Facts

# Version of the format of stored effects.
VERSION = 1
# Maximum number of differences to list. No one would read more.
MAX_DIFFERENCES = 12


def preview_consequences(step: Step, request: StepRequest) -> Consequences:
    """Return the changes that the request would make now.

    Raises RefusedError like the requested action.
    """
    return STEPS[step.kind].preview(step, request)


def stored_facts(step: Step, request: StepRequest) -> Facts:
    """Return the effect of a request in the form that is stored and compared.

    The sentences are in the site's language. Raises RefusedError like the requested action.
    """
    with use_site_language():
        effects = preview_consequences(step, request)
    return {
        "version": VERSION,
        "sentences": effects.sentences,
        "points": [list(each) for each in effects.points],
        "ranks": None
        if _is_round_running(request.event)
        else [list(each) for each in effects.ranks],
    }


def _is_round_running(event: Event) -> bool:
    """Return whether a round is being played.

    Ranks then change with each hand, so they are left out of the comparison.
    """
    return Round.objects.filter(stage__event=event, state=Round.State.RUNNING).exists()


def describe_differences(then: Facts, now: Facts) -> list[str]:
    """Describe the differences between the stored and the current effect, one sentence each.

    Returns [] if no effect was stored.
    """
    if not then:
        return []
    ranks_count = None not in (then["ranks"], now["ranks"])
    parts = ["sentences", "points", *(["ranks"] if ranks_count else [])]
    before, after = (list(_iterate_lines(facts, parts)) for facts in (then, now))
    lines = [
        _("No longer applies: {what}").format(what=line) for line in before if line not in after
    ]
    lines += [_("New: {what}").format(what=line) for line in after if line not in before]
    if (more := len(lines) - MAX_DIFFERENCES) <= 0:
        return lines
    text = ngettext("And {count} more.", "And {count} more.", more)
    return [*lines[:MAX_DIFFERENCES], text.format(count=more)]


def _iterate_lines(facts: Facts, parts: list[str]) -> Iterator[str]:
    for part in parts:
        for each in facts[part]:
            yield each if part == "sentences" else _describe_line(part, *each)


def _describe_line(part: str, name: str, before: int | None, after: int | None) -> str:
    text = _("{name}: place {before} → {after}.")
    if part == "points":
        text = _("{name}: {before} → {after} points.")
    before, after = ("–" if each is None else each for each in (before, after))  # type: ignore[assignment]
    return text.format(name=name, before=before, after=after)
