"""Tests that stored second factors are encrypted with the site's key."""

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import NoReverseMatch, reverse
from pytest_django import Settings

from tests.factories import make_user
from tests.tournament.second_factor import (
    Passkey,
    authenticator_clock,
    compute_app_code,
    give_app,
    give_codes,
    submit_factor_code,
)
from tests.tournament.visitors import PASSWORD, is_signed_in, make_asha, sign_in
from tournament.people.accounts.factors import FactorAdapter

__all__ = ["authenticator_clock"]

pytestmark = pytest.mark.django_db

OTHER_KEY = "another key, of another site " * 2


def test_encrypted_secret_can_be_decrypted() -> None:
    assert FactorAdapter().decrypt(FactorAdapter().encrypt("a secret")) == "a secret"


def test_encrypting_a_secret_twice_gives_different_results() -> None:
    assert FactorAdapter().encrypt("a secret") != FactorAdapter().encrypt("a secret")


def test_secret_encrypted_with_another_key_decrypts_to_a_random_one(settings: Settings) -> None:
    sealed = FactorAdapter().encrypt("a secret")
    settings.SECRET_KEY = OTHER_KEY
    first, second = (FactorAdapter().decrypt(sealed) for _ in range(2))
    assert len({"a secret", "", first, second}) == 4


def test_database_contains_no_plain_totp_secret_or_recovery_code() -> None:
    user = make_user()
    secret, codes = give_app(user), give_codes(user)
    rows = str(list(Authenticator.objects.values()))
    assert [found for found in (secret, *codes) if found in rows] == []


@pytest.mark.usefixtures("authenticator_clock")
def test_codes_are_refused_without_errors_after_the_key_has_changed(
    client: Client, settings: Settings
) -> None:
    user = make_asha()
    secret, codes = give_app(user), give_codes(user)
    settings.SECRET_KEY = OTHER_KEY
    sign_in(client)
    for code in (compute_app_code(secret), codes[0]):
        assert submit_factor_code(client, code).status_code == 200
    assert not is_signed_in(client)


def test_admin_does_not_show_stored_factors() -> None:
    """Check that allauth's admin page for second factors is disabled.

    It would show them to every superuser.
    """
    with pytest.raises(NoReverseMatch):
        reverse("admin:mfa_authenticator_changelist")


@pytest.mark.usefixtures("authenticator_clock")
def test_passkeys_are_numbered_unless_the_owner_names_them(client: Client) -> None:
    make_asha()
    sign_in(client)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    for name in ("", "Laptop", ""):
        Passkey().add(client, name)
    kept = Authenticator.objects.filter(type="webauthn").order_by("pk")
    assert [str(key) for key in kept] == ["Passkey 1", "Laptop", "Passkey 3"]
