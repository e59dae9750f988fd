"""Tests of the similarity of names, of cleaned text, and of cells in messages."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.pure.texts import clean_text, parse_whole, shorten_cell, skeleton


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Bob", "Воb"),  # Cyrillic capital and small letters
        ("Maya", "Мауа"),
        ("Pavi", "Ραvi"),
        ("Jasu", "Јаѕu"),
        ("Xia", "Хіа"),
        ("Asha", "𝐀𝐬𝐡𝐚"),  # mathematical letters
        ("Asha", "𝔸𝕤𝕙𝕒"),
        ("Asha", "Ⓐⓢⓗⓐ"),
        ("Asha", "ᴀsha"),  # small capitals, then letters of Lisu, Cherokee and Coptic
        ("Asha", "ꓮsha"),
        ("Sam", "Ꮪam"),
        ("Eva", "Ꭼva"),
        ("Cora", "Ⲥⲟra"),
        ("Bill", "B|ll"),
        ("Bill", "BILL"),
        ("Bill", "Bi1l"),
        ("Olo", "010"),
        ("Lila", "Iiia"),
        ("Fiona", "ﬁona"),
        ("Zoë", "Zoe\u0308"),
        ("Strauss", "Strauß"),
        ("Asha Rao", "AshaRao"),
        ("Asha Rao", " asha  RAO "),
        ("Asha", "A\u00adsha"),
    ],
)
def test_names_that_look_alike_have_the_same_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Asha", "Usha"),
        ("Ben", "Dev"),
        ("Ana", "Anna"),
        ("Jai", "Jay"),
        ("Asha Rao", "Rao Asha"),
        ("কাজল", "কমল"),
        ("राम", "राज"),
        ("", "A"),
    ],
)
def test_names_that_look_different_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


# Texts of Latin letters whose upper and lower case map to each other.
cased_texts = st.text(
    [
        sign
        for sign in map(chr, range(0x41, 0x250))
        if sign.isalpha() and sign.swapcase().swapcase() == sign
    ],
    max_size=12,
)


@given(cased_texts)
def test_case_spaces_and_zero_width_characters_do_not_distinguish_names(name: str) -> None:
    assert skeleton(name.swapcase()) == skeleton(name)
    assert skeleton(" ".join(name)) == skeleton(name)
    assert skeleton("\u200b".join(name)) == skeleton(name)


@given(st.text(max_size=20))
def test_cleaned_name_has_the_same_skeleton(name: str) -> None:
    assert skeleton(name) == skeleton(clean_text(name))


@given(st.text(max_size=20))
def test_cleaned_text_has_single_spaces_and_no_invisible_characters(text: str) -> None:
    clean = clean_text(text)
    assert clean == " ".join(clean.split())
    hidden = [c for c in clean if unicodedata.category(c).startswith("C")]
    assert set(hidden) <= {"\u200c", "\u200d"}
    assert unicodedata.is_normalized("NFC", clean)


@pytest.mark.parametrize(
    ("marks", "expected"), [(1, 1), (4, 4), (5, 4), (400, 4)], ids=lambda count: str(count)
)
def test_letter_keeps_at_most_four_combining_marks(marks: int, expected: int) -> None:
    mark = "\u0335"
    assert clean_text("a" + mark * marks + "b" + mark) == "a" + mark * expected + "b" + mark


# -- cells in messages -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("", ""),
        ("Asha", "Asha"),
        ("  Asha \n Rao\t", "Asha Rao"),
        ("As\x00ha", "As ha"),
        ("As\u202eha", "As ha"),
        ("\x07\x07", ""),
        ("x" * 40, "x" * 40),
        ("x" * 41, "x" * 39 + "…"),
        ("x" * 300, "x" * 39 + "…"),
        (" " * 50 + "x" * 40, "x" * 40),
        ("কাজল " * 20, ("কাজল " * 20)[:39] + "…"),
    ],
)
def test_cell_is_shortened_to_one_line(cell: str, expected: str) -> None:
    assert shorten_cell(cell) == expected


@given(st.text(max_size=120))
def test_shortened_cell_has_at_most_forty_characters_and_no_line_breaks(cell: str) -> None:
    shown = shorten_cell(cell)
    assert len(shown) <= 40
    assert shown.isprintable() or " " in shown or not shown.isascii()
    assert len(shown.splitlines()) <= 1
    assert shorten_cell(shown) == shown


# -- numbers -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("0", 0),
        ("7", 7),
        ("007", 7),
        ("9" * 18, 10**18 - 1),
        ("٣", 3),
        ("", None),
        (" 7", None),
        ("-7", None),
        ("+7", None),
        ("7.0", None),
        ("1e3", None),
        ("²", None),
        ("seven", None),
        ("9" * 19, None),
        ("9" * 5000, None),  # more digits than int() accepts
    ],
)
def test_only_non_negative_whole_numbers_are_parsed(typed: str, number: int | None) -> None:
    assert parse_whole(typed) == number
