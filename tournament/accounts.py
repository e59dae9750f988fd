"""How allauth behaves here, beyond its settings."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse

from tournament.models import User
from tournament.services.accounts import hand_over

HANDED_OVER = (
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


def code_entered(
    request: HttpRequest, user: User, method: str, email: str = "", **_more: Any
) -> None:
    """A receiver: allauth now confirms the address, and would keep any password given for it."""
    if method == "code" and email and hand_over(user, email):
        messages.info(request, HANDED_OVER)
