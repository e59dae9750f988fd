"""Tests of an identity provider's claims about a person."""

from typing import Any

import pytest

from tournament.people.accounts.college.claims import (
    choose_display_name,
    has_trusted_factor,
    is_address_confirmed,
)

DOMAINS = ["uni.edu"]
ASHA_CLAIMS = {"email": "asha@uni.edu"}


@pytest.mark.parametrize(
    ("claims", "proved"),
    [
        ({"email_verified": True}, True),
        ({"email_verified": "true"}, True),
        ({"email_verified": False}, False),
        ({"email_verified": "false"}, False),
        ({"email_verified": 1}, False),
        ({}, False),
    ],
)
def test_address_is_trusted_if_the_issuer_has_verified_it(
    claims: dict[str, Any], proved: bool
) -> None:
    assert is_address_confirmed(ASHA_CLAIMS | claims, []) is proved


@pytest.mark.parametrize(
    ("address", "proved"),
    [
        ("asha@uni.edu", True),
        ("asha@UNI.edu", True),
        ("asha@mail.uni.edu", False),
        ("asha@evil.com", False),
        ("", False),
    ],
)
def test_address_in_a_configured_domain_is_trusted_without_an_issuer_claim(
    address: str, proved: bool
) -> None:
    assert is_address_confirmed({"email": address}, DOMAINS) is proved


TENANT = "5f3c2f0e-0d4b-4f57-9a0e-2b8a3f6f8f11"


@pytest.mark.parametrize(
    ("claims", "proved"),
    [
        ({"tid": TENANT}, True),
        ({"tid": TENANT, "idp": f"https://sts.windows.net/{TENANT}/"}, True),
        ({"idp": "local"}, True),
        ({"tid": TENANT, "idp": "https://sts.windows.net/another/"}, False),
        ({"tid": TENANT, "idp": "live.com"}, False),
    ],
)
def test_address_of_an_entra_guest_is_not_trusted(claims: dict[str, Any], proved: bool) -> None:
    """Check that the address of a Microsoft Entra guest is not trusted.

    The guest's own tenant could state any address.
    """
    assert is_address_confirmed(ASHA_CLAIMS | claims, DOMAINS) is proved


def test_issuer_claim_takes_precedence_over_configured_domains() -> None:
    assert not is_address_confirmed(ASHA_CLAIMS | {"email_verified": False}, DOMAINS)


@pytest.mark.parametrize(
    ("token", "is_proved"),
    [
        ({"amr": ["pwd", "mfa"]}, True),
        ({"amr": "mfa"}, True),
        ({"acr": "2"}, True),
        ({"acr": 2}, True),
        ({"amr": ["pwd"], "acr": "1"}, False),
        ({"acr": "mfa"}, False),
        ({}, False),
    ],
)
def test_trusted_claim_proves_a_second_factor(token: dict[str, Any], is_proved: bool) -> None:
    assert has_trusted_factor(token, ["amr:mfa", "acr:2"]) is is_proved


def test_second_factor_claims_are_not_trusted_by_default() -> None:
    assert not has_trusted_factor({"amr": ["mfa"], "acr": None}, [])


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Asha  Rao", "Asha Rao"), ("…", ""), ("A" * 41, ""), (None, ""), (7, "7")],
)
def test_unsuitable_name_is_omitted(name: object, expected: str) -> None:
    assert choose_display_name({"name": name}) == expected
