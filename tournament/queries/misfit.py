"""A cut that no longer fits: results were corrected after it, and others would go through now."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament import qualifying
from tournament.models import Event, HistoryEntry, Registration, Round, Stage
from tournament.queries.cut import cut, rule_of
from tournament.queries.history import CORRECTIONS
from tournament.queries.stage_results import stage_results
from tournament.words import listed

LEFT = "cut-left"


@dataclass(frozen=True)
class Misfit:
    """Who would be through by the results of today and is not, and who is and would not be.

    `begun`: the next stage has been published, so the cut cannot be opened again any more.
    """

    stage: Stage
    missing: Sequence[Registration]
    surplus: Sequence[Registration]
    begun: bool

    @property
    def facts(self) -> dict[str, list[int]]:
        """By keys, as the history keeps what was left as it is."""
        return {"in": _keys(self.missing), "out": _keys(self.surplus)}

    @property
    def sentence(self) -> str:
        """What does not fit, by names."""
        told = [_("The results were corrected after the cut, and it no longer fits.")]
        for people, text in (
            (self.missing, _("In by the results of today: {names}.")),
            (self.surplus, _("Out: {names}.")),
        ):
            if people:
                told.append(text.format(names=listed([person.name for person in people])))
        return " ".join(told)


def _keys(people: Sequence[Registration]) -> list[int]:
    return sorted(person.pk for person in people)


def misfit(event: Event) -> Misfit | None:
    """What does not fit, unless the organizers have said that it stays."""
    made = event.history.filter(action="qualify").order_by("number").last()
    if made is None or not _corrected_since(event, made):
        return None
    stage = event.stages.get(number=made.facts["stage"])
    found = _compared(stage, made.facts["through"]) if stage.state == Stage.State.CLOSED else None
    return found if found and not _left(event, made, found) else None


def _corrected_since(event: Event, made: HistoryEntry) -> bool:
    later = event.history.filter(number__gt=made.number, action__in=CORRECTIONS)
    return later.exists()


def _left(event: Event, made: HistoryEntry, found: Misfit) -> bool:
    last = event.history.filter(action=LEFT, number__gt=made.number).order_by("number").last()
    return last is not None and {key: last.facts[key] for key in ("in", "out")} == found.facts


def _compared(stage: Stage, sent: Sequence[int]) -> Misfit | None:
    """The cut as it was made with the cut by the results of today; None where they agree.

    Who has left since counts as still there: the place was given to somebody, or is lost.
    """
    results = stage_results(stage)
    try:
        today = cut(results, rule_of(stage), staying=sent)
    except qualifying.RuleError:
        return None
    following = stage.event.stages.get(number=stage.number + 1)
    now = dict(following.qualifiers.values_list("registration_id", "active"))
    through = {d.player: d.through for d in today.decisions}
    missing = [pk for pk, sure in through.items() if sure and pk not in now]
    surplus = [pk for pk in sent if now.get(pk) and through.get(pk) is False]
    if not missing and not surplus:
        return None
    people = results.registrations
    begun = following.rounds.exclude(state=Round.State.DRAFT).exists()
    return Misfit(stage, [people[pk] for pk in missing], [people[pk] for pk in surplus], begun)
