"""Answers to pending steps: confirmed or rejected by a second organizer, or withdrawn."""

from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.rules.clusters import shorten
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError, check_reason
from tournament.corrections.dry_run import Consequences
from tournament.desk.step_effects import consequences_of, differences, stored_facts
from tournament.desk.steps import kind_of, request_of
from tournament.models import Event, LogAction, Proposal, User
from tournament.oversight.audit import record
from tournament.oversight.rights import may
from tournament.oversight.second_person import Step, StepRequest
from tournament.pure.chain import Facts
from tournament.pure.codes import Code

State = Proposal.State


@dataclass(frozen=True)
class StepPreview:
    """Preview of confirming a step now.

    `found` has the effects, and `seen` has them in the form that `confirm` compares.
    `changed` lists the differences since the request was made. `blocked` says why the step
    can no longer be done, or is "".
    """

    found: Consequences
    seen: Facts
    changed: list[str]
    blocked: str = ""


def preview_of(proposal: Proposal) -> StepPreview:
    """Return the preview for the second organizer, recomputed by the code that does the step."""
    step, deed = kind_of(proposal).step, request_of(proposal)
    deed = replace(deed, event=Event.objects.get(pk=proposal.event_id))
    try:
        with transaction.atomic():
            found, seen = consequences_of(step, deed), stored_facts(step, deed)
    except RefusedError as refused:
        return StepPreview(Consequences([], []), {}, [], refused.sentence)
    return StepPreview(found, seen, differences(proposal.foreseen, seen))


@transaction.atomic
def confirm(proposal: Proposal, actor: User, facts: Facts | None = None) -> Proposal:
    """Carry out the requested step if its effects are still the ones in `facts`.

    If `facts` is None, the effects are not compared. Refused with: state, same-person, role,
    own, changed.
    """
    deed = _lock_waiting_step(proposal, actor)
    step = kind_of(proposal).step
    _check_second(step, deed, actor)
    deed = replace(deed, second=actor)
    try:
        with transaction.atomic():
            step.check(deed)
            _check_seen(step, deed, facts)
            step.do(deed)
    except RefusedError as refused:
        if refused.code == Code.CHANGED:
            raise
        text = _(
            "This can no longer be done as requested. {why} Reject the request, or make a new one."
        )
        raise RefusedError(Code.CHANGED, text.format(why=refused.sentence)) from refused
    return _decide(proposal, actor, State.CONFIRMED)


def _check_second(step: Step, deed: StepRequest, actor: User) -> None:
    if actor == deed.actor:
        raise RefusedError(
            Code.SAME_PERSON, _("You can’t confirm your own request. Someone else has to.")
        )
    _check_role(deed.event, actor, step)
    if step.own(deed, actor):
        raise RefusedError(
            Code.OWN, _("You’re playing at this table, so someone else has to confirm its points.")
        )


def _check_seen(step: Step, deed: StepRequest, facts: Facts | None) -> None:
    if facts is None:
        return
    if not facts:
        raise RefusedError(Code.CHANGED, _("Review the effects first, then confirm."))
    if not (changed := differences(facts, stored_facts(step, deed))):
        return
    text = _("Something has changed since you looked, so nothing has been done yet. {changed}")
    raise RefusedError(Code.CHANGED, text.format(changed=" ".join(changed)))


@transaction.atomic
def withdraw(proposal: Proposal, actor: User) -> str:
    """Withdraw one's own request, and return what stays in effect anyway ("" for nothing).

    Refused with: state, not-yours.
    """
    deed = _lock_waiting_step(proposal, actor)
    if actor != deed.actor:
        raise RefusedError(
            Code.NOT_YOURS,
            _("Only the person who made this request can withdraw it. You can reject it."),
        )
    return _drop(proposal, replace(deed, second=actor), State.WITHDRAWN)


@transaction.atomic
def refuse(proposal: Proposal, actor: User, answer: str) -> str:
    """Refuse another organizer's request and return what stays in effect anyway, or "".

    Raises RefusedError with: state, same-person, role, no-reason.
    """
    deed = _lock_waiting_step(proposal, actor)
    if actor == deed.actor:
        raise RefusedError(Code.SAME_PERSON, _("This is your own request. Withdraw it instead."))
    _check_role(deed.event, actor, kind_of(proposal).step)
    check_reason(answer, _("Give a reason. The person who made the request will read it."))
    return _drop(proposal, replace(deed, second=actor, reason=answer), State.REFUSED)


def _drop(proposal: Proposal, deed: StepRequest, state: str) -> str:
    """Reject or withdraw a request, undoing its immediate effects as far as possible.

    Returns what stays in effect anyway, or "".
    """
    stays = kind_of(proposal).step.drop(deed)
    assert deed.second is not None
    answer = shorten(deed.reason.strip(), 300) if state == State.REFUSED else ""
    _decide(proposal, deed.second, state, answer, stays)
    return stays


def _check_role(event: Event, actor: User, step: Step) -> None:
    if not may(actor, event, step.right):
        raise RefusedError(
            Code.ROLE, _("Your role in this event doesn’t allow you to decide on this request.")
        )


def _lock_waiting_step(proposal: Proposal, actor: User) -> StepRequest:
    """Lock the event and return the requested step.

    Raises RefusedError with: state.
    """
    event = lock_event(proposal.event, proposal, settled=True)
    if proposal.state != State.WAITING:
        raise RefusedError(Code.STATE, _describe_answer(proposal))
    return replace(request_of(proposal), event=event)


def _describe_answer(proposal: Proposal) -> str:
    """Describe how the request has already been answered."""
    text = _("This request has already been answered: {state}.")
    if proposal.decided_by and proposal.decided_at:
        text = _("This request has already been answered: {state} by {name} at {time}.")
    at = proposal.decided_at and timezone.localtime(proposal.decided_at).strftime("%H:%M")
    state = proposal.get_state_display()
    return text.format(state=state, name=proposal.decided_by, time=at)


def _decide(
    proposal: Proposal, actor: User, state: str, answer: str = "", stays: str = ""
) -> Proposal:
    proposal.state, proposal.answer = state, answer
    proposal.decided_by, proposal.decided_at = actor, timezone.now()
    proposal.save(update_fields=["state", "answer", "decided_by", "decided_at"])

    def describe_decision() -> str:
        text = _("Answered confirmation request no. {number}: {state}.")
        answered = text.format(number=proposal.pk, state=proposal.get_state_display())
        return " ".join(filter(None, [answered, stays]))

    record(proposal.event, actor, LogAction.ANSWER, describe_decision, answer, proposal=proposal.pk)
    return proposal
