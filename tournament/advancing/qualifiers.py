"""Replacement of qualifiers who withdraw: one player for each spot, in order of ranking."""

from collections.abc import Collection, Mapping

from django.utils.translation import gettext as _

from tournament.common.refusals import RefusedError
from tournament.models import Qualifier, Registration, Round, Stage, TableSeat
from tournament.pure.codes import Code
from tournament.pure.qualifying import Decision
from tournament.pure.ranking import lot
from tournament.pure.sentences import Sentence, StoredSentence, stored_sentence
from tournament.results.stages import stage_results
from tournament.seating.mails import notify_seats
from tournament.seating.queries import entrants
from tournament.stages.cut import cut, rule_of


def step_down(registration: Registration, reason: str, *, out: bool = False) -> list[Qualifier]:
    """Remove the registration from later stages and return the replacements.

    Call with the event locked. `out` means disqualified; only the organizers see the reason.

    Once a stage's first round is running, no one takes over the spot immediately. Instead,
    the next player from the same table takes it when the following round is drawn.
    """
    stepped_in = []
    for leaving in registration.qualified.filter(active=True).select_related("stage"):
        leaving.active = False
        leaving.why = was_disqualified(leaving.reason) if out else withdrew(leaving.reason, reason)
        leaving.save(update_fields=["active", "why"])
        if _has_cut(leaving.stage) and (waiting := _next_in_line(leaving)):
            stepped_in.append(_replace(leaving, waiting))
    return stepped_in


@stored_sentence("was_disqualified")
def was_disqualified(note: Sentence) -> str:
    """Add to the note of the spot's previous holder that they were disqualified."""
    return _("{note} Disqualified.").format(note=note)


@stored_sentence("withdrew")
def withdrew(note: Sentence, reason: str) -> str:
    """Add to the note of the spot's previous holder that they withdrew, and why."""
    text = _("{note} Withdrew: {reason}.")
    return text.format(note=note, reason=reason or _("no reason given"))


def _has_cut(stage: Stage) -> bool:
    """Return whether players can still enter the stage through a cut."""
    begun = (Round.State.RUNNING, Round.State.CLOSED)
    return stage.number > 1 and not stage.rounds.filter(state__in=begun).exists()


def enter_all(stage: Stage) -> None:
    """Enter all players into a bracket that is the event's first stage, seeded by lot.

    Does nothing once the stage's first round is published. Call with the event locked.
    """
    if stage.number > 1 or stage.rounds.exclude(state=Round.State.DRAFT).exists():
        return
    stage.qualifiers.all().delete()
    coming = [registration.pk for registration in entrants(stage, 1)]
    keys = sorted(coming, key=lambda pk: lot(stage.lots_key, pk))
    Qualifier.objects.bulk_create(
        Qualifier(stage=stage, registration_id=pk, seed=seed, why=seeded_by_lot())
        for seed, pk in enumerate(keys, 1)
    )


@stored_sentence("seeded_by_lot")
def seeded_by_lot() -> str:
    """Return the reason for the seeds of a bracket that is the event's first stage."""
    return _("Seeded by drawing lots.")


def _next_in_line(leaving: Qualifier) -> list[Decision]:
    """Return the candidates for the spot, best first, by the rule and the current results.

    If tables send players through, the players who would be admitted in place of the leaving
    one come first, before players who would advance only because of a later correction.
    """
    before = leaving.stage.event.stages.get(number=leaving.stage.number - 1)
    active = dict(leaving.stage.qualifiers.values_list("registration_id", "active"))
    away = {pk: "withdrew" for pk, active in active.items() if not active}
    others = {pk: why for pk, why in away.items() if pk != leaving.registration_id}
    results, rule = stage_results(before), rule_of(before)
    now, earlier = (cut(results, rule, removed=gone) for gone in (away, others))
    had = {d.player for d in earlier.decisions if d.through is not False}
    coming = [d for d in now.decisions if d.through is not False and d.player not in active]
    own = [d for d in coming if d.player not in had]
    return (rule.kind == Stage.Rule.TOP_K and own) or coming


def _replace(leaving: Qualifier, waiting: list[Decision]) -> Qualifier:
    """Replace the qualifier with the first player waiting; a lot decides between tied players."""
    stage = leaving.stage
    level = [d for d in waiting if d.code in ("tied", "playoff") and d.code == waiting[0].code]
    chosen = waiting[0]
    if len(level) > 1:
        chosen = min(level, key=lambda decision: lot(stage.lots_key, decision.player))
    highest = max(stage.qualifiers.values_list("seed", flat=True))
    name, count = leaving.registration.name, len(level)
    why = (
        describe_replacement(name, chosen.why)
        if count < 2
        else describe_replacement_by_lot(name, count)
    )
    coming = stage.qualifiers.create(registration_id=chosen.player, seed=highest + 1, why=why)
    _take_seat(leaving, coming)
    return coming


@stored_sentence("in_place")
def describe_replacement(name: str, why: Sentence) -> str:
    """Describe why the next player in line took over the spot."""
    return _("Replaces {name}. {why}").format(name=name, why=why)


@stored_sentence("in_place_by_lot")
def describe_replacement_by_lot(name: str, count: int) -> str:
    """Describe that the replacement was drawn by lot from several tied players."""
    text = _("Replaces {name}, drawn from {count} tied players.")
    return text.format(name=name, count=count)


def _take_seat(leaving: Qualifier, coming: Qualifier) -> None:
    """Give the replacement the seats that are drawn but not played yet."""
    drawn = (Round.State.DRAFT, Round.State.PUBLISHED)
    seats = TableSeat.objects.filter(registration=leaving.registration)
    seats.filter(table__round__stage=leaving.stage, table__round__state__in=drawn).update(
        registration=coming.registration
    )
    for played in leaving.stage.rounds.filter(state=Round.State.PUBLISHED):
        notify_seats(played)


def step_up(
    registration: Registration, before: Mapping[str, StoredSentence], new: Collection[int]
) -> None:
    """Give the registration its spots in later stages back.

    `before` maps each qualifier's key to the stored reason for its spot. `new` has the
    qualifiers who had taken over. Call with the event locked.

    Raises RefusedError with: begun.
    """
    for coming in Qualifier.objects.filter(pk__in=new).select_related("stage", "registration"):
        if not _has_cut(coming.stage):
            text = _("{stage} is already being played with {name} in that spot.")
            raise RefusedError(
                Code.BEGUN, text.format(stage=coming.stage, name=coming.registration.name)
            )
        mine = coming.stage.qualifiers.get(registration=registration)
        _take_seat(coming, mine)
        coming.active = False
        coming.why = has_place_again(registration.name)
        coming.save(update_fields=["active", "why"])
    for key, why in before.items():
        told = Sentence.from_json(why)
        Qualifier.objects.filter(pk=int(key)).update(active=True, why=told)


@stored_sentence("has_place_again")
def has_place_again(name: str) -> str:
    """State in the replacement's entry that the named player has the spot back."""
    return _("{name} has taken the spot back.").format(name=name)
