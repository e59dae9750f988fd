"""Which passwords are guessed first on this site."""

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from tournament.people.accounts.passwords import SiteWordsValidator

VALIDATOR = SiteWordsValidator(["card", "lastcard", "uno"])


@pytest.mark.parametrize(
    "password", ["lastcardlastcard", "LastCard1234", "unounouno-77", "my-lastcard-26"]
)
def test_little_more_than_words_of_the_site_is_refused(password: str) -> None:
    with pytest.raises(ValidationError) as refused:
        VALIDATOR.validate(password)
    assert refused.value.code == "site-words"
    assert refused.value.messages == [
        "This password is too easy to guess on this site. Add words of your own."
    ]


@pytest.mark.parametrize("password", ["seven-lucky-cards", "unobtrusive-lamp", "lastcard+12345678"])
def test_a_word_of_the_site_among_others_does_no_harm(password: str) -> None:
    VALIDATOR.validate(password)


def test_the_longer_word_is_taken_out_as_a_whole() -> None:
    """With "card" first, "last" would count as the person's own."""
    with pytest.raises(ValidationError):
        VALIDATOR.validate("lastcard1234567")


def test_the_site_asks_so() -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password("Tournament-2026")
    assert [error.code for error in refused.value.error_list] == ["site-words"]


def test_the_names_of_the_site_count() -> None:
    with pytest.raises(ValidationError) as refused:
        validate_password("localhost-1234")
    assert [error.code for error in refused.value.error_list] == ["site-words"]


def test_it_says_what_it_wants() -> None:
    text = "Your password needs more than the names of the site and its games."
    assert VALIDATOR.get_help_text() == text
