"""Contents of Microsoft Entra's tokens, and the claims that they prove."""

import pytest
from django.test import Client
from pytest_django import Settings

from tests.issuer import Issuer
from tests.tournament.web.pages.people.accounts.test_college import (
    ADDRESS,
    Refused,
    expect_sign_in_refused,
    issuer,
    running_issuer,
    walk,
)
from tournament.models import User
from tournament.people.eligibility_match import verified_addresses
from tournament.pure.codes import Code

__all__ = ["expect_sign_in_refused", "issuer", "running_issuer"]  # fixtures
pytestmark = pytest.mark.django_db

ENTRA = {"preferred_username": ADDRESS, "name": "Asha Rao", "tid": "5f3c2f0e", "ver": "2.0"}


def test_entra_users_are_matched_by_mailbox_address(
    client: Client, issuer: Issuer, settings: Settings
) -> None:
    """Check that addresses in configured domains count as confirmed.

    Entra's tokens never say that an address is confirmed.
    """
    settings.OIDC_PROVED_DOMAINS = ["college.example"]
    issuer.add_user("asha", **ENTRA, email=ADDRESS)
    walk(client)
    assert verified_addresses(User.objects.get()) == {ADDRESS}


@pytest.mark.parametrize(
    "claims", [{}, {"email": ADDRESS, "idp": "https://sts.windows.net/other/"}]
)
def test_entra_user_names_and_guest_addresses_are_not_trusted(
    client: Client,
    issuer: Issuer,
    settings: Settings,
    expect_sign_in_refused: Refused,
    claims: dict[str, str],
) -> None:
    """Guard against borrowed addresses.

    A user name may be another person's mailbox, and only another tenant vouches for a guest's
    address.
    """
    settings.OIDC_PROVED_DOMAINS = ["college.example"]
    issuer.add_user("asha", **ENTRA, **claims)
    expect_sign_in_refused(walk(client), Code.ISSUER_UNPROVED)
