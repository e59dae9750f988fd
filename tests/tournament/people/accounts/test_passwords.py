"""Tests that passwords made up of the site's own words are refused."""

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from tournament.people.accounts.passwords import SiteWordsValidator

VALIDATOR = SiteWordsValidator(["card", "lastcard", "uno"])


@pytest.mark.parametrize(
    "password", ["lastcardlastcard", "LastCard1234", "unounouno-77", "my-lastcard-26"]
)
def test_password_made_mostly_of_site_words_is_refused(password: str) -> None:
    with pytest.raises(ValidationError) as refused:
        VALIDATOR.validate(password)
    assert refused.value.code == "site-words"
    assert refused.value.messages == [
        "This password is too easy to guess on this site. Add words of your own."
    ]


@pytest.mark.parametrize("password", ["seven-lucky-cards", "unobtrusive-lamp", "lastcard+12345678"])
def test_password_may_contain_a_site_word(password: str) -> None:
    VALIDATOR.validate(password)


def test_longer_site_word_is_removed_first() -> None:
    """Check that "lastcard" is removed from a password before "card".

    Otherwise "last" would remain and count as the user's own choice.
    """
    with pytest.raises(ValidationError):
        VALIDATOR.validate("lastcard1234567")


def test_site_word_validator_is_enabled() -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password("Tournament-2026")
    assert [error.code for error in refused.value.error_list] == ["site-words"]


def test_site_names_count_as_site_words() -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password("localhost-1234")
    assert [error.code for error in refused.value.error_list] == ["site-words"]


def test_site_word_validator_has_a_help_text() -> None:
    text = "Your password needs more than the names of the site and its games."
    assert VALIDATOR.get_help_text() == text
