"""Cuts that no longer match the results because results were corrected afterwards."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournament.models import Event, HistoryEntry, LogAction, Registration, Round, Stage
from tournament.oversight.history_texts import CORRECTIONS
from tournament.pure import qualifying
from tournament.pure.words import join_words
from tournament.results.stages import StageResults, stage_results
from tournament.stages.cut import cut, rule_of


@dataclass(frozen=True)
class OutdatedCut:
    """A cut that no longer matches the current results.

    `missing` are the players who would now advance but have not. `surplus` are the players who
    have advanced but now would not. `begun` means that the next stage has been published, so the
    cut can no longer be reopened.
    """

    stage: Stage
    missing: Sequence[Registration]
    surplus: Sequence[Registration]
    begun: bool

    @property
    def facts(self) -> dict[str, list[int]]:
        """The mismatch by registration keys, as the history stores one that was left as it is."""
        return {"in": _list_keys(self.missing), "out": _list_keys(self.surplus)}

    @property
    def sentence(self) -> str:
        """Sentence that names the players for whom the cut is wrong."""
        told = [_("The results were corrected after the cut, so the cut no longer matches them.")]
        for people, text in (
            (self.missing, _("Players who would now advance: {names}.")),
            (self.surplus, _("Players who would now be eliminated: {names}.")),
        ):
            if people:
                told.append(text.format(names=join_words([person.name for person in people])))
        return " ".join(told)


def _list_keys(people: Sequence[Registration]) -> list[int]:
    return sorted(person.pk for person in people)


def outdated_cut(event: Event) -> OutdatedCut | None:
    """Return the mismatch of the earliest outdated cut.

    A cut that the organizers have decided to keep does not count as outdated.
    """
    made = {entry.facts["stage"]: entry for entry in reversed(list(_iterate_cuts(event)))}
    found = (_find_mismatch(event, made[number]) for number in sorted(made))
    return next(filter(None, found), None)


def _find_mismatch(event: Event, entry: HistoryEntry) -> OutdatedCut | None:
    found = _compare_corrected_cut(event, entry)
    return found if found and not _is_left_alone(event, entry, found) else None


def _compare_corrected_cut(event: Event, entry: HistoryEntry) -> OutdatedCut | None:
    if not _list_later_entries(event, entry, CORRECTIONS).exists():
        return None
    stage = event.stages.get(number=entry.facts["stage"])
    if stage.state != Stage.State.CLOSED:
        return None
    try:
        return _compare_cut(stage_results(stage), entry)
    except qualifying.RuleError:
        return None


def find_surplus(stage: Stage) -> set[int]:
    """Return the players of a stage who would not advance to it by the corrected results."""
    if stage.number == 1:
        return set()
    cuts = (made for made in _iterate_cuts(stage.event) if made.facts["stage"] == stage.number - 1)
    latest = next(cuts, None)
    found = _compare_corrected_cut(stage.event, latest) if latest else None
    return {person.pk for person in found.surplus} if found else set()


def unfit(results: StageResults) -> OutdatedCut | None:
    """Return the mismatch between the cut of a closed stage and these results.

    Any decision of the organizers to keep the cut is ignored.

    Raises qualifying.RuleError, with a message in words.
    """
    stage = results.stage
    assert stage is not None
    cuts = (made for made in _iterate_cuts(results.event) if made.facts["stage"] == stage.number)
    return _compare_cut(results, latest) if (latest := next(cuts, None)) else None


def _iterate_cuts(event: Event) -> Iterator[HistoryEntry]:
    """Iterate over the cuts in the event's history, latest first."""
    return iter(event.history.filter(action=LogAction.QUALIFY).order_by("-number"))


def _list_later_entries(
    event: Event, entry: HistoryEntry, actions: Collection[str]
) -> QuerySet[HistoryEntry]:
    return event.history.filter(action__in=actions, number__gt=entry.number)


def _is_left_alone(event: Event, cut_entry: HistoryEntry, outdated: OutdatedCut) -> bool:
    later = _list_later_entries(event, cut_entry, [LogAction.CUT_LEFT]).order_by("number")
    mine = [entry.facts for entry in later if entry.facts["stage"] == outdated.stage.number]
    return bool(mine) and {key: mine[-1][key] for key in ("in", "out")} == outdated.facts


def _compare_cut(results: StageResults, entry: HistoryEntry) -> OutdatedCut | None:
    """Compare the actual cut with the cut by these results; return None if they agree.

    Players who have since left count as still in, because their spot was passed on or lost.
    """
    stage, sent = results.stage, entry.facts["through"]
    assert stage is not None
    today = cut(results, rule_of(stage), staying=sent)
    following = results.event.stages.get(number=stage.number + 1)
    now = dict(following.qualifiers.values_list("registration_id", "active"))
    through = {d.player: d.through for d in today.decisions}
    missing = [pk for pk, sure in through.items() if sure and pk not in now]
    surplus = [pk for pk in sent if now.get(pk) and through.get(pk) is False]
    if not missing and not surplus:
        return None
    people = results.registrations
    begun = following.rounds.exclude(state=Round.State.DRAFT).exists()
    return OutdatedCut(stage, [people[pk] for pk in missing], [people[pk] for pk in surplus], begun)
