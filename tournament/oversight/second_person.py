"""Confirmation of far-reaching actions by a second organizer, if the event requires one.

A `Step` is a kind of far-reaching action. To perform one, call `take_step`. desk/confirmation.py
handles the second organizer's answer.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.common.language import translate_later
from tournament.common.refusals import RefusedError, check_reason
from tournament.models import (
    Event,
    LogAction,
    Proposal,
    Registration,
    Round,
    Ruling,
    Stage,
    TableSeat,
    User,
)
from tournament.oversight.audit import record
from tournament.oversight.rights import people_for
from tournament.pure.chain import Facts
from tournament.pure.codes import Code

State = Proposal.State
Kind = Proposal.Kind
PredictEffect = Callable[["Step", "StepRequest"], Facts]
# Version of the format of `Proposal.facts`.
VERSION = 1
# Key in `Proposal.facts` for a ruling that takes effect before it is confirmed.
AT_ONCE = "at_once"
# Kinds of steps that change which players remain in the event.
REMOVING_KINDS = (Kind.TAKE_OUT, Kind.RULING, Kind.RULING_OFF)


@dataclass(frozen=True)
class StepRequest:
    """A request for a far-reaching action.

    * `actor`: the person who requests it.
    * `facts`: keys and codes that describe it.
    * `played`: the round whose results it would change, or None.
    * `second`: the organizer who has confirmed it, or None.
    """

    event: Event
    actor: User
    facts: Facts
    reason: str
    played: Round | None = None
    second: User | None = None


def _do_nothing(_request: StepRequest) -> str:
    """Do nothing and return "". Most rejected requests need no cleanup."""
    return ""


def _concerns_no_one(_request: StepRequest, _second: User) -> bool:
    """Return False. Most actions do not concern the second organizer personally."""
    return False


@dataclass(frozen=True)
class Step:
    """A kind of far-reaching action.

    * `check`: a function that raises RefusedError if the action is impossible, or no longer
      possible as requested.
    * `do`: a function that performs the action.
    * `drop`: a function that cleans up after a request that was not confirmed, and returns a
      description of what remains in effect.
    * `right`: the right that is required to confirm it (pure/rights_table.py).
    * `own`: a function that returns whether it concerns the second organizer personally. If so,
      another person has to confirm it.
    """

    kind: Kind
    check: Callable[[StepRequest], None]
    do: Callable[[StepRequest], object]
    drop: Callable[[StepRequest], str] = _do_nothing
    right: str = "confirm"
    own: Callable[[StepRequest, User], bool] = _concerns_no_one


def _predict_no_effects(_step: Step, _request: StepRequest) -> Facts:
    return {}


def _find_first_proposal(_played: Round, waiting: Sequence[Proposal]) -> Proposal | None:
    return next(iter(waiting), None)


@dataclass(frozen=True)
class StepOutlook:
    """Functions that predict the effects of requests.

    Modules in higher layers define them, because they depend on every kind of action.

    * `predict_effect`: returns the effect of a request, to be stored with the proposal.
    * `find_unsettling`: returns the first pending proposal that could change the players of a
      round, or None.
    """

    predict_effect: PredictEffect = _predict_no_effects
    find_unsettling: Callable[[Round, Sequence[Proposal]], Proposal | None] = _find_first_proposal


_outlook = StepOutlook()


def set_outlook(outlook: StepOutlook) -> None:
    """Set the outlook for all requests. Called once, at startup."""
    global _outlook
    _outlook = outlook


def needs_second_organizer(event: Event, actor: User, right: str = "confirm") -> bool:
    """Return whether this person's far-reaching actions need a second organizer.

    They do if the event's rule requires this and another person has the right to confirm them.
    """
    if event.second_person == Event.SecondPerson.OFF:
        return False
    return people_for(event, right).exclude(pk=actor.pk).exists()


def take_step(step: Step, request: StepRequest) -> Proposal | None:
    """Perform an action, or return the proposal that waits for a second organizer.

    The request must have a reason. The caller must have locked the event. Raises RefusedError with
    the code `no-reason` or `asked`, or with a code of the action's own check.
    """
    check_reason(
        request.reason, _("Give a reason. The reason stays on record, and everyone can read it.")
    )
    step.check(request)
    return take_checked_step(step, request)


def take_checked_step(step: Step, request: StepRequest, *, far: bool = True) -> Proposal | None:
    """Perform a checked action, or return the proposal that waits for a second organizer.

    If `far` is false, the action needs no confirmation. The caller must have locked the event.
    Raises RefusedError with the code `asked`.
    """
    if far and needs_second_organizer(request.event, request.actor, step.right):
        return request_confirmation(step, request)
    step.do(request)
    return None


def request_confirmation(step: Step, request: StepRequest) -> Proposal:
    """Store a request and its expected effect as a proposal for a second organizer.

    Raises RefusedError with the code `asked`, or with a code of the action's own check.
    """
    facts = {"version": VERSION, **request.facts}
    check_not_requested(step, request)
    proposal = Proposal.objects.create(
        event=request.event,
        kind=step.kind,
        facts=facts,
        foreseen=_outlook.predict_effect(step, request),
        round=request.played,
        reason=request.reason.strip()[:300],
        asked_by=request.actor,
    )
    text = translate_later(
        gettext_noop("Asked a second organizer to confirm (request no. {number})."),
        number=proposal.pk,
    )
    record(
        request.event,
        request.actor,
        LogAction.ASK,
        text,
        request.reason,
        proposal=proposal.pk,
        kind=step.kind,
    )
    return proposal


def check_not_requested(step: Step, request: StepRequest) -> None:
    """Check that no request for the same action is pending.

    Raises RefusedError with the code `asked`.
    """
    same = request.event.proposals.filter(state=State.WAITING, kind=step.kind)
    facts = _remove_immediate_ruling_key({"version": VERSION, **request.facts})
    if any(_remove_immediate_ruling_key(proposal.facts) == facts for proposal in same):
        raise RefusedError(
            Code.ASKED, _("This has already been requested and is waiting for a second organizer.")
        )


def _remove_immediate_ruling_key(facts: Facts) -> Facts:
    return {key: value for key, value in facts.items() if key != AT_ONCE}


def check_nothing_pending(event: Event, round_: Round | None = None) -> None:
    """Check that no pending proposal could change the outcome of a round, or of the whole event.

    If `round_` is given, only proposals about that round count. Otherwise, proposals about all
    rounds count, and those that change which players remain in the event. Raises RefusedError with
    the code `waiting`.
    """
    waiting = event.proposals.filter(state=State.WAITING)
    if round_ is None:
        waiting = waiting.filter(Q(round__isnull=False) | Q(kind__in=REMOVING_KINDS))
    else:
        waiting = waiting.filter(round=round_)
    if first := waiting.select_related("round__stage", "asked_by").first():
        raise RefusedError(
            Code.WAITING, f"{_describe_pending_request(first)} {_make_answer_advice()}"
        )


def find_pending_removals(round_: Round) -> list[Proposal]:
    """Return the pending proposals that could remove a player from the round."""
    rows = Proposal.objects.filter(state=State.WAITING, kind__in=REMOVING_KINDS)
    waiting = list(rows.filter(event=round_.stage.event).select_related("event", "asked_by"))
    return [each for each in waiting if _is_seated_in(round_, _find_player(each))]


def check_no_pending_removal(round_: Round) -> None:
    """Check that no pending proposal could remove a player from the round.

    Called before the round is closed. Raises RefusedError with the code `waiting`.
    """
    if waiting := find_pending_removals(round_):
        text = _(
            "A decision about {player}, requested by {name}, is waiting for a second organizer."
        )
        sentence = text.format(player=_find_player(waiting[0]).name, name=waiting[0].asked_by)
        raise RefusedError(Code.WAITING, f"{sentence} {_make_answer_advice()}")


def _find_player(proposal: Proposal) -> Registration:
    """Return the registration that the proposal concerns."""
    people, facts = proposal.event.registrations, proposal.facts
    if proposal.kind == Kind.RULING_OFF:
        return people.get(rulings=facts["ruling"])
    return people.get(pk=facts["registration"])


def _is_seated_in(round_: Round, person: Registration) -> bool:
    seats = TableSeat.objects.filter(table__round=round_)
    return seats.filter(Q(registration=person) | Q(substitute=person)).exists()


def check_no_pending_departure(event: Event, people: Collection[int]) -> None:
    """Check that no pending proposal could remove one of these players from the event.

    Called before a round is started. `people` are keys of registrations. Raises RefusedError with
    the code `waiting`.
    """
    waiting = event.proposals.filter(state=State.WAITING, kind__in=(Kind.TAKE_OUT, Kind.RULING))
    for proposal in waiting.select_related("asked_by"):
        if proposal.facts["registration"] in people and not _is_point_deduction(proposal):
            person = event.registrations.get(pk=proposal.facts["registration"])
            text = _("{name} has requested that {player} be removed from the event.")
            sentence = text.format(player=person.name, name=proposal.asked_by)
            alternative = _("Alternatively, remove {player} from this round.").format(
                player=person.name
            )
            raise RefusedError(Code.WAITING, f"{sentence} {_make_answer_advice()} {alternative}")


def check_no_pending_reopening(event: Event, stage: Stage) -> None:
    """Check that no pending proposal would reopen a round of the stage.

    Raises RefusedError with the code `waiting`.
    """
    waiting = event.proposals.filter(
        state=State.WAITING, kind=Kind.REOPEN_ROUND, round__stage=stage
    )
    if first := waiting.select_related("round__stage", "asked_by").first():
        raise RefusedError(
            Code.WAITING, f"{_describe_pending_request(first)} {_make_answer_advice()}"
        )


def check_players_settled(event: Event, round_: Round) -> None:
    """Check that no pending proposal could change who plays in a round.

    Proposals about earlier stages count, and in a bracket those about earlier rounds of the stage.
    Proposals that would not change the players are ignored. The caller must have locked the event.
    Raises RefusedError with the code `waiting`.
    """
    stage = round_.stage
    before = Q(stage__number__lt=stage.number)
    if stage.format == Stage.Format.BRACKET:
        before |= Q(stage=stage, number__lt=round_.number)
    earlier = Round.objects.filter(before, stage__event=event)
    if not earlier.exists():
        return
    points = Q(kind=Kind.RULING, facts__kind=Ruling.Kind.POINTS)
    changes = Q(round__in=earlier) | points | Q(kind=Kind.RULING_OFF)
    rows = event.proposals.filter(changes, state=State.WAITING)
    waiting = list(rows.select_related("event", "round__stage", "asked_by"))
    if waiting and (first := _outlook.find_unsettling(round_, waiting)):
        consequence = _("The outcome may change who has a seat in {round}.").format(round=round_)
        raise RefusedError(
            Code.WAITING,
            f"{_describe_pending_request(first)} {consequence} {_make_answer_advice()}",
        )


def _is_point_deduction(proposal: Proposal) -> bool:
    return bool(proposal.facts.get("kind") == Ruling.Kind.POINTS)


def _describe_pending_request(proposal: Proposal) -> str:
    name = proposal.asked_by
    if proposal.round is not None:
        text = _("A change to {round}, requested by {name}, is waiting for a second organizer.")
        return text.format(round=proposal.round, name=name)
    if proposal.kind == Kind.RULING_OFF:
        text = _("A request by {name} to undo a ruling is waiting for a second organizer.")
    elif _is_point_deduction(proposal):
        text = _(
            "A request by {name} to change a player’s points is waiting for a second organizer."
        )
    else:
        text = _("A request by {name} to remove a player is waiting for a second organizer.")
    return text.format(name=name)


def _make_answer_advice() -> str:
    return _("Confirm, reject or withdraw the request first, under “Confirmations”.")
