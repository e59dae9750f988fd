"""An issuer's claims about a person."""

from typing import Any

import pytest

from tournament.people.accounts.college.claims import second_factor, shown_name, vouches

DOMAINS = ["uni.edu"]
ASHA = {"email": "asha@uni.edu"}


@pytest.mark.parametrize(
    ("said", "proved"),
    [
        ({"email_verified": True}, True),
        ({"email_verified": "true"}, True),
        ({"email_verified": False}, False),
        ({"email_verified": "false"}, False),
        ({"email_verified": 1}, False),
        ({}, False),
    ],
)
def test_an_address_is_proved_where_the_issuer_says_so(said: dict[str, Any], proved: bool) -> None:
    assert vouches(ASHA | said, []) is proved


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
def test_without_its_word_the_domains_that_the_setting_names_are(
    address: str, proved: bool
) -> None:
    assert vouches({"email": address}, DOMAINS) is proved


TENANT = "5f3c2f0e-0d4b-4f57-9a0e-2b8a3f6f8f11"


@pytest.mark.parametrize(
    ("said", "proved"),
    [
        ({"tid": TENANT}, True),
        ({"tid": TENANT, "idp": f"https://sts.windows.net/{TENANT}/"}, True),
        ({"idp": "local"}, True),
        ({"tid": TENANT, "idp": "https://sts.windows.net/another/"}, False),
        ({"tid": TENANT, "idp": "live.com"}, False),
    ],
)
def test_a_guest_of_an_entra_tenant_proves_no_address_of_its_domains(
    said: dict[str, Any], proved: bool
) -> None:
    """Their own tenant says what their address is."""
    assert vouches(ASHA | said, DOMAINS) is proved


def test_what_the_issuer_says_counts_for_more_than_the_setting() -> None:
    assert not vouches(ASHA | {"email_verified": False}, DOMAINS)


@pytest.mark.parametrize(
    ("token", "given"),
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
def test_a_second_factor_was_given_where_a_trusted_claim_says_so(
    token: dict[str, Any], given: bool
) -> None:
    assert second_factor(token, ["amr:mfa", "acr:2"]) is given


def test_no_claim_is_trusted_unasked() -> None:
    assert not second_factor({"amr": ["mfa"], "acr": None}, [])


@pytest.mark.parametrize(
    ("name", "shown"), [("Asha  Rao", "Asha Rao"), ("…", ""), ("A" * 41, ""), (None, ""), (7, "7")]
)
def test_a_name_that_others_cannot_read_is_left_out(name: object, shown: str) -> None:
    assert shown_name({"name": name}) == shown
