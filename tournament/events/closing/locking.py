"""Locking the results of a finished event. Only two organizers together can unlock them."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from tournament.common.language import translate_later
from tournament.common.locks import lock_event, lock_row
from tournament.common.refusals import RefusedError
from tournament.events.closing import certification
from tournament.events.closing.unfinished import list_unfinished
from tournament.models import Event, LogAction, Proposal, User
from tournament.oversight.audit import record
from tournament.oversight.public_history import email_history_head
from tournament.oversight.second_person import Step, StepRequest, check_nothing_pending, take_step
from tournament.pure.codes import Code


@transaction.atomic
def lock_results(event: Event, actor: User, *, sure: bool) -> int:
    """Lock the results, issue certificates, and return the number of valid certificates.

    `sure` means that the organizer has confirmed the unfinished items. Raises RefusedError with
    the code `locked`, `state`, `waiting` or `unsure`.
    """
    event = lock_event(event)
    if event.state != Event.State.FINISHED:
        raise RefusedError(Code.STATE, _("Announce the winner first."))
    check_nothing_pending(event)
    if not sure:
        raise RefusedError(Code.UNSURE, _("Read the open items and tick the box to confirm."))
    event.locked_at = timezone.now()
    event.save(update_fields=["locked_at"])
    open_items = len(list_unfinished(event))
    count = certification.issue_certificates(event)

    def describe_locking() -> str:
        text = ngettext(
            "Locked the results; {count} certificate is valid.",
            "Locked the results; {count} certificates are valid.",
            count,
        )
        return text.format(count=count)

    record(event, actor, LogAction.LOCK, describe_locking, waiting=open_items, certificates=count)
    email_history_head(event)
    return count


@transaction.atomic
def unlock_results(event: Event, actor: User, reason: str) -> Proposal | None:
    """Unlock the results, possibly after confirmation by a second organizer.

    Returns the proposal if confirmation is needed. Until the results are locked again, the pages
    of certificates say that results are being corrected. Raises RefusedError with the code
    `no-reason`, `state` or `asked`.
    """
    event = lock_event(event, settled=True)
    return take_step(UNLOCK, StepRequest(event, actor, {}, reason))


def _check_locked(request: StepRequest) -> None:
    if not lock_row(request.event).locked_at:
        raise RefusedError(Code.STATE, _("The results are not locked."))


def _unlock_results(request: StepRequest) -> None:
    Event.objects.filter(pk=request.event.pk).update(locked_at=None)
    text = translate_later(gettext_noop("Unlocked the results."))
    record(
        request.event,
        request.actor,
        LogAction.UNLOCK,
        text,
        request.reason,
        second=bool(request.second),
    )


UNLOCK = Step(Proposal.Kind.UNLOCK, _check_locked, _unlock_results)
