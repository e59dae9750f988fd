"""Cuts that no longer match the results, because results changed after the cut."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournament.models import Event, HistoryEntry, LogAction, Registration, Round, Stage
from tournament.oversight.history_texts import CORRECTIONS
from tournament.pure import qualifying
from tournament.pure.words import join_words
from tournament.results.stages import StageResults, stage_results
from tournament.stages.cut import compute_cut, rule_of

# Actions that can change the standings of a stage after its cut.
CHANGES = (*CORRECTIONS, LogAction.RULING, LogAction.RULING_OFF, LogAction.CHANGE_SETTINGS)


@dataclass(frozen=True)
class OutdatedCut:
    """A cut that no longer matches the results.

    * `stage`: the stage that the cut ended.
    * `missing`: players who have not advanced, but now would.
    * `surplus`: players who have advanced, but now would not.
    * `begun`: whether a round of the next stage is published, so that the cut cannot be reopened.
    """

    stage: Stage
    missing: Sequence[Registration]
    surplus: Sequence[Registration]
    begun: bool

    @property
    def facts(self) -> dict[str, list[int]]:
        """Registration keys of the affected players. The history stores them if the cut is kept."""
        return {"in": _list_keys(self.missing), "out": _list_keys(self.surplus)}

    @property
    def sentence(self) -> str:
        """Sentences that name the players for whom the cut is wrong."""
        sentences = [_("The results changed after the cut, so the cut no longer matches them.")]
        for people, text in (
            (self.missing, _("Players who would now advance: {names}.")),
            (self.surplus, _("Players who would now be eliminated: {names}.")),
        ):
            if people:
                sentences.append(text.format(names=join_words([person.name for person in people])))
        return " ".join(sentences)


def _list_keys(people: Sequence[Registration]) -> list[int]:
    return sorted(person.pk for person in people)


def outdated_cut(event: Event) -> OutdatedCut | None:
    """Return the earliest cut of the event that no longer matches the results, or None.

    Cuts that the organizers have decided to keep are ignored.
    """
    cuts = {entry.facts["stage"]: entry for entry in reversed(list(_iterate_cuts(event)))}
    mismatches = (_find_mismatch(event, cuts[number]) for number in sorted(cuts))
    return next(filter(None, mismatches), None)


def _find_mismatch(event: Event, entry: HistoryEntry) -> OutdatedCut | None:
    mismatch = _compare_changed_cut(event, entry)
    return mismatch if mismatch and not _was_cut_kept(event, entry, mismatch) else None


def _compare_changed_cut(event: Event, entry: HistoryEntry) -> OutdatedCut | None:
    if not _has_later_changes(event, entry):
        return None
    stage = event.stages.get(number=entry.facts["stage"])
    if stage.state != Stage.State.CLOSED:
        return None
    try:
        return _compare_cut(stage_results(stage), entry)
    except qualifying.RuleError:
        return None


def list_current_reasons(stage: Stage) -> dict[int, str]:
    """Return the reasons why players advanced to this stage, according to changed results.

    Returns an empty dictionary if the results of the previous stage have not changed since the cut.
    If a player should not have advanced, the reason says so.
    """
    if stage.number == 1:
        return {}
    cuts = (
        entry for entry in _iterate_cuts(stage.event) if entry.facts["stage"] == stage.number - 1
    )
    latest = next(cuts, None)
    if latest is None or not _has_later_changes(stage.event, latest):
        return {}
    previous = stage.event.stages.get(number=stage.number - 1)
    advanced = latest.facts["through"]
    try:
        current_cut = compute_cut(stage_results(previous), rule_of(previous), staying=advanced)
    except qualifying.RuleError:
        return {}
    return {
        each.player: each.sentence if each.through else _describe_surplus(each.sentence)
        for each in current_cut.decisions
        if each.player in advanced and each.through is not None
    }


def _describe_surplus(reason: str) -> str:
    """Return the reason with a remark that the player advances despite the changed results."""
    text = _("{why} Still advances: the cut was made before the results changed.")
    return text.format(why=reason).strip()


def find_cut_mismatch(results: StageResults) -> OutdatedCut | None:
    """Compare the cut of a closed stage with these results.

    Returns None if they agree. A mismatch is returned even if the organizers have decided to keep
    the cut. Raises `qualifying.RuleError`, with a message for the organizer, if the stage's rule is
    invalid.
    """
    stage = results.stage
    assert stage is not None
    cuts = (entry for entry in _iterate_cuts(results.event) if entry.facts["stage"] == stage.number)
    return _compare_cut(results, latest) if (latest := next(cuts, None)) else None


def _iterate_cuts(event: Event) -> Iterator[HistoryEntry]:
    """Return an iterator over the history entries of the event's cuts, latest first."""
    return iter(event.history.filter(action=LogAction.QUALIFY).order_by("-number"))


def _has_later_changes(event: Event, entry: HistoryEntry) -> bool:
    """Return whether an action after the cut may have changed the results it is based on."""
    return _list_later_entries(event, entry, CHANGES).exists()


def _list_later_entries(
    event: Event, entry: HistoryEntry, actions: Collection[str]
) -> QuerySet[HistoryEntry]:
    return event.history.filter(action__in=actions, number__gt=entry.number)


def _was_cut_kept(event: Event, cut_entry: HistoryEntry, outdated: OutdatedCut) -> bool:
    kept_entries = _list_later_entries(event, cut_entry, [LogAction.CUT_LEFT]).order_by("number")
    kept_mismatches = [
        entry.facts for entry in kept_entries if entry.facts["stage"] == outdated.stage.number
    ]
    return (
        bool(kept_mismatches)
        and {key: kept_mismatches[-1][key] for key in ("in", "out")} == outdated.facts
    )


def _compare_cut(results: StageResults, entry: HistoryEntry) -> OutdatedCut | None:
    """Compare a recorded cut with the cut based on these results. Return None if they agree.

    Players who have left since then count as advanced. Their spots went to other players or were
    lost, and a lost spot is no mismatch.
    """
    stage, advanced = results.stage, entry.facts["through"]
    assert stage is not None
    current_cut = compute_cut(results, rule_of(stage), staying=advanced)
    following = results.event.stages.get(number=stage.number + 1)
    is_active = dict(following.qualifiers.values_list("registration_id", "active"))
    decisions = {decision.player: decision.through for decision in current_cut.decisions}
    missing = [pk for pk, advances in decisions.items() if advances and pk not in is_active]
    surplus = [pk for pk in advanced if is_active.get(pk) and decisions.get(pk) is False]
    lost_spots = len(advanced) - sum(is_active.values())
    if not surplus and len(missing) <= max(0, lost_spots):
        return None
    people = results.registrations
    begun = following.rounds.exclude(state=Round.State.DRAFT).exists()
    return OutdatedCut(stage, [people[pk] for pk in missing], [people[pk] for pk in surplus], begun)
