"""The second person's answer to what waits: yes, no, or taken back by who asked."""

from dataclasses import replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.models import Event, Proposal, User
from tournament.queries.rights import may
from tournament.services import (
    exporting,
    invitations,
    locking,
    paper,
    people,
    playoffs,
    privacy,
    registering,
    results,
    rulings,
    taking_back,
)
from tournament.services.audit import record
from tournament.services.errors import Refused
from tournament.services.locks import lock_event
from tournament.services.second import Deed, Step

State = Proposal.State

STEPS: dict[str, Step] = {
    step.kind: step
    for step in (
        results.RESULT,
        results.UNDO,
        paper.BACK,
        registering.TAKE_OUT,
        playoffs.ORDER,
        playoffs.TAKE_BACK,
        people.COMMENTATOR,
        people.ORGANIZER,
        invitations.INVITE,
        people.RULE,
        exporting.EXPORT,
        taking_back.REOPEN,
        rulings.RULING,
        rulings.TAKE_BACK,
        locking.UNLOCK,
        privacy.ANONYMISE,
        privacy.PURGE,
    )
}


@transaction.atomic
def confirm(proposal: Proposal, actor: User) -> Proposal:
    """Do what was asked for, if it is still the same thing. Refused with: state, same-person,
    role, own, changed."""
    deed = _waiting(proposal, actor)
    if actor == deed.actor:
        raise Refused("same-person", _("Somebody else than who asked for it confirms it."))
    step = STEPS[proposal.kind]
    _check_role(deed.event, actor, step)
    if step.own(deed, actor):
        raise Refused("own", _("You play at this table: somebody else confirms its points."))
    deed = replace(deed, second=actor)
    try:
        with transaction.atomic():
            step.check(deed)
            step.do(deed)
    except Refused as refused:
        text = _("It can no longer be done as it was asked for: {why} Refuse it, or ask anew.")
        raise Refused("changed", text.format(why=refused.message)) from refused
    return _decide(proposal, actor, State.CONFIRMED)


@transaction.atomic
def withdraw(proposal: Proposal, actor: User) -> Proposal:
    """Take back what oneself has asked for. Refused with: state, not-yours."""
    deed = _waiting(proposal, actor)
    if actor != deed.actor:
        raise Refused("not-yours", _("Only who asked for it takes it back; you can refuse it."))
    STEPS[proposal.kind].drop(deed)
    return _decide(proposal, actor, State.WITHDRAWN)


@transaction.atomic
def refuse(proposal: Proposal, actor: User, answer: str) -> Proposal:
    """Say no to what somebody else has asked for.

    Refused with: state, same-person, role, no-reason.
    """
    deed = _waiting(proposal, actor)
    if actor == deed.actor:
        raise Refused("same-person", _("You asked for it yourself: take it back instead."))
    _check_role(deed.event, actor, STEPS[proposal.kind])
    if not answer.strip():
        raise Refused("no-reason", _("Please say why; who asked for it reads it."))
    STEPS[proposal.kind].drop(deed)
    return _decide(proposal, actor, State.REFUSED, answer.strip()[:300])


def _check_role(event: Event, actor: User, step: Step) -> None:
    if not may(actor, event, step.right):
        raise Refused("role", _("Your role in this event does not decide about that."))


def _waiting(proposal: Proposal, actor: User) -> Deed:
    """What is asked for, with the event locked. Refused with: state."""
    event = lock_event(proposal.event, settled=True)
    proposal.refresh_from_db()
    if proposal.state != State.WAITING:
        text = _("This has had its answer already: {state}.")
        raise Refused("state", text.format(state=proposal.get_state_display()))
    return Deed(event, proposal.asked_by, proposal.facts, proposal.reason, proposal.round)


def _decide(proposal: Proposal, actor: User, state: str, answer: str = "") -> Proposal:
    proposal.state, proposal.answer = state, answer
    proposal.decided_by, proposal.decided_at = actor, timezone.now()
    proposal.save(update_fields=["state", "answer", "decided_by", "decided_at"])

    def told() -> str:
        text = _("Answered what waited for a second person (No. {number}): {state}.")
        return text.format(number=proposal.pk, state=proposal.get_state_display())

    record(proposal.event, actor, "answer", told, answer, proposal=proposal.pk)
    return proposal
