"""Printable certificates in A4 landscape, with a QR code for verification."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

import qrcode

from games.rules.text import _
from tournament.pure.files import fonts

if TYPE_CHECKING:
    from tournament.pure.files.document import Document

# A4 landscape, and its frame. All lengths are in mm.
WIDTH, HEIGHT = 297, 210
FRAME = 11
CENTRE = WIDTH / 2
# The width of the text, with a margin inside the frame on both sides.
INNER = WIDTH - 2 * 38
Colour = tuple[int, int, int]
PAPER: Colour = (251, 247, 238)
INK: Colour = (31, 36, 33)
MUTED: Colour = (92, 90, 80)
GREEN: Colour = (18, 70, 63)
WHITE: Colour = (255, 253, 247)
# The four card colours, in the order of the fan.
COLOURS: Sequence[Colour] = ((204, 58, 23), (245, 189, 26), (8, 122, 100), (29, 98, 198))
# Gold, silver and bronze for the first three places.
MEDALS: Sequence[Colour] = ((203, 160, 43), (143, 150, 158), (176, 112, 62))
# Font sizes for names, in points. The largest size that fits is used.
LARGEST, SMALLEST = 40, 8
# Side length of the QR code.
CODE = 27


@dataclass(frozen=True)
class Diploma:
    """The contents of a certificate.

    * `name`: the player's name.
    * `event`: the title of the event.
    * `place`: 1 to 3, or None for participation.
    * `where_and_when`: a line with the place and date of the event.
    * `address`: the address of the page that verifies the certificate.
    """

    name: str
    event: str
    place: int | None
    where_and_when: str
    address: str


def write_certificates(diplomas: Iterable[Diploma], out: IO[bytes]) -> str:
    """Write a PDF with one page for each certificate.

    Returns a sentence about letters that no font has, or "". The affected pages contain a sentence
    about their own letters.
    """
    from tournament.pure.files.document import Document

    pages = list(diplomas)
    pdf = Document(orientation="L", format="A4")
    pdf.set_auto_page_break(False)
    texts = [_list_texts(each) for each in pages]
    with pdf.fonts_for("".join(text for lines in texts for text in lines)):
        pdf.set_title(_("Certificates"))
        for diploma, lines in zip(pages, texts, strict=True):
            _draw_page(pdf, diploma, lines)
        out.write(pdf.output())
    return fonts.describe_missing_letters(
        text for each in pages for text in _list_custom_texts(each)
    )


def _list_custom_texts(diploma: Diploma) -> list[str]:
    return [diploma.name, diploma.event, diploma.where_and_when]


def _list_texts(diploma: Diploma) -> list[str]:
    """Return the texts of a certificate, in the order that `_draw_page` expects."""
    texts = [
        _("Certificate"),
        _("This certifies that"),
        diploma.name,
        _describe_achievement(diploma.place),
        diploma.event,
        diploma.where_and_when,
        _("For the organizers"),
        _("Verify this certificate:"),
        fonts.explain_boxes(_list_custom_texts(diploma)),
    ]
    return [fonts.make_printable(text) for text in texts]


def _describe_achievement(place: int | None) -> str:
    if place is None:
        return _("took part in")
    return [_("won first place in"), _("won second place in"), _("won third place in")][place - 1]


def _draw_page(pdf: Document, diploma: Diploma, lines: Sequence[str]) -> None:
    heading, certifies, name, achievement, event, where, organizers, verify_text, boxes = lines
    pdf.add_page()
    _draw_background(pdf)
    _draw_fan(pdf, CENTRE, 40)
    _draw_line(pdf, heading.upper(), 66, 30, GREEN, spacing=6)
    _draw_line(pdf, certifies, 82, 13, MUTED)
    _draw_line(pdf, name, 98, _find_font_size(pdf, name), INK)
    _draw_rule(pdf, CENTRE - 70, 109, 140)
    _draw_line(pdf, achievement, 119, 15, MUTED)
    _draw_line(pdf, event, 132, min(24, _find_font_size(pdf, event)), GREEN)
    _draw_line(pdf, where, 143, 12, MUTED, bold=False)
    if diploma.place:
        _draw_medal(pdf, diploma.place)
    _draw_rule(pdf, CENTRE - 35, 180, 70)
    _draw_line(pdf, organizers, 185, 10, MUTED, bold=False)
    if boxes:
        _draw_line(pdf, boxes, 193, 6, MUTED, bold=False)
    _draw_qr_code(pdf, diploma.address, verify_text)


def _draw_background(pdf: Document) -> None:
    """Draw the background, and a green frame with a card colour in each corner."""
    _draw_box(pdf, 0, 0, WIDTH, HEIGHT, PAPER)
    pdf.set_draw_color(*GREEN)
    pdf.set_line_width(1.1)
    pdf.rect(FRAME, FRAME, WIDTH - 2 * FRAME, HEIGHT - 2 * FRAME)
    pdf.set_line_width(0.25)
    pdf.rect(FRAME + 2.6, FRAME + 2.6, WIDTH - 2 * FRAME - 5.2, HEIGHT - 2 * FRAME - 5.2)
    corners = [(x, y) for y in (FRAME, HEIGHT - FRAME) for x in (FRAME, WIDTH - FRAME)]
    for (x, y), colour in zip(corners, COLOURS, strict=True):
        _draw_box(pdf, x - 4, y - 4, 8, 8, PAPER)
        with pdf.rotation(45, x, y):
            _draw_box(pdf, x - 2.4, y - 2.4, 4.8, 4.8, colour)


def _draw_box(
    pdf: Document, x: float, y: float, width: float, height: float, colour: Colour
) -> None:
    pdf.set_fill_color(*colour)
    pdf.rect(x, y, width, height, style="F")


def _draw_fan(pdf: Document, x: float, y: float) -> None:
    """Draw a fan of four cards."""
    for number, colour in enumerate(COLOURS):
        with pdf.rotation(27 - 18 * number, x, y + 22):
            _draw_card(pdf, x - 7.5, y - 14, 15, 22, WHITE)
            _draw_card(pdf, x - 6.4, y - 12.9, 12.8, 19.8, colour)
            pdf.set_fill_color(*WHITE)
            with pdf.rotation(-35, x, y - 3):
                pdf.ellipse(x - 3.4, y - 9.2, 6.8, 12.4, style="F")


def _draw_card(
    pdf: Document, x: float, y: float, width: float, height: float, colour: Colour
) -> None:
    pdf.set_fill_color(*colour)
    pdf.set_draw_color(*INK)
    pdf.set_line_width(0.15)
    style = "DF" if colour == WHITE else "F"
    pdf.rect(x, y, width, height, style=style, round_corners=True, corner_radius=2)


def _draw_medal(pdf: Document, place: int) -> None:
    """Draw a medal that shows the place, on two ribbons."""
    x, y, radius, colour = 52, 168, 13, MEDALS[place - 1]
    for turn, ribbon in ((14, COLOURS[0]), (-14, COLOURS[3])):
        with pdf.rotation(turn, x, y):
            _draw_box(pdf, x - 4, y + 4, 8, 21, ribbon)
    pdf.set_fill_color(*colour)
    pdf.circle(x, y, radius, style="F")
    pdf.set_draw_color(*WHITE)
    pdf.set_line_width(0.5)
    pdf.circle(x, y, radius - 2, style="D")
    pdf.set_font(fonts.NAME, "B", 32)
    pdf.set_text_color(*WHITE)
    pdf.set_xy(x - radius, y - 8)
    pdf.cell(2 * radius, 16, str(place), align="C")


def _draw_rule(pdf: Document, x: float, y: float, length: float) -> None:
    pdf.set_draw_color(*MUTED)
    pdf.set_line_width(0.2)
    pdf.line(x, y, x + length, y)


def _draw_line(
    pdf: Document,
    text: str,
    middle: float,
    size: float,
    colour: Colour,
    *,
    bold: bool = True,
    spacing: float = 0,
) -> None:
    """Draw a centred line of text. `middle` is the vertical position of its middle."""
    pdf.set_font(fonts.NAME, "B" if bold else "", size)
    pdf.set_char_spacing(spacing)
    pdf.set_text_color(*colour)
    pdf.set_xy((WIDTH - INNER) / 2, middle - 6)
    pdf.cell(INNER, 12, text, align="C")
    pdf.set_char_spacing(0)


def _find_font_size(pdf: Document, text: str) -> int:
    """Return the largest font size at which the text fits on one line."""
    pdf.set_font(fonts.NAME, "B", LARGEST)
    return max(SMALLEST, min(LARGEST, int(LARGEST * INNER / (pdf.get_string_width(text) or 1))))


def _draw_qr_code(pdf: Document, address: str, verify_text: str) -> None:
    """Draw the address as a QR code and a link."""
    left, top = WIDTH - FRAME - 12 - CODE, HEIGHT - FRAME - 18 - CODE
    code = qrcode.QRCode(border=0, error_correction=qrcode.constants.ERROR_CORRECT_M)
    code.add_data(address)
    dots = code.get_matrix()
    dot_size = CODE / len(dots)
    pdf.set_fill_color(*INK)
    for row, line in enumerate(dots):
        for column, dark in enumerate(line):
            if dark:
                # The squares overlap slightly. Otherwise, PDF readers show white lines between
                # them.
                pdf.rect(
                    left + column * dot_size,
                    top + row * dot_size,
                    dot_size + 0.02,
                    dot_size + 0.02,
                    style="F",
                )
    pdf.link(left, top, CODE, CODE, address)
    pdf.set_font(fonts.NAME, "", 8)
    pdf.set_text_color(*MUTED)
    pdf.set_xy(left - 10, top + CODE + 1)
    pdf.cell(CODE + 20, 5, verify_text, align="C")
