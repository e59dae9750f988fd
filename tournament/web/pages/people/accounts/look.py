"""View that saves the avatar chosen on the account page."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.models import User
from tournament.people.looks import choose_look
from tournament.web.forms.accounts import LookForm


@login_required
@require_POST
def choose_avatar(request: HttpRequest) -> HttpResponse:
    """Save the chosen colour and icon.

    If one of them no longer exists, show an error. Only an outdated page can submit such a choice.
    """
    user = cast(User, request.user)
    form = LookForm(user, request.POST)
    if form.is_valid():
        choose_look(user, **form.cleaned_data)
        sentence = _(
            "Your avatar has been saved. It will be shown at tables from your next match on."
        )
        messages.success(request, sentence)
    else:
        messages.error(request, _("That colour or icon is no longer available. Choose again."))
    return redirect("profile")
