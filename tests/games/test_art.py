"""Tests that card faces are complete, up to date and distinct for colour-blind people."""

import math
import re
from itertools import combinations

import pytest
from django.conf import settings

from games.art import sprite
from games.art.strokes import SHAPES, SUITS
from games.rules.deck.decks import all_notations

TOKENS = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text()
CARD_COLORS = ("red", "yellow", "green", "blue")

# Matrices from linear RGB to the colours seen by people without red or green cones (Machado,
# Oliveira and Fernandes 2009, severity 1).
SIMULATIONS = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.95047, 1.0, 1.08883)


def get_token(name: str) -> str:
    """Return the hex colour of a variable in tokens.css that is the same in light and dark mode."""
    found = re.search(rf"--{name}: (#[0-9a-f]{{6}});", TOKENS)
    assert found, f"--{name} is no plain colour in tokens.css"
    return found[1]


def to_linear_rgb(color: str) -> list[float]:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def multiply(matrix: tuple[tuple[float, ...], ...], vector: list[float]) -> list[float]:
    return [sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix]


def to_lab(rgb: list[float]) -> tuple[float, float, float]:
    relative = [v / w for v, w in zip(multiply(TO_XYZ, rgb), WHITE, strict=True)]
    x, y, z = (v ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in relative)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def compute_contrast(first: str, second: str) -> float:
    """Return the WCAG contrast ratio of two colours."""
    low, high = sorted(multiply(TO_XYZ[1:2], to_linear_rgb(color))[0] for color in (first, second))
    return (high + 0.05) / (low + 0.05)


def test_sprite_file_is_up_to_date() -> None:
    assert (settings.BASE_DIR / "static" / "img" / "cards.svg").read_text() == sprite()


def test_u22_every_card_has_a_face_and_every_colour_a_shape() -> None:
    drawn = re.findall(r'<symbol id="([^"]+)"', sprite())
    shapes = [f"s-{color}" for color in (*SHAPES, *SUITS)]
    assert sorted(drawn) == sorted([*all_notations(), *shapes, "W8", "back"])


def test_all_card_faces_are_different() -> None:
    bodies = re.findall(r'<symbol id="[^"]+" (.*?)</symbol>', sprite())
    assert len(set(bodies)) == len(bodies)


@pytest.mark.parametrize("eyes", SIMULATIONS)
def test_u23_closest_colour_pair_is_20_apart_for_colour_blind_viewers(eyes: str) -> None:
    seen = [
        to_lab(
            [
                min(1, max(0, c))
                for c in multiply(SIMULATIONS[eyes], to_linear_rgb(get_token(f"card-{color}")))
            ]
        )
        for color in CARD_COLORS
    ]
    assert min(math.dist(a, b) for a, b in combinations(seen, 2)) >= 20


@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("card-paper", "card-red"),
        ("card-black", "card-yellow"),
        ("card-paper", "card-green"),
        ("card-paper", "card-blue"),
        ("card-black", "card-paper"),
        ("card-red", "card-paper"),
        ("card-paper", "card-back"),
        ("felt-ink", "felt"),
        ("felt-muted", "felt"),
    ],
)
def test_u24_text_contrast_is_at_least_4_5_to_1(ink: str, ground: str) -> None:
    assert compute_contrast(get_token(ink), get_token(ground)) >= 4.5


def test_u24_card_rim_contrasts_with_the_felt() -> None:
    assert compute_contrast(get_token("card-paper"), get_token("felt")) >= 3


def test_u24_badge_outline_contrasts_with_every_colour() -> None:
    paper, ink = get_token("card-paper"), get_token("card-black")
    best = [
        max(
            compute_contrast(get_token(f"card-{c}"), paper),
            compute_contrast(get_token(f"card-{c}"), ink),
        )
        for c in CARD_COLORS
    ]
    assert min(best) >= 3
