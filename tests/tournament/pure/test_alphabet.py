"""Tests of sorting and searching names."""

import pytest

from tournament.pure.alphabet import index_letter, matches_name, name_sort_key


def test_diacritics_only_order_otherwise_equal_names() -> None:
    names = ["Zoë", "Örjan", "Æsa", "asha", "Šárka", "Oscar", "Łukasz", "Lukas", "zoe"]
    ordered = ["Æsa", "asha", "Lukas", "Łukasz", "Örjan", "Oscar", "Šárka", "Zoë", "zoe"]
    assert sorted(names, key=name_sort_key) == ordered


def test_leading_symbols_are_ignored_and_names_without_letters_sort_last() -> None:
    assert sorted(["🂡", "Zed", "«Asha»", "Ben"], key=name_sort_key) == ["«Asha»", "Ben", "Zed", "🂡"]


def test_vowel_signs_of_other_scripts_affect_the_order() -> None:
    assert sorted(["কী", "কা", "ক"], key=name_sort_key) == ["ক", "কা", "কী"]


@pytest.mark.parametrize(
    ("name", "letter"),
    [
        ("Ödön", "O"),
        ("Æsa", "A"),
        ("«Asha»", "A"),
        ("কাজল", "ক"),
        ("🂡", "#"),
        ("ʻIolani", "I"),
        ("𝓐sha", "A"),
        ("’t Hooft", "T"),
    ],
)
def test_name_is_listed_under_its_first_letter(name: str, letter: str) -> None:
    assert index_letter(name) == letter


@pytest.mark.parametrize("typed", ["odon", "ÖD", "kov", "kovacs ödön", "", "  "])
def test_name_is_found_by_word_fragments_without_diacritics(typed: str) -> None:
    assert matches_name(typed, "Ödön Kovács")


def test_name_without_a_typed_word_is_not_found() -> None:
    assert not matches_name("ödön nagy", "Ödön Kovács")
