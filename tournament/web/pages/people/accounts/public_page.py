"""View that turns a player's public page on or off."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from tournament.careers.services import choose_public_page
from tournament.models import User
from tournament.web.forms.accounts import PublicPageForm


@login_required
@require_POST
def switch_public_page(request: HttpRequest) -> HttpResponse:
    """Turn the user's public page on or off."""
    form = PublicPageForm(None, request.POST)
    form.is_valid()  # Always valid, because the form has only two checkboxes.
    if choose_public_page(cast(User, request.user), **form.cleaned_data):
        messages.success(request, _("Your public page is on."))
    else:
        messages.success(request, _("Your public page is off. Its address no longer works."))
    return redirect("profile")
