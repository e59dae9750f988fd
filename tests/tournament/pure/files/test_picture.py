"""Tests of the preview images for shared links."""

import io
import re
from pathlib import Path

import pytest
from django.conf import settings
from PIL import Image

from games.protocol import faces
from tournament.pure.files.picture import SIZE, TONES, Picture, draw_picture, fit_rows


def render_picture(picture: Picture) -> Image.Image:
    return Image.open(io.BytesIO(draw_picture(picture)))


@pytest.mark.parametrize(
    "picture",
    [
        Picture("Under way", "Ocho Open", ("Sat 28 November 2026", "Hall 3")),
        Picture("Ocho Open", "Asha", ("Place 1 · 571 points",), "A", 3),
        Picture("Ocho Open", "Asha", ("Place 1 · 571 points",), "A", 3, "cup"),
        Picture("", "", ()),
        Picture("a", "A title with so many words that two lines hold them in no size " * 3),
        Picture("a", "Shubhashreevenkatanarasimharajuvaripetavenkatanarasimha", ("b" * 200,)),
        Picture("কাজল", "কাজল ওপেন 🂡", ("日本", "עברית")),
    ],
)
def test_every_picture_is_a_small_png_of_the_same_size(picture: Picture) -> None:
    content = draw_picture(picture)
    image = render_picture(picture)
    assert (image.format, image.size) == ("PNG", SIZE)
    assert len(content) < 60_000


def test_picture_depends_on_its_content() -> None:
    plain = draw_picture(Picture("Under way", "Ocho Open"))
    assert plain == draw_picture(Picture("Under way", "Ocho Open"))
    assert plain != draw_picture(Picture("Under way", "Ocho Cup"))
    letter = draw_picture(Picture("Under way", "Ocho Open", letter="A"))
    signs = [
        draw_picture(Picture("Under way", "Ocho Open", letter="A", sign=one)) for one in ("", "owl")
    ]
    assert signs[0] == letter != plain
    assert signs[1] not in (letter, plain)


def test_long_line_wraps_if_there_is_room() -> None:
    line = "Uma Krishnaswamy, Yusuf Demir, Lucía Ferrer and Zainab Qureshi"
    assert list(fit_rows((line,), 1)) == [line]
    assert list(fit_rows((line, "40 points"), 2)) == [line, "40 points"]
    first, rest, points = fit_rows((line, "40 points"), 3)
    assert (f"{first} {rest}", points) == (line, "40 points")
    assert list(fit_rows((), 3)) == []


def test_colours_of_faces_match_the_style_sheet() -> None:
    css = Path(settings.BASE_DIR, "static/css/tokens.css").read_text()
    assert list(TONES) == re.findall(r"\.tone-\d+ \{ --tone: (#\w+)", css)
    assert len(TONES) == faces.TONES
