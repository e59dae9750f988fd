"""Tests of sign-in with tokens from Microsoft Entra."""

import pytest
from django.test import Client
from pytest_django import Settings

from tests.issuer import Issuer
from tests.tournament.web.pages.people.accounts.test_college import (
    ADDRESS,
    RefusalCheck,
    check_refusal,
    issuer,
    running_issuer,
    sign_in_at_college,
)
from tournament.models import User
from tournament.people.eligibility_match import list_verified_addresses
from tournament.pure.codes import Code

__all__ = ["check_refusal", "issuer", "running_issuer"]  # fixtures
pytestmark = pytest.mark.django_db

ENTRA_CLAIMS = {"preferred_username": ADDRESS, "name": "Asha Rao", "tid": "5f3c2f0e", "ver": "2.0"}


def test_entra_users_are_matched_by_mailbox_address(
    client: Client, issuer: Issuer, settings: Settings
) -> None:
    """Check that addresses in configured domains are treated as confirmed.

    Entra's tokens do not contain whether an address is confirmed.
    """
    settings.OIDC_PROVED_DOMAINS = ["college.example"]
    issuer.add_user("asha", **ENTRA_CLAIMS, email=ADDRESS)
    sign_in_at_college(client)
    assert list_verified_addresses(User.objects.get()) == {ADDRESS}


@pytest.mark.parametrize(
    "claims", [{}, {"email": ADDRESS, "idp": "https://sts.windows.net/other/"}]
)
def test_entra_user_names_and_guest_addresses_are_not_trusted(
    client: Client,
    issuer: Issuer,
    settings: Settings,
    check_refusal: RefusalCheck,
    claims: dict[str, str],
) -> None:
    """Check that addresses that may belong to someone else are not trusted.

    A user name may be the address of another person's mailbox. A guest's address was confirmed
    only by another tenant.
    """
    settings.OIDC_PROVED_DOMAINS = ["college.example"]
    issuer.add_user("asha", **ENTRA_CLAIMS, **claims)
    check_refusal(sign_in_at_college(client), Code.ISSUER_UNPROVED)
