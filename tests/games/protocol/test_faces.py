"""How a person looks: the same wherever they are named."""

import pytest

from games.protocol.faces import TONES, face_of


def test_an_account_keeps_its_colour_whatever_it_is_called() -> None:
    tones = {face_of(name, 7)["tone"] for name in ("Asha", "Asha 2", "ASHA RAO")}
    assert len(tones) == 1


def test_a_bot_has_the_colour_of_its_name() -> None:
    assert face_of("Ada (bot)") == face_of("Ada (bot)")
    assert len({face_of(name)["tone"] for name in ("Ada", "Babbage", "Curie", "Dirac")}) > 1


def test_colours_are_spread_over_people() -> None:
    assert {face_of("Asha", account)["tone"] for account in range(200)} == set(range(TONES))


@pytest.mark.parametrize(
    ("name", "letter"),
    [("asha", "A"), ("  (Ben)", "B"), ("রিয়া", "র"), ("ßeta", "S"), ("7 of 9", "7"), ("…", "?")],
)
def test_the_letter_is_the_first_that_the_name_has(name: str, letter: str) -> None:
    assert face_of(name)["letter"] == letter
