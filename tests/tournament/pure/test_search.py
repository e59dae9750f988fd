"""Search for people by parts of their name or roll number."""

import pytest

from tournament.pure.search import is_found


@pytest.mark.parametrize(
    "typed", ["élodie", "elodie", "ELO", "dubois élo", "21001", "২১০০১", "ch-21", "ch 21", ""]
)
def test_a_person_is_found_by_name_or_roll_number(typed: str) -> None:
    assert is_found(typed, "Élodie Dubois", "CH-21001")


@pytest.mark.parametrize("typed", ["eloise", "21002", "রমা"])
def test_another_person_is_not_found(typed: str) -> None:
    assert not is_found(typed, "Élodie Dubois", "CH-21001")
