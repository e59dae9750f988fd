"""Tests of the normalization of names, roll numbers and email addresses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.pure.lists import ListedStudent, find_fault
from tournament.pure.lists.texts import (
    is_email,
    normalise_email,
    normalise_roll,
)
from tournament.pure.texts import clean_text, skeleton


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("  Asha \t Rao\n", "Asha Rao"),
        ("A\u200bs\u202eha\ufeff", "Asha"),
        ("Zoe\u0308", "Zoë"),
        ("अनुष्का", "अनुष्का"),
        ("e" + "\u0335" * 30, "e" + "\u0335" * 4),
        ("\x1b[31mred", "[31mred"),
    ],
)
def test_names_are_cleaned(text: str, clean: str) -> None:
    assert clean_text(text) == clean
    assert clean_text(clean) == clean


@given(st.text())
def test_cleaned_text_does_not_change_if_cleaned_again(text: str) -> None:
    assert clean_text(clean_text(text)) == clean_text(text)
    assert normalise_roll(normalise_roll(text)) == normalise_roll(text)


@pytest.mark.parametrize("other", ["Аshа", "ASHA", "A s h a", "Áshà", "As\u200bha", "Ａｓｈａ"])
def test_similar_names_have_the_same_skeleton(other: str) -> None:
    assert skeleton(other) == skeleton("Asha")


def test_different_names_have_different_skeletons() -> None:
    people = ["Asha", "Ben", "Chen", "Dia", "Ashok", "ಆಶಾ", "आशा"]
    assert len({skeleton(name) for name in people}) == len(people)
    assert skeleton("Bi11") == skeleton("Bill") == skeleton("BiII")


@pytest.mark.parametrize(
    ("roll", "key"),
    [(" ch-001 ", "CH-001"), ("CH–001", "CH-001"), ("ｃｈ００１", "CH001"), ("19 / 7", "19/7")],
)
def test_spaces_and_case_do_not_matter_in_roll_numbers(roll: str, key: str) -> None:
    assert normalise_roll(roll) == key


@pytest.mark.parametrize(
    "address",
    ["a@b.in", "first.last+tag@cs.college.edu", "o'neil@college.edu", "a@xn--e1afmkfd.com"],
)
def test_valid_addresses_are_accepted(address: str) -> None:
    assert is_email(address)


@pytest.mark.parametrize(
    "address",
    ["", "a", "a@", "@b.in", "a@b", "a@@b.in", "a b@c.in", "a@b..in", ".a@b.in", "a.@b.in",
     "a..b@c.in", "a@-b.in", "a@b.in.", "a@b.in,c@d.in", "a@[127.0.0.1]", "á@b.in",
     "a" * 65 + "@b.in"],
)  # fmt: skip
def test_invalid_addresses_are_refused(address: str) -> None:
    assert not is_email(address)


def test_fault_of_an_invalid_address_shows_a_valid_one() -> None:
    wrong = find_fault(ListedStudent("CH1", "Asha", "asha@"))
    assert wrong is not None
    assert wrong.text == "“asha@” is not an email address; it should look like name@college.edu"


def test_address_is_taken_out_of_angle_brackets() -> None:
    assert normalise_email(" Asha Rao <Asha@College.EDU> ") == "asha@college.edu"
