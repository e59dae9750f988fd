"""Names in the order in which people look for them."""

import pytest

from tournament.pure.alphabet import initial, matches, order


def test_marks_count_only_between_names_that_are_else_equal() -> None:
    names = ["Zoë", "Örjan", "Æsa", "asha", "Šárka", "Oscar", "Łukasz", "Lukas", "zoe"]
    ordered = ["Æsa", "asha", "Lukas", "Łukasz", "Örjan", "Oscar", "Šárka", "Zoë", "zoe"]
    assert sorted(names, key=order) == ordered


def test_what_has_no_letter_comes_last_and_signs_before_letters_are_passed_over() -> None:
    assert sorted(["🂡", "Zed", "«Asha»", "Ben"], key=order) == ["«Asha»", "Ben", "Zed", "🂡"]


def test_vowel_signs_of_other_scripts_count() -> None:
    assert sorted(["কী", "কা", "ক"], key=order) == ["ক", "কা", "কী"]


@pytest.mark.parametrize(
    ("name", "letter"), [("Ödön", "O"), ("Æsa", "A"), ("«Asha»", "A"), ("কাজল", "ক"), ("🂡", "#")]
)
def test_a_name_is_listed_under_its_letter(name: str, letter: str) -> None:
    assert initial(name) == letter


@pytest.mark.parametrize("typed", ["odon", "ÖD", "kov", "kovacs ödön", "", "  "])
def test_a_name_is_found_by_parts_of_its_words_without_marks(typed: str) -> None:
    assert matches(typed, "Ödön Kovács")


def test_a_word_that_stands_nowhere_in_the_name_finds_nothing() -> None:
    assert not matches("ödön nagy", "Ödön Kovács")
