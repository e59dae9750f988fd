"""Page to sign in with a code from the desk."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.common.refusals import RefusedError
from tournament.people.accounts import security_log
from tournament.people.accounts.adapter import sign_in_at_desk
from tournament.people.accounts.desk_codes import use_desk_code
from tournament.web.forms.registration import DeskCodeForm


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest, code: str = "") -> HttpResponse:
    """Show the form for the code. On POST, sign in.

    The link in the QR code only fills in the code, and the person has to submit the form.
    Otherwise, programs that prefetch links would use up the code.
    """
    if request.user.is_authenticated:
        text = _("You’re signed in as {name}. If that’s someone else, sign out first.")
        messages.info(request, text.format(name=request.user))
        return redirect("profile")
    form = DeskCodeForm(request.POST or None, initial={"code": code})
    if request.method == "POST" and form.is_valid():
        try:
            registration = use_desk_code(form.cleaned_data["code"])
        except RefusedError as refused:
            security_log.log_incident(request, f"code of the desk refused ({refused.code})")
            form.add_error("code", refused.sentence)
        else:
            return sign_in_at_desk(request, registration)
    return render(
        request, "account/desk_sign_in.html", {"form": form}, status=400 if form.errors else 200
    )
