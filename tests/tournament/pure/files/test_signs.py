"""Tests of the images of the signs on players' faces."""

import pytest
from PIL import Image

from games.protocol.faces import SIGNS
from tournament.pure.files.signs import SIDE, sign_image

PAPER, INK, NOTHING = (255, 253, 247, 255), (43, 34, 51, 255), (0, 0, 0, 0)


def get_pixel(image: Image.Image, x: float, y: float) -> object:
    """Return the pixel at a point that is given in SVG units."""
    scale = image.width / SIDE
    return image.getpixel((round(x * scale), round(y * scale)))


@pytest.mark.parametrize("sign", SIGNS)
def test_each_sign_is_drawn_within_its_square(sign: str) -> None:
    image = sign_image(sign, 96)
    assert (image.mode, image.size) == ("RGBA", (96, 96))
    left, top, right, bottom = image.getchannel("A").getbbox() or (0, 0, 0, 0)
    assert right - left >= 60
    assert bottom - top > 70
    assert {get_pixel(image, 0, 47), get_pixel(image, 0, 0)} == {NOTHING}


def test_fills_lines_groups_and_holes_are_rendered_correctly() -> None:
    owl, cup, bear = (sign_image(sign, 192) for sign in ("owl", "cup", "bear"))
    # The forehead, the ring around an eye, the highlight in the eye, and the beak.
    assert [get_pixel(owl, 24, 14), get_pixel(owl, 10, 22), get_pixel(owl, 16.5, 21.5)] == [
        PAPER,
        INK,
        PAPER,
    ]
    assert get_pixel(owl, 24, 30) == INK
    # The inside of the cup's handle, the handle, and an eye that is drawn in a group.
    assert [get_pixel(cup, 38.5, 29.5), get_pixel(cup, 43.5, 29.5), get_pixel(cup, 14, 25.5)] == [
        NOTHING,
        PAPER,
        INK,
    ]
    # The bear's snout, which is a line without a fill.
    assert [get_pixel(bear, 24, 39.5), get_pixel(bear, 24, 36)] == [INK, PAPER]


def test_translated_shape_is_drawn_at_its_new_position() -> None:
    elephant = sign_image("elephant", 192)
    top = (elephant.getchannel("A").getbbox() or (0, 0, 0, 0))[1] * SIDE / 192
    assert top == pytest.approx(5.5, abs=1)
