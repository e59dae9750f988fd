"""Answers to requests that need a second organizer: confirmation, refusal and withdrawal."""

from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.rules.clusters import shorten
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError, check_reason
from tournament.corrections.dry_run import Consequences
from tournament.desk.step_effects import describe_differences, preview_consequences, stored_facts
from tournament.desk.steps import kind_of, request_of
from tournament.models import Event, LogAction, Proposal, User
from tournament.oversight.audit import record
from tournament.oversight.rights import has_right
from tournament.oversight.second_person import Step, StepRequest
from tournament.pure.chain import Facts
from tournament.pure.codes import Code

State = Proposal.State


@dataclass(frozen=True)
class StepPreview:
    """The effect of confirming a request now.

    * `effects`: the effect, for display.
    * `facts`: the effect in the form that `confirm` compares.
    * `changed`: the differences since the request was made.
    * `blocked`: why the request can no longer be confirmed, or "".
    """

    effects: Consequences
    facts: Facts
    changed: list[str]
    blocked: str = ""


def preview_proposal(proposal: Proposal) -> StepPreview:
    """Return the preview for the second organizer, as found by a trial run of the action."""
    step, request = kind_of(proposal).step, request_of(proposal)
    request = replace(request, event=Event.objects.get(pk=proposal.event_id))
    try:
        with transaction.atomic():
            effects, facts = preview_consequences(step, request), stored_facts(step, request)
    except RefusedError as refused:
        return StepPreview(Consequences([], []), {}, [], refused.sentence)
    return StepPreview(effects, facts, describe_differences(proposal.foreseen, facts))


@transaction.atomic
def confirm(proposal: Proposal, actor: User, facts: Facts | None = None) -> Proposal:
    """Confirm a request and perform the action.

    `facts` is the effect that the second organizer has seen. If it is None, the current effect is
    not compared with it. Raises RefusedError with the code `state`, `same-person`, `role`, `own`
    or `changed`.
    """
    request = _lock_waiting_step(proposal, actor)
    step = kind_of(proposal).step
    _check_may_confirm(step, request, actor)
    request = replace(request, second=actor)
    try:
        with transaction.atomic():
            step.check(request)
            _check_effects_unchanged(step, request, facts)
            step.do(request)
    except RefusedError as refused:
        if refused.code == Code.CHANGED:
            raise
        text = _(
            "This can no longer be done as requested. {why} Reject the request, or make a new one."
        )
        raise RefusedError(Code.CHANGED, text.format(why=refused.sentence)) from refused
    return _store_answer(proposal, actor, State.CONFIRMED)


def _check_may_confirm(step: Step, request: StepRequest, actor: User) -> None:
    if actor == request.actor:
        raise RefusedError(
            Code.SAME_PERSON, _("You can’t confirm your own request. Someone else has to.")
        )
    _check_has_right(request.event, actor, step)
    if step.own(request, actor):
        raise RefusedError(
            Code.OWN, _("You’re playing at this table, so someone else has to confirm its points.")
        )


def _check_effects_unchanged(step: Step, request: StepRequest, facts: Facts | None) -> None:
    if facts is None:
        return
    if not facts:
        raise RefusedError(Code.CHANGED, _("Review the effects first, then confirm."))
    if not (changed := describe_differences(facts, stored_facts(step, request))):
        return
    text = _("Something has changed since you looked, so nothing has been done yet. {changed}")
    raise RefusedError(Code.CHANGED, text.format(changed=" ".join(changed)))


@transaction.atomic
def withdraw(proposal: Proposal, actor: User) -> str:
    """Withdraw a request of the actor. Return a sentence about what stays in effect, or "".

    Raises RefusedError with the code `state` or `not-yours`.
    """
    request = _lock_waiting_step(proposal, actor)
    if actor != request.actor:
        raise RefusedError(
            Code.NOT_YOURS,
            _("Only the person who made this request can withdraw it. You can reject it."),
        )
    return _close_unconfirmed(proposal, replace(request, second=actor), State.WITHDRAWN)


@transaction.atomic
def refuse(proposal: Proposal, actor: User, answer: str) -> str:
    """Refuse another organizer's request. Return a sentence about what stays in effect, or "".

    Raises RefusedError with the code `state`, `same-person`, `role` or `no-reason`.
    """
    request = _lock_waiting_step(proposal, actor)
    if actor == request.actor:
        raise RefusedError(Code.SAME_PERSON, _("This is your own request. Withdraw it instead."))
    _check_has_right(request.event, actor, kind_of(proposal).step)
    check_reason(answer, _("Give a reason. The person who made the request will read it."))
    return _close_unconfirmed(
        proposal, replace(request, second=actor, reason=answer), State.REFUSED
    )


def _close_unconfirmed(proposal: Proposal, request: StepRequest, state: str) -> str:
    """Refuse or withdraw a request, and undo its immediate effects as far as possible.

    Returns a sentence about the effects that stay, or "".
    """
    lasting_effects = kind_of(proposal).step.drop(request)
    assert request.second is not None
    answer = shorten(request.reason.strip(), 300) if state == State.REFUSED else ""
    _store_answer(proposal, request.second, state, answer, lasting_effects)
    return lasting_effects


def _check_has_right(event: Event, actor: User, step: Step) -> None:
    if not has_right(actor, event, step.right):
        raise RefusedError(
            Code.ROLE, _("Your role in this event doesn’t allow you to decide on this request.")
        )


def _lock_waiting_step(proposal: Proposal, actor: User) -> StepRequest:
    """Lock the event and return the pending request.

    Raises RefusedError with the code `state` if the request was answered.
    """
    event = lock_event(proposal.event, proposal, settled=True)
    if proposal.state != State.WAITING:
        raise RefusedError(Code.STATE, _describe_answer(proposal))
    return replace(request_of(proposal), event=event)


def _describe_answer(proposal: Proposal) -> str:
    """Describe how and by whom the request was answered."""
    text = _("This request has already been answered: {state}.")
    if proposal.decided_by and proposal.decided_at:
        text = _("This request has already been answered: {state} by {name} at {time}.")
    at = proposal.decided_at and timezone.localtime(proposal.decided_at).strftime("%H:%M")
    state = proposal.get_state_display()
    return text.format(state=state, name=proposal.decided_by, time=at)


def _store_answer(
    proposal: Proposal, actor: User, state: str, answer: str = "", lasting_effects: str = ""
) -> Proposal:
    proposal.state, proposal.answer = state, answer
    proposal.decided_by, proposal.decided_at = actor, timezone.now()
    proposal.save(update_fields=["state", "answer", "decided_by", "decided_at"])

    def describe_decision() -> str:
        text = _("Answered confirmation request no. {number}: {state}.")
        answered = text.format(number=proposal.pk, state=proposal.get_state_display())
        return " ".join(filter(None, [answered, lasting_effects]))

    record(proposal.event, actor, LogAction.ANSWER, describe_decision, answer, proposal=proposal.pk)
    return proposal
