"""Second factors at rest: sealed with the site's key."""

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import NoReverseMatch, reverse
from pytest_django import Settings

from tests.factories import make_user
from tests.tournament.second_factor import (
    Passkey,
    app_code,
    clock,
    give_app,
    give_codes,
    give_factor,
)
from tests.tournament.visitors import PASSWORD, asha, sign_in, signed_in
from tournament.people.accounts.factors import FactorAdapter

__all__ = ["clock"]

pytestmark = pytest.mark.django_db

ANOTHER = "another key, of another site " * 2


def test_what_is_sealed_can_be_opened() -> None:
    assert FactorAdapter().decrypt(FactorAdapter().encrypt("a secret")) == "a secret"


def test_the_same_secret_never_looks_the_same() -> None:
    assert FactorAdapter().encrypt("a secret") != FactorAdapter().encrypt("a secret")


def test_with_another_key_a_secret_comes_out_that_nobody_knows(settings: Settings) -> None:
    sealed = FactorAdapter().encrypt("a secret")
    settings.SECRET_KEY = ANOTHER
    first, second = (FactorAdapter().decrypt(sealed) for _ in range(2))
    assert len({"a secret", "", first, second}) == 4


def test_the_database_knows_neither_the_app_s_secret_nor_a_recovery_code() -> None:
    user = make_user()
    secret, codes = give_app(user), give_codes(user)
    rows = str(list(Authenticator.objects.values()))
    assert [told for told in (secret, *codes) if told in rows] == []


@pytest.mark.usefixtures("clock")
def test_after_a_change_of_the_key_a_code_is_wrong_and_no_page_fails(
    client: Client, settings: Settings
) -> None:
    user = asha()
    secret, codes = give_app(user), give_codes(user)
    settings.SECRET_KEY = ANOTHER
    sign_in(client)
    for code in (app_code(secret), codes[0]):
        assert give_factor(client, code).status_code == 200
    assert not signed_in(client)


def test_no_page_of_the_admin_shows_what_is_kept() -> None:
    """allauth's own would, to every superuser."""
    with pytest.raises(NoReverseMatch):
        reverse("admin:mfa_authenticator_changelist")


@pytest.mark.usefixtures("clock")
def test_passkeys_are_named_by_number_unless_their_owner_names_them(client: Client) -> None:
    asha()
    sign_in(client)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    for name in ("", "Laptop", ""):
        Passkey().add(client, name)
    kept = Authenticator.objects.filter(type="webauthn").order_by("pk")
    assert [str(key) for key in kept] == ["Passkey 1", "Laptop", "Passkey 3"]
