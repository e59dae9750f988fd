"""Tests of players' faces, which are distinct at a table."""

import math
import re
from itertools import combinations

import pytest
from django.conf import settings

from games.protocol.faces import COLORS, SIGNS, TONES, Person, face_of, faces_at, split_look
from tests.games.test_art import (
    CARD_COLORS,
    SIMULATIONS,
    compute_contrast,
    get_token,
    multiply,
    to_lab,
    to_linear_rgb,
)


def test_renaming_an_account_does_not_change_its_colour() -> None:
    tones = {face_of(name, 7)["tone"] for name in ("Asha", "Asha 2", "ASHA RAO")}
    assert len(tones) == 1


def test_colour_of_a_bot_depends_on_its_name() -> None:
    assert face_of("Ada") == face_of("Ada")
    assert len({face_of(name)["tone"] for name in ("Ada", "Babbage", "Curie", "Dirac")}) > 1


def test_colours_are_spread_evenly_over_accounts() -> None:
    assert {face_of("Asha", account)["tone"] for account in range(200)} == set(range(TONES))


@pytest.mark.parametrize(
    ("name", "letter"),
    [("asha", "A"), ("  (Ben)", "B"), ("রিয়া", "র"), ("ßeta", "S"), ("7 of 9", "7"), ("…", "?")],
)
def test_face_shows_the_first_letter_of_the_name(name: str, letter: str) -> None:
    assert face_of(name)["letter"] == letter


def test_colours_at_a_table_are_distinct_and_the_first_player_keeps_their_own() -> None:
    for first in range(40):
        people = [Person("Asha", account) for account in range(first, first + 10)]
        tones = [face["tone"] for face in faces_at(people)]
        assert len(set(tones)) == 10
        assert tones[0] == face_of("Asha", first)["tone"]


def test_look_has_at_most_one_colour_and_one_sign() -> None:
    looks = ["petrol owl", "owl", "petrol", "", "red dragon"]
    wanted = [("petrol", "owl"), ("", "owl"), ("petrol", ""), ("", ""), ("", "")]
    assert [split_look(look) for look in looks] == wanted


def test_chosen_look_overrides_the_computed_look() -> None:
    plain = face_of("Asha", 7)
    assert plain["sign"] == ""
    assert face_of("Asha", 7, "owl") == {**plain, "sign": "owl"}
    assert face_of("Asha", 7, "plum owl") == {"letter": "A", "tone": TONES - 1, "sign": "owl"}


def test_first_seat_keeps_a_colour_chosen_twice() -> None:
    people = [Person("Asha", 1, "plum"), Person("Ben", 2, "plum owl")]
    assert [face["tone"] for face in faces_at(people)] == [TONES - 1, 0]


def test_chosen_colour_is_lost_only_to_an_earlier_seat() -> None:
    people = [
        Person("Asha", 1, "violet"),
        Person("Ben", 2, "violet"),
        Person("Chandra", 3, "copper"),
    ]
    tones = [face["tone"] for face in faces_at(people)]
    assert tones == [0, 2, 1], "Ben gets the next colour that nobody has chosen"


def test_chosen_colours_take_priority_over_computed_ones() -> None:
    computed = face_of("Asha", 1)["tone"]
    people = [Person("Asha", 1), Person("Ben", 2, COLORS[computed])]
    assert [face["tone"] for face in faces_at(people)] == [(computed + 1) % TONES, computed]


CSS = (settings.BASE_DIR / "static" / "css" / "faces.css").read_text()
TOKENS = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text()
TONE_COLORS = re.findall(r"\.tone-\d+ \{ --tone: (#\w+)", TOKENS)
# The tones that each kind of mark is drawn over. All other tones are plain.
MARKED_TONES = [
    {int(tone) for tone in re.findall(r"\.tone-(\d+)", selector)}
    for selector in re.findall(r"(:is\(\.tone[^{]*)\{\s*--mark:", CSS)
]


def simulate_color(eyes: str, color: str) -> tuple[float, float, float]:
    return to_lab(
        [min(1, max(0, each)) for each in multiply(SIMULATIONS[eyes], to_linear_rgb(color))]
    )


def get_mark(tone: int) -> int:
    return next((number for number, tones in enumerate(MARKED_TONES) if tone in tones), -1)


def test_face_colours_differ_from_card_colours_and_keep_letters_legible() -> None:
    for color in TONE_COLORS:
        assert compute_contrast(color, get_token("card-paper")) >= 4.5
        for card in CARD_COLORS:
            assert (
                math.dist(
                    to_lab(to_linear_rgb(color)), to_lab(to_linear_rgb(get_token(f"card-{card}")))
                )
                >= 20
            )


def test_signs_are_in_order_in_the_sprite_and_the_css() -> None:
    row = (settings.BASE_DIR / "static" / "img" / "signs.svg").read_text()
    drawn = re.findall(r'<svg id="(\w+)" x="(\d+)"', row)
    assert drawn == [(sign, str(48 * place)) for place, sign in enumerate(SIGNS)]
    placed = re.findall(r"\.sign-(\w+) \{ --sign: (\d+); \}", CSS)
    assert placed == [(sign, str(place)) for place, sign in enumerate(SIGNS)]


def test_face_colours_are_distinct_for_colour_blind_viewers_or_marked() -> None:
    assert len(TONE_COLORS) == TONES
    for (one, first), (two, second) in combinations(enumerate(TONE_COLORS), 2):
        assert math.dist(to_lab(to_linear_rgb(first)), to_lab(to_linear_rgb(second))) >= 30
        for eyes in SIMULATIONS:
            apart = math.dist(simulate_color(eyes, first), simulate_color(eyes, second))
            assert apart >= 20 or get_mark(one) != get_mark(two), (first, second, eyes)
