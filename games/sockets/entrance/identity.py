"""Identity of a socket's client, and checks that it is still valid."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib import auth
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.utils import timezone

from games.apps import get_games_config
from games.guests import Guest, find_guest
from games.json_values.key_lists import match_any
from games.process.asgi import Scope
from games.seats import Holder


@dataclass(frozen=True, slots=True)
class Identity:
    """An account or a guest, with their session.

    * `password`: the hash of the account's password, to detect a change of password. A guest has
      none.
    * `limit`: the matches to which the session is restricted (`games.apps.SessionLimits`), or None.
    """

    user: Any
    session_key: str
    password: str = ""
    limit: int | None = None

    @property
    def is_guest(self) -> bool:
        return isinstance(self.user, Guest)

    @property
    def holder(self) -> Holder:
        """Value by which a seat refers to this account or guest."""
        holder: Holder = self.user.key if self.is_guest else self.user.pk
        return holder


class SessionEndedError(Exception):
    """The cookie names a session that has ended or never existed."""


def session_key(scope: Scope) -> str:
    """Return the value of the session cookie, or an empty string."""
    for name, value in scope["headers"]:
        if name == b"cookie":
            cookies = parse_cookie(value.decode("latin-1"))
            if key := cookies.get(settings.SESSION_COOKIE_NAME):
                return key
    return ""


def identify(key: str) -> Identity | None:
    """Return the identity of the session with this key, or None if the key is empty.

    Raises SessionEndedError if the session has ended.
    """
    if not key:
        return None
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    signed_in = auth.SESSION_KEY in request.session
    if request.session.session_key is None:
        raise SessionEndedError
    user = auth.get_user(request)
    if user.is_authenticated:
        request.user = user
        return Identity(user, key, user.password, get_games_config().session_limits.find(request))
    if signed_in:
        raise SessionEndedError
    guest = find_guest(request.session)
    return Identity(guest, key) if guest else None


def find_valid_keys(identities: Iterable[Identity]) -> set[str]:
    """Return the session keys of those identities whose session and account are still valid.

    This takes two queries.
    """
    identities = list(identities)
    sessions = set(
        Session.objects.filter(
            session_key__in=match_any([identity.session_key for identity in identities]),
            expire_date__gt=timezone.now(),
        ).values_list("session_key", flat=True)
    )
    accounts = {identity.user.pk for identity in identities if not identity.is_guest}
    users = auth.get_user_model()._default_manager.filter(
        pk__in=match_any(accounts), is_active=True
    )
    passwords = {None: ""} | dict(users.values_list("pk", "password"))
    return {
        identity.session_key
        for identity in identities
        if identity.session_key in sessions and passwords.get(identity.user.pk) == identity.password
    }
