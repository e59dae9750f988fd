"""Replacement of qualifiers who withdraw, by the next players in the ranking."""

from collections.abc import Collection, Mapping

from django.utils.translation import gettext as _

from tournament.common.refusals import RefusedError
from tournament.models import Qualifier, Registration, Round, Stage, TableSeat
from tournament.pure.codes import Code
from tournament.pure.qualifying import Decision
from tournament.pure.ranking import draw_lot
from tournament.pure.sentences import Sentence, StoredSentence, stored_sentence
from tournament.results.stages import stage_results
from tournament.seating.mails import notify_seats
from tournament.seating.queries import list_entrants
from tournament.stages.cut import compute_cut, rule_of


def remove_from_later_stages(
    registration: Registration, reason: str, *, out: bool = False
) -> list[Qualifier]:
    """Remove a registration from later stages, and return the replacements.

    `out` means that the player is disqualified. Then only the organizers see the reason. Once the
    first round of a stage has started, the spot is not filled immediately: the next player of the
    same table fills it when the following round is drawn. The caller must have locked the event.
    """
    replacements = []
    for leaving in registration.qualified.filter(active=True).select_related("stage"):
        leaving.active = False
        leaving.why = (
            add_disqualification(leaving.reason) if out else add_withdrawal(leaving.reason, reason)
        )
        leaving.save(update_fields=["active", "why"])
        if _can_still_add_players(leaving.stage) and (candidates := _list_candidates(leaving)):
            replacements.append(_replace_qualifier(leaving, candidates))
    return replacements


@stored_sentence("was_disqualified")
def add_disqualification(note: Sentence) -> str:
    """Return the note of a former qualifier, followed by the disqualification."""
    return _("{note} Disqualified.").format(note=note)


@stored_sentence("withdrew")
def add_withdrawal(note: Sentence, reason: str) -> str:
    """Return the note of a former qualifier, followed by the withdrawal and its reason."""
    text = _("{note} Withdrew: {reason}.")
    return text.format(note=note, reason=reason or _("no reason given"))


def _can_still_add_players(stage: Stage) -> bool:
    """Return whether a cut can still add players to the stage."""
    begun = (Round.State.RUNNING, Round.State.CLOSED)
    return stage.number > 1 and not stage.rounds.filter(state__in=begun).exists()


def enter_all_players(stage: Stage) -> None:
    """Add all players to a bracket that is the event's first stage, seeded by lot.

    Does nothing once the first round is published. The caller must have locked the event.
    """
    if stage.number > 1 or stage.rounds.exclude(state=Round.State.DRAFT).exists():
        return
    stage.qualifiers.all().delete()
    players = [registration.pk for registration in list_entrants(stage, 1)]
    by_lot = sorted(players, key=lambda pk: draw_lot(stage.lots_key, pk))
    Qualifier.objects.bulk_create(
        Qualifier(stage=stage, registration_id=pk, seed=seed, why=describe_seeding_by_lot())
        for seed, pk in enumerate(by_lot, 1)
    )


@stored_sentence("seeded_by_lot")
def describe_seeding_by_lot() -> str:
    """Return the reason for a player's seed in a bracket that is the event's first stage."""
    return _("Seeded by drawing lots.")


def _list_candidates(leaving: Qualifier) -> list[Decision]:
    """Return the candidates for a spot, best first, by the rule and the current results.

    If a fixed number of players advances from each table, the players who move up because of this
    withdrawal come first. They precede players who advance because of a correction.
    """
    previous = leaving.stage.event.stages.get(number=leaving.stage.number - 1)
    active = dict(leaving.stage.qualifiers.values_list("registration_id", "active"))
    departed = {pk: "withdrew" for pk, active in active.items() if not active}
    departed_before = {pk: why for pk, why in departed.items() if pk != leaving.registration_id}
    results, rule = stage_results(previous), rule_of(previous)
    current_cut, earlier_cut = (
        compute_cut(results, rule, removed=removed) for removed in (departed, departed_before)
    )
    already_in = {
        decision.player for decision in earlier_cut.decisions if decision.through is not False
    }
    available = [
        decision
        for decision in current_cut.decisions
        if decision.through is not False and decision.player not in active
    ]
    same_place = [decision for decision in available if decision.player not in already_in]
    return (rule.kind == Stage.Rule.TOP_K and same_place) or available


def _replace_qualifier(leaving: Qualifier, candidates: list[Decision]) -> Qualifier:
    """Replace the qualifier with the best candidate. Ties are decided by lot."""
    stage = leaving.stage
    tied = [
        candidate
        for candidate in candidates
        if candidate.code in ("tied", "playoff") and candidate.code == candidates[0].code
    ]
    chosen = candidates[0]
    if len(tied) > 1:
        chosen = min(tied, key=lambda decision: draw_lot(stage.lots_key, decision.player))
    highest = max(stage.qualifiers.values_list("seed", flat=True))
    name, count = leaving.registration.name, len(tied)
    why = (
        describe_replacement(name, chosen.why)
        if count < 2
        else describe_replacement_by_lot(name, count)
    )
    replacement = stage.qualifiers.create(registration_id=chosen.player, seed=highest + 1, why=why)
    _hand_over_seats(leaving, replacement)
    return replacement


@stored_sentence("in_place")
def describe_replacement(name: str, why: Sentence) -> str:
    """Return the reason why the next player in line replaces the named player."""
    return _("Replaces {name}. {why}").format(name=name, why=why)


@stored_sentence("in_place_by_lot")
def describe_replacement_by_lot(name: str, count: int) -> str:
    """Return the reason for a replacement that was drawn by lot from several tied players."""
    text = _("Replaces {name}, drawn from {count} tied players.")
    return text.format(name=name, count=count)


def _hand_over_seats(leaving: Qualifier, replacement: Qualifier) -> None:
    """Give the replacement the leaving player's seats in rounds that have not started."""
    drawn = (Round.State.DRAFT, Round.State.PUBLISHED)
    seats = TableSeat.objects.filter(registration=leaving.registration)
    seats.filter(table__round__stage=leaving.stage, table__round__state__in=drawn).update(
        registration=replacement.registration
    )
    for played in leaving.stage.rounds.filter(state=Round.State.PUBLISHED):
        notify_seats(played)


def return_to_later_stages(
    registration: Registration, earlier_reasons: Mapping[str, StoredSentence], new: Collection[int]
) -> None:
    """Restore a registration's spots in later stages.

    * `earlier_reasons`: the stored reason for each spot, by the key of the qualifier.
    * `new`: the keys of the qualifiers who replaced the registration.

    The caller must have locked the event. Raises RefusedError with the code `begun`.
    """
    for replacement in Qualifier.objects.filter(pk__in=new).select_related("stage", "registration"):
        if not _can_still_add_players(replacement.stage):
            text = _("{stage} is already being played with {name} in that spot.")
            raise RefusedError(
                Code.BEGUN, text.format(stage=replacement.stage, name=replacement.registration.name)
            )
        own_qualifier = replacement.stage.qualifiers.get(registration=registration)
        _hand_over_seats(replacement, own_qualifier)
        replacement.active = False
        replacement.why = describe_returned_spot(registration.name)
        replacement.save(update_fields=["active", "why"])
    for key, why in earlier_reasons.items():
        reason = Sentence.from_json(why)
        Qualifier.objects.filter(pk=int(key)).update(active=True, why=reason)


@stored_sentence("has_place_again")
def describe_returned_spot(name: str) -> str:
    """Return the note of a replacement who had to return the spot to the named player."""
    return _("{name} has taken the spot back.").format(name=name)
