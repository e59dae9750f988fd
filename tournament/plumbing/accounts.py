"""How allauth behaves here, beyond its settings."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as allauth_context
from django.conf import settings
from django.contrib import messages
from django.contrib.sites.shortcuts import get_current_site
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy

from tournament.models import User
from tournament.services import letters
from tournament.services.accounts import hand_over

HANDED_OVER = gettext_lazy(
    "Your address is confirmed for the first time: a password or a name given earlier, perhaps by "
    "somebody else, no longer counts. You can set both in your profile."
)


def limit_session(request: HttpRequest) -> None:
    """Organizers sign in anew every day: a lent or lost phone must not stay at the desk."""
    if request.user.is_staff:
        request.session.set_expiry(settings.STAFF_SESSION_SECONDS)


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]
    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        limit_session(request)
        response: HttpResponse = super().post_login(request, user, **kwargs)
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, object]) -> None:
        """As allauth does, but the request does not wait. "We have sent" is said to everybody."""
        request = allauth_context.request
        given = {"request": request, "email": email, "current_site": get_current_site(request)}
        message = self.render_mail(template_prefix, email, given | context)
        patience = letters.CODE_PATIENCE if "code" in context else letters.PATIENCE
        letters.post([letters.written(message, urgent=True, patience=patience)])


def code_entered(
    request: HttpRequest, user: User, method: str, email: str = "", **_more: Any
) -> None:
    """A receiver: allauth now confirms the address, and would keep any password given for it."""
    if method == "code" and email and hand_over(user, email):
        messages.info(request, HANDED_OVER)
