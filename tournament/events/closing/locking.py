"""Locking of a finished event: only two organizers together can change its results."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from tournament.common.language import translate_later
from tournament.common.locks import lock_event, row_of
from tournament.common.refusals import RefusedError
from tournament.events.closing import certification
from tournament.events.closing.unfinished import list_unfinished
from tournament.models import Event, LogAction, Proposal, User
from tournament.oversight.audit import record
from tournament.oversight.public_history import mail_head
from tournament.oversight.second_person import Step, StepRequest, check_nothing_waits, take
from tournament.pure.codes import Code


@transaction.atomic
def lock_results(event: Event, actor: User, *, sure: bool) -> int:
    """Lock the event, issue its certificates and return how many players have one.

    Unless `sure`, the organizer is asked to confirm. Refused with: locked, state, waiting,
    unsure.
    """
    event = lock_event(event)
    if event.state != Event.State.FINISHED:
        raise RefusedError(Code.STATE, _("Announce the winner first."))
    check_nothing_waits(event)
    if not sure:
        raise RefusedError(Code.UNSURE, _("Read the open items and tick the box to confirm."))
    event.locked_at = timezone.now()
    event.save(update_fields=["locked_at"])
    open_ones = len(list_unfinished(event))
    count = certification.issue(event)

    def describe_locking() -> str:
        told = ngettext(
            "Locked the results; {count} certificate is valid.",
            "Locked the results; {count} certificates are valid.",
            count,
        )
        return told.format(count=count)

    record(event, actor, LogAction.LOCK, describe_locking, waiting=open_ones, certificates=count)
    mail_head(event)
    return count


@transaction.atomic
def unlock_results(event: Event, actor: User, reason: str) -> Proposal | None:
    """Unlock the results, either immediately or after a second organizer has confirmed.

    If confirmation is needed, the proposal is returned. Certificates are in doubt until the
    event is locked again. Refused with: no-reason, state, asked.
    """
    event = lock_event(event, settled=True)
    return take(UNLOCK, StepRequest(event, actor, {}, reason))


def _check(deed: StepRequest) -> None:
    if not row_of(deed.event).locked_at:
        raise RefusedError(Code.STATE, _("The results are not locked."))


def _unlock(deed: StepRequest) -> None:
    Event.objects.filter(pk=deed.event.pk).update(locked_at=None)
    text = translate_later(gettext_noop("Unlocked the results."))
    record(deed.event, deed.actor, LogAction.UNLOCK, text, deed.reason, second=bool(deed.second))


UNLOCK = Step(Proposal.Kind.UNLOCK, _check, _unlock)
