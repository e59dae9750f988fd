"""Encrypted storage of second factors, so that a stolen backup does not reveal them."""

import base64
import hashlib
import secrets
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.core import context as allauth_context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.utils.translation import gettext as _

from tournament.models import User
from tournament.people.accounts.assurance import ISSUER_FACTOR


class FactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    def encrypt(self, text: str) -> str:
        return _make_cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the decrypted secret.

        If it was encrypted with another key, return a random secret, which no code will match.
        """
        try:
            return _make_cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return base64.b32encode(secrets.token_bytes(20)).decode()

    def is_mfa_enabled(self, user: User, types: Any = None) -> bool:
        """Return whether this site should ask for a second factor.

        It need not if the issuer has checked one during the current sign-in.
        """
        request = allauth_context.request
        if request is not None and not request.user.is_authenticated:
            records = get_authentication_records(request, user)
            if ISSUER_FACTOR in {record["method"] for record in records}:
                return False
        return bool(super().is_mfa_enabled(user, types))

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        number = Authenticator.objects.filter(user=user, type=type).count() + 1
        return _("Passkey {number}").format(number=number)


def _make_cipher() -> Fernet:
    key = hashlib.sha256(f"tournament.factors:{settings.SECRET_KEY}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
