"""Tests of the email domains that an event requires."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.pure.lists import is_allowed, is_any_allowed, parse_domains
from tournament.pure.lists.domains import describe_domains

DOMAINS = ["uni.edu", "xn--mller-kva.de"]


@pytest.mark.parametrize(
    "address",
    ["a@uni.edu", "A@UNI.EDU", "a+tag@uni.edu", '"odd@name"@uni.edu', "a@müller.de", "a@MÜLLER.de"],
)
def test_address_in_the_domain_is_allowed(address: str) -> None:
    assert is_allowed(address, DOMAINS)


@pytest.mark.parametrize(
    "address",
    [
        "a@uni.edu.evil.com",
        "a@eviluni.edu",
        "a@mail.uni.edu",
        "a@uni.edu.",
        "a@uni-edu",
        "uni.edu",
        "@evil.com",
        "",
        "a@uni.edu@evil.com",
        "a@unı.edu",
        "a@" + "x" * 70 + ".edu",
    ],
)
def test_address_in_a_similar_domain_is_not_allowed(address: str) -> None:
    assert not is_allowed(address, DOMAINS)


def test_any_address_is_allowed_without_domains() -> None:
    assert is_allowed("a@anywhere.example", [])
    assert is_any_allowed([], [])


def test_one_matching_address_is_enough() -> None:
    assert is_any_allowed(["a@home.example", "a@uni.edu"], DOMAINS)
    assert not is_any_allowed([], DOMAINS)


@given(prefix=st.text("abcdefgh-.", min_size=1, max_size=8))
def test_domain_with_text_before_or_after_it_is_not_allowed(prefix: str) -> None:
    assert not is_allowed(f"a@{prefix}uni.edu", DOMAINS)
    assert not is_allowed(f"a@uni.edu{prefix}", DOMAINS)


def test_domains_with_any_separator_are_parsed() -> None:
    typed = "Uni.edu, @cs.uni.edu;müller.de\nuni.edu"
    assert parse_domains(typed) == ["uni.edu", "cs.uni.edu", "xn--mller-kva.de"]
    assert parse_domains("  ") == []


@pytest.mark.parametrize(
    "typed", ["uni", "uni..edu", "-uni.edu", "a@uni.edu", "uni.edu/x", "*.edu"]
)
def test_invalid_domain_is_refused_with_a_message(typed: str) -> None:
    with pytest.raises(ValueError, match=r"is not a domain. Enter the part after the @"):
        parse_domains(typed)


def test_domains_are_listed_with_an_at_sign() -> None:
    assert describe_domains(["uni.edu", "cs.uni.edu"]) == "@uni.edu or @cs.uni.edu"
