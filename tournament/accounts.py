"""How allauth behaves here, beyond its settings."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from tournament.models import User


def limit_session(request: HttpRequest) -> None:
    """Organizers sign in anew every day: a lent or lost phone must not stay at the desk."""
    if request.user.is_staff:
        request.session.set_expiry(settings.STAFF_SESSION_SECONDS)


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]
    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        limit_session(request)
        response: HttpResponse = super().post_login(request, user, **kwargs)
        return response
