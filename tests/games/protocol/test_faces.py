"""How a person looks: the same wherever they are named, and unlike the others at the table."""

import math
import re
from itertools import combinations

import pytest
from django.conf import settings

from games.protocol.faces import TONES, face_of, faces_at
from tests.games.test_art import CARD_COLORS, SIMULATIONS, contrast, lab, linear, times, token


def test_an_account_keeps_its_colour_whatever_it_is_called() -> None:
    tones = {face_of(name, 7)["tone"] for name in ("Asha", "Asha 2", "ASHA RAO")}
    assert len(tones) == 1


def test_a_bot_has_the_colour_of_its_name() -> None:
    assert face_of("Ada") == face_of("Ada")
    assert len({face_of(name)["tone"] for name in ("Ada", "Babbage", "Curie", "Dirac")}) > 1


def test_colours_are_spread_over_people() -> None:
    assert {face_of("Asha", account)["tone"] for account in range(200)} == set(range(TONES))


@pytest.mark.parametrize(
    ("name", "letter"),
    [("asha", "A"), ("  (Ben)", "B"), ("রিয়া", "র"), ("ßeta", "S"), ("7 of 9", "7"), ("…", "?")],
)
def test_the_letter_is_the_first_that_the_name_has(name: str, letter: str) -> None:
    assert face_of(name)["letter"] == letter


def test_no_two_at_a_table_have_the_same_colour_and_the_first_keeps_the_own() -> None:
    for first in range(40):
        people = [("Asha", account) for account in range(first, first + 10)]
        tones = [face["tone"] for face in faces_at(people)]
        assert len(set(tones)) == 10
        assert tones[0] == face_of("Asha", first)["tone"]


CSS = (settings.BASE_DIR / "static" / "css" / "faces.css").read_text()
COLORS = re.findall(r"\.tone-\d+ \{ --tone: (#\w+)", CSS)
# The tones that each kind of mark is drawn over; all others are plain.
MARKED = [
    {int(tone) for tone in re.findall(r"\.tone-(\d+)", line)}
    for line in CSS.splitlines()
    if "--mark:" in line
]


def seen_by(eyes: str, color: str) -> tuple[float, float, float]:
    return lab([min(1, max(0, each)) for each in times(SIMULATIONS[eyes], linear(color))])


def mark_of(tone: int) -> int:
    return next((number for number, tones in enumerate(MARKED) if tone in tones), -1)


def test_a_persons_colour_is_no_cards_colour_and_its_letter_can_be_read() -> None:
    for color in COLORS:
        assert contrast(color, token("card-paper")) >= 4.5
        for card in CARD_COLORS:
            assert math.dist(lab(linear(color)), lab(linear(token(f"card-{card}")))) >= 20


def test_colours_differ_for_all_eyes_or_have_a_mark_of_their_own() -> None:
    assert len(COLORS) == TONES
    for (one, first), (two, second) in combinations(enumerate(COLORS), 2):
        assert math.dist(lab(linear(first)), lab(linear(second))) >= 20
        for eyes in SIMULATIONS:
            apart = math.dist(seen_by(eyes, first), seen_by(eyes, second))
            assert apart >= 20 or mark_of(one) != mark_of(two), (first, second, eyes)
