"""Pages for check-in at the entrance, where players scan a QR code and then tap a button."""

import time

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament.attendance.door import VISIT_SECONDS, is_valid_code
from tournament.attendance.services import check_in_by_code
from tournament.common.refusals import RefusedError
from tournament.models import Registration
from tournament.people.accounts import security_log
from tournament.pure.codes import Code
from tournament.web.pages.site.shared import event_or_404, own_registration


@require_safe
def scan_entrance_code(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Check the code in the QR code at the entrance, and store the visit in the session.

    The session keeps the visit while the player signs in. The next URL does not contain the code,
    so players cannot pass the code on.
    """
    event = event_or_404(request, slug)
    if is_valid_code(event, code):
        request.session[_make_session_key(event.pk)] = int(time.time())
    else:
        security_log.log_incident(request, "code of the door refused")
        messages.error(request, _("This code has expired. Scan the current one at the door."))
    return redirect("event-here", event.slug)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def check_in_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the check-in button to a player who has scanned the code. On POST, check in."""
    event = event_or_404(request, slug)
    registration = own_registration(request, event)
    at_door = time.time() - request.session.get(_make_session_key(event.pk), 0) < VISIT_SECONDS
    if request.method == "POST" and registration is not None:
        return _check_in(request, registration, at_door)
    context = {"event": event, "mine": registration, "at_door": at_door}
    return render(request, "tournament/attendance/here.html", context)


def _check_in(request: HttpRequest, registration: Registration, at_door: bool) -> HttpResponse:
    try:
        if not at_door:
            raise RefusedError(Code.NO_DOOR, _("Scan the code at the door first."))
        check_in_by_code(registration)
    except RefusedError as refused:
        messages.error(request, refused.sentence)
        return redirect("event-here", registration.event.slug)
    messages.success(request, _("You’re checked in."))
    return redirect("my-table", registration.event.slug)


def _make_session_key(event: int) -> str:
    return f"at-door-{event}"
