"""Tests of searching for people by parts of their name or roll number."""

import pytest

from tournament.pure.search import matches_person


@pytest.mark.parametrize(
    "typed", ["élodie", "elodie", "ELO", "dubois élo", "21001", "২১০০১", "ch-21", "ch 21", ""]
)
def test_person_is_found_by_name_or_roll_number(typed: str) -> None:
    assert matches_person(typed, "Élodie Dubois", "CH-21001")


@pytest.mark.parametrize("typed", ["eloise", "21002", "রমা"])
def test_person_with_another_name_and_roll_number_is_not_found(typed: str) -> None:
    assert not matches_person(typed, "Élodie Dubois", "CH-21001")


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("o'neil", "Sinéad O’Neil"), ("oneil", "Sinéad O’Neil"), ("O’Neil", "Sinead ONeil"),
        ("Kaiulani", "Kaʻiulani"), ("jean-luc", "Jean‑Luc"), ("jean luc", "Jean-Luc"),
        ("Jean–Luc", "Jean Luc"), ("asha", "𝓐𝓼𝓱𝓪"), ("asha", "Ａｓｈａ"), ("علی اکبر", "علی‌اکبر"),
        ("علیاکبر", "علی‌اکبر"), ("র্যাচেল", "র‍্যাচেল"), ("ශ්රී", "ශ්‍රී"), ("محمد", "مُحَمَّد"),
        ("אברהם", "אַבְרָהָם"), ("Νικος", "Νίκος"), ("елкин", "Ёлкин"),
        ("Nguyen Anh", "Nguyễn Thị Ánh"),
    ],
)  # fmt: skip
def test_apostrophes_joiners_and_vowel_points_are_optional_in_a_search(
    typed: str, name: str
) -> None:
    assert matches_person(typed, name)


@pytest.mark.parametrize(("typed", "name"), [("रमा", "राम"), ("й", "Иван"), ("がい", "かい")])
def test_marks_that_change_a_letter_count_in_a_search(typed: str, name: str) -> None:
    assert not matches_person(typed, name)
