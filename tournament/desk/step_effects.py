"""Effects that a pending step would have if it were confirmed now.

The effects at the time of the request are stored with it, so the second organizer sees
what has changed.
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

# The format version of the effects stored with a step.
VERSION = 1
# More would not be read.
MOST = 12


def consequences_of(step: Step, deed: StepRequest) -> Consequences:
    """Return the changes that the step would make now.

    Refused as the step itself would be.
    """
    return STEPS[step.kind].preview(step, deed)


def stored_facts(step: Step, deed: StepRequest) -> Facts:
    """Return the effects of the step in the form that is stored and compared.

    They are written in the site's language.

    Raises RefusedError as the step does.
    """
    with use_site_language():
        found = consequences_of(step, deed)
    return {
        "version": VERSION,
        "sentences": found.sentences,
        "points": [list(each) for each in found.points],
        "ranks": None if _is_moving(deed.event) else [list(each) for each in found.ranks],
    }


def _is_moving(event: Event) -> bool:
    """Return whether a round is being played, in which each hand changes ranks.

    Such changes alone do not make the step a different one.
    """
    return Round.objects.filter(stage__event=event, state=Round.State.RUNNING).exists()


def differences(then: Facts, now: Facts) -> list[str]:
    """Describe the differences between the stored and the current effects, in sentences.

    Returns an empty list if no effects were stored.
    """
    if not then:
        return []
    still = None not in (then["ranks"], now["ranks"])
    parts = ["sentences", "points", *(["ranks"] if still else [])]
    before, after = (list(_iterate_lines(facts, parts)) for facts in (then, now))
    told = [
        _("No longer applies: {what}").format(what=line) for line in before if line not in after
    ]
    told += [_("New: {what}").format(what=line) for line in after if line not in before]
    if (more := len(told) - MOST) <= 0:
        return told
    text = ngettext("And {count} more.", "And {count} more.", more)
    return [*told[:MOST], text.format(count=more)]


def _iterate_lines(facts: Facts, parts: list[str]) -> Iterator[str]:
    for part in parts:
        for each in facts[part]:
            yield each if part == "sentences" else _describe_change(part, *each)


def _describe_change(part: str, name: str, before: int | None, after: int | None) -> str:
    text = _("{name}: place {before} → {after}.")
    if part == "points":
        text = _("{name}: {before} → {after} points.")
    before, after = ("–" if each is None else each for each in (before, after))  # type: ignore[assignment]
    return text.format(name=name, before=before, after=after)
