"""How second factors are kept: sealed with the site's key, so that a backup alone opens nothing."""

import base64
import hashlib
from collections.abc import Collection

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.utils.translation import gettext as _

from games.stored.asked import Asked
from tournament.models import User

_KINDS = Asked(lambda user: Authenticator.objects.filter(user=user).values_list("type"))


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]
    def encrypt(self, text: str) -> str:
        return _box().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """The secret; one that nobody knows where it was sealed with another key."""
        try:
            return _box().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            secret: str = generate_totp_secret()
            return secret

    def is_mfa_enabled(self, user: User, types: Collection[str] | None = None) -> bool:
        """Whether the account has one of these factors, or any."""
        kinds = {kind for (kind,) in _KINDS.values(user.pk)} if user.pk else set()
        return bool(kinds if types is None else kinds.intersection(types))

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return _("Passkey {number}").format(number=number)


def _box() -> Fernet:
    key = hashlib.sha256(f"tournament.factors:{settings.SECRET_KEY}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
