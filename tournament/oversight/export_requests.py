"""Requests to export personal data, which need a reason and a second organizer."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import Event, LogAction, Proposal, User
from tournament.oversight.audit import record
from tournament.oversight.second_person import VERSION, Step, StepRequest, take_step
from tournament.pure.codes import Code

State = Proposal.State
# The time for which a file can be downloaded after the request is confirmed.
GRANTED = timedelta(hours=24)
FILES = {
    "registrations": gettext_lazy("all registrations, with email addresses and roll numbers"),
    "list": gettext_lazy("the eligibility list"),
    "event": gettext_lazy("the whole event, including all personal data"),
}


@transaction.atomic
def request_export(event: Event, actor: User, which: str, reason: str) -> Proposal:
    """Request permission to export a file. `which` is a key of FILES.

    Raises RefusedError with the code `no-reason`, `which` or `asked`.
    """
    event = lock_event(event, settled=True)
    request = StepRequest(event, actor, {"which": which}, reason)
    return take_step(EXPORT, request) or Proposal.objects.create(
        event=event,
        kind=EXPORT.kind,
        facts={"version": VERSION, **request.facts},
        reason=reason.strip()[:300],
        state=State.ALONE,
        asked_by=actor,
        decided_at=timezone.now(),
    )


def may_export(event: Event, user: User, which: str) -> bool:
    """Return whether the user may download the file now."""
    requests = event.proposals.filter(kind=EXPORT.kind, facts__which=which, asked_by=user)
    since = timezone.now() - GRANTED
    granted = requests.filter(state__in=(State.CONFIRMED, State.ALONE), decided_at__gte=since)
    return granted.exists()


def _check_request(request: StepRequest) -> None:
    if request.facts["which"] not in FILES:
        raise RefusedError(Code.WHICH, _("There is no such file."))


def _log_permission(request: StepRequest) -> None:
    def describe_permission() -> str:
        return _("Got permission to export {file}.").format(file=FILES[request.facts["which"]])

    data = {"which": request.facts["which"], "second": bool(request.second)}
    record(
        request.event, request.actor, LogAction.EXPORT, describe_permission, request.reason, **data
    )


EXPORT = Step(Proposal.Kind.EXPORT, _check_request, _log_permission)
