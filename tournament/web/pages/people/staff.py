"""Page to accept or decline invitations to an event's staff."""

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.common.refusals import RefusedError
from tournament.models import Invitation, User
from tournament.people.accounts.assurance import is_weak, redirect_to_reauthentication
from tournament.people.staff.invitations import (
    accept_invitation,
    decline_invitation,
    filter_invitations_for,
    find_invited_address,
    select_open_invitations,
)
from tournament.people.staff.queries import ROLE_DESCRIPTIONS
from tournament.pure.texts import parse_whole
from tournament.web.forms.accounts import INVITED_KEY


@require_http_methods(["GET", "HEAD", "POST"])
def invitations(request: HttpRequest) -> HttpResponse:
    """Show the user's pending invitations, with buttons to accept or decline them.

    Visitors who are not signed in are redirected. The invited address is then filled in for them.
    """
    if not request.user.is_authenticated:
        if invited := find_invited_address(request.GET.get("to", "")):
            request.session[INVITED_KEY] = invited
        return redirect_to_login(reverse("invitations"))
    return _show_invitations(request)


def _show_invitations(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        # Signing in at the desk does not prove that the email address belongs to the user.
        return (
            redirect_to_reauthentication(request)
            if is_weak(request)
            else _answer_invitation(request)
        )
    pending = filter_invitations_for(select_open_invitations(), _get_user(request))
    rows = [(invitation, ROLE_DESCRIPTIONS[invitation.role]) for invitation in pending]
    return render(request, "tournament/people/invitations.html", {"invitations": rows})


def _answer_invitation(request: HttpRequest) -> HttpResponse:
    invitation = _find_invitation(request)
    try:
        if request.POST.get("action") == "accept":
            event = accept_invitation(invitation, _get_user(request))
            messages.success(request, _("Welcome to the desk of {event}.").format(event=event))
            return redirect("admin:event-desk", event.pk)
        decline_invitation(invitation, _get_user(request))
        messages.success(request, _("Declined. Nothing has changed."))
    except RefusedError as refused:
        messages.error(request, refused.sentence)
    return redirect("invitations")


def _find_invitation(request: HttpRequest) -> Invitation:
    invitation_id = parse_whole(request.POST.get("invitation", "")) or 0
    own_invitations = filter_invitations_for(Invitation.objects.all(), _get_user(request))
    invitation = own_invitations.filter(pk=invitation_id).first()
    if invitation is None:
        raise Http404("Not among this person's invitations.")
    return invitation


def _get_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
