"""Preview images for shared links, with a fan of cards or a person's face."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from PIL import Image, ImageDraw, ImageFont, features

from tournament.pure.files import fonts
from tournament.pure.files.scripts import Script
from tournament.pure.files.signs import sign_image

SIZE = (1200, 630)
MARGIN, NARROW = 80, 640
# Font size and line height of the lines below the title, and the top of the footer.
SMALL, ROW, FOOT = 38, 54, 530
FELT, DEEP, LINE = (18, 70, 63), (11, 47, 43), (42, 106, 97)
INK, SOFT, YELLOW, PAPER = (241, 246, 244), (183, 206, 201), (245, 189, 26), (255, 253, 247)
RED, GREEN, BLUE, BLACK = (204, 58, 23), (8, 122, 100), (29, 98, 198), (32, 38, 43)
FAN = (("8", RED, 18), ("3", BLUE, 6), ("+2", GREEN, -6), ("8", YELLOW, -18))
# Colours of players' faces, as in static/css/tokens.css.
TONES = (
    *("#502ba8", "#a4670f", "#13628e", "#cd1995", "#402615", "#54733d"),
    *("#711322", "#8b5696", "#9a684e", "#0d2363", "#666c6b", "#4e143d"),
)
# Without a fixed direction, the direction of a line would depend on its first letter. Fixing it
# requires both libraries.
DIRECTION = "ltr" if features.check("raqm") and features.check("fribidi") else None
Font = ImageFont.FreeTypeFont


@dataclass(frozen=True)
class Picture:
    """The contents of a preview image.

    * `above`: a small line above the title.
    * `lines`: lines below the title.
    * `letter`, `tone`, `sign`: a person's face (see `games.protocol.faces`). If `letter` is "", the
      image shows no face.
    """

    above: str
    title: str
    lines: tuple[str, ...] = ()
    letter: str = ""
    tone: int = 0
    sign: str = ""


def draw_picture(picture: Picture) -> bytes:
    """Return the preview image as a PNG."""
    image = _draw_background()
    pen = ImageDraw.Draw(image)
    if picture.letter:
        _draw_face(image, pen, picture)
    else:
        _draw_fan(image)
    _draw_texts(pen, picture)
    file = io.BytesIO()
    image.convert("P", palette=Image.Palette.ADAPTIVE, colors=128).save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_background() -> Image.Image:
    """Draw a green background that darkens towards the bottom, with a border."""
    shade = Image.linear_gradient("L").resize(SIZE)
    image = Image.composite(Image.new("RGB", SIZE, DEEP), Image.new("RGB", SIZE, FELT), shade)
    ImageDraw.Draw(image).rounded_rectangle((24, 24, 1176, 606), 36, outline=LINE, width=4)
    return image


def _draw_fan(image: Image.Image) -> None:
    """Draw a fan of four cards on the right."""
    for number, (text, color, angle) in enumerate(FAN):
        card = _draw_card(text, color).rotate(angle, Image.Resampling.BICUBIC, expand=True)
        left = 730 + 50 * number
        image.paste(card, (left, 150 + abs(angle) * 3), card)


def _draw_card(text: str, color: tuple[int, int, int]) -> Image.Image:
    card = Image.new("RGBA", (190, 290), (0, 0, 0, 0))
    pen = ImageDraw.Draw(card)
    pen.rounded_rectangle((0, 0, 189, 289), 22, fill=PAPER, outline=BLACK, width=3)
    pen.rounded_rectangle((14, 14, 175, 275), 14, fill=color)
    pen.ellipse((34, 64, 155, 225), fill=PAPER)
    pen.text((95, 145), text, BLACK, _load_font(None, 84), anchor="mm")
    return card


def _draw_face(image: Image.Image, pen: ImageDraw.ImageDraw, picture: Picture) -> None:
    """Draw the person's face on the right: a sign or a letter on a coloured circle."""
    pen.ellipse((800, 155, 1120, 475), fill=TONES[picture.tone], outline=PAPER, width=8)
    if picture.sign:
        sign = sign_image(picture.sign, 200)
        image.paste(sign, (860, 215), sign)
        return
    for script, letter in _split_into_runs(picture.letter):
        pen.text((960, 312), letter, PAPER, _load_font(script, 180), anchor="mm")


def _draw_texts(pen: ImageDraw.ImageDraw, picture: Picture) -> None:
    _draw_line(pen, (MARGIN, 92), picture.above, 36, YELLOW, NARROW)
    size, lines = _fit_title(picture.title)
    top = 160.0
    for line in lines:
        _draw_line(pen, (MARGIN, top), line, size, INK, NARROW)
        top += size * 1.2
    top += 24
    for line in fit_rows(picture.lines, int((FOOT - top) // ROW)):
        _draw_line(pen, (MARGIN, top), line, SMALL, SOFT, NARROW)
        top += ROW
    _draw_line(pen, (MARGIN, FOOT), "Lastcard", 34, INK, NARROW)


def fit_rows(lines: tuple[str, ...], room: int) -> Iterator[str]:
    """Distribute lines over rows, with at least one row for each line.

    A long line continues on the next row if there is room for another row.
    """
    spare = max(0, room - len(lines))
    for line in lines:
        parts = list(_wrap_text(line, SMALL))
        row_count = min(len(parts), 1 + spare)
        spare -= row_count - 1
        yield from (*parts[: row_count - 1], " ".join(parts[row_count - 1 :]))


def _fit_title(title: str) -> tuple[int, list[str]]:
    """Return the largest size at which the title fits on two lines, and these lines.

    If the title does not fit at any size, return the smallest size and up to three lines.
    """
    for size in (88, 76, 64, 52):
        lines = list(_wrap_text(title, size))
        if len(lines) <= 2 and all(_measure_text(line, size) <= NARROW for line in lines):
            return size, lines
    return 52, lines[:3]


def _wrap_text(text: str, size: int) -> Iterator[str]:
    line = ""
    for word in text.split():
        longer = f"{line} {word}".strip()
        if line and _measure_text(longer, size) > NARROW:
            yield line
            longer = word
        line = longer
    yield line


def _draw_line(
    pen: ImageDraw.ImageDraw,
    position: tuple[float, float],
    text: str,
    size: int,
    color: tuple[int, int, int],
    width: int,
) -> None:
    """Draw a line of text, with a font for each script. A text that is too long is shortened."""
    shown = _shorten(text, size, width)
    x, y = position
    for script, run in _split_into_runs(shown):
        font = _load_font(script, size)
        pen.text((x, y + size), run, color, font, anchor="ls", direction=DIRECTION)
        x += font.getlength(run)


def _shorten(text: str, size: int, width: int) -> str:
    if _measure_text(text, size) <= width:
        return text
    while text and _measure_text(text + "…", size) > width:
        text = text[:-1]
    return text + "…"


def _measure_text(text: str, size: int) -> float:
    return sum(_load_font(script, size).getlength(run) for script, run in _split_into_runs(text))


def _split_into_runs(text: str) -> Iterator[tuple[Script | None, str]]:
    """Split the printable text into runs that use one font."""
    return fonts.split_into_runs(fonts.make_printable(text))


@cache
def _load_font(script: Script | None, size: int) -> Font:
    if script is None:
        return ImageFont.truetype(io.BytesIO(fonts.load_font("B")), size)
    return ImageFont.truetype(fonts.open_font(script, bold=True), size, index=script.font_index)
