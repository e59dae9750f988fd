"""Tests of the site key, which all processes of a site share."""

import pytest
from pytest_django import Settings

from games.play.site_key import SiteKey, list_receipt, sign_receipt, site_key
from games.rules.fair.deal import DealKey
from games.rules.fair.receipts import list_receipt_text

SIGNED_TEXT = b"what was acknowledged"
DEAL_KEY = DealKey("m", 1, 1)


def test_receipt_matches_only_its_text_and_names_the_site_key() -> None:
    receipt = sign_receipt(SIGNED_TEXT)
    assert receipt.key == site_key()
    assert (receipt.verifies(SIGNED_TEXT), receipt.verifies(SIGNED_TEXT + b".")) == (True, False)


def test_all_processes_of_a_site_share_one_key() -> None:
    assert SiteKey().public == SiteKey().public == site_key()


def test_different_secret_gives_a_different_key(settings: Settings) -> None:
    before = SiteKey().public
    settings.SECRET_KEY = "of another site " * 4
    assert SiteKey().public != before


@pytest.mark.parametrize("secret", ["k" * 50, b"k" * 50])
def test_key_derivation_from_the_secret_never_changes(
    settings: Settings, secret: str | bytes
) -> None:
    """Guard against a change of the derivation, which would give every site a new key."""
    settings.SECRET_KEY = secret
    assert SiteKey().public.startswith("048a8a068da9624f35ce3fe0")


def test_repeatedly_shown_list_is_signed_once() -> None:
    first = list_receipt(DEAL_KEY, "ab" * 32)
    assert first is list_receipt(DEAL_KEY, "ab" * 32)
    assert first.verifies(list_receipt_text(DEAL_KEY, "ab" * 32))
    assert not first.verifies(list_receipt_text(DEAL_KEY, "ac" * 32))
