"""Fonts for PDFs: FiraGO is included with the site, other fonts are those of the machine.

FiraGO has Latin, Greek, Cyrillic, Hebrew, Arabic, Thai, Georgian and Devanagari. The other
scripts of India use Noto, from Debian's `fonts-noto-core`. A letter that no font has is
refused, not printed as a box; pictures in a name (emoji) are left out.
"""

from __future__ import annotations

import io
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pymupdf_fonts import myfont

if TYPE_CHECKING:
    from fpdf import FPDF

NOTO = Path("/usr/share/fonts/truetype/noto")
NAME = "FiraGO"
# Styles of fpdf, and what pymupdf-fonts calls the font.
STYLES = {"": "figo", "B": "figbo", "I": "figit"}
# Where in Unicode a script begins and ends, and the file that has it.
SCRIPTS = (
    (0x0980, 0x09FF, "NotoSansBengali"),
    (0x0A00, 0x0A7F, "NotoSansGurmukhi"),
    (0x0A80, 0x0AFF, "NotoSansGujarati"),
    (0x0B00, 0x0B7F, "NotoSansOriya"),
    (0x0B80, 0x0BFF, "NotoSansTamil"),
    (0x0C00, 0x0C7F, "NotoSansTelugu"),
    (0x0C80, 0x0CFF, "NotoSansKannada"),
    (0x0D00, 0x0D7F, "NotoSansMalayalam"),
    (0x0D80, 0x0DFF, "NotoSansSinhala"),
)
# From here on letters change their shape with their neighbours.
SHAPED_FROM = 0x0590


class MissingFontError(Exception):
    """Raised if no font on this machine has the letter `letter`."""

    def __init__(self, letter: str) -> None:
        super().__init__(f"no font for U+{ord(letter):04X}")
        self.letter = letter


@cache
def content(style: str) -> bytes:
    """Return the FiraGO font file for a style of STYLES."""
    file: bytes = myfont(STYLES[style])
    return file


@cache
def _load_letters() -> frozenset[int]:
    from fontTools.ttLib import TTFont

    return frozenset(TTFont(io.BytesIO(content("")), lazy=True).getBestCmap())


def printable(text: str) -> str:
    """Return the text without the characters that no font has.

    Raises MissingFontError if such a character is a letter.
    """
    return "".join(sign for sign in text if _has(sign))


def _has(sign: str) -> bool:
    if ord(sign) in _load_letters() or script_of(sign):
        return True
    if unicodedata.category(sign)[0] in "LMN":
        raise MissingFontError(sign)
    return False


def script_of(sign: str) -> str | None:
    """Return the font file for a letter of another script, or None if none is needed.

    Raises MissingFontError if the file is not installed.
    """
    for first, last, name in SCRIPTS:
        if first <= ord(sign) <= last:
            if not (NOTO / f"{name}-Regular.ttf").exists():
                raise MissingFontError(sign)
            return name
    return None


@contextmanager
def fonts_for(pdf: FPDF, text: str) -> Iterator[None]:
    """Provide the fonts for the whole `text` while the PDF is built and written."""
    from fpdf.fonts import TTFFont

    with tempfile.TemporaryDirectory(prefix="lastcard-fonts-") as folder:
        for style in STYLES:
            file = Path(folder, f"{STYLES[style]}.ttf")
            file.write_bytes(content(style))
            pdf.add_font(NAME, style, file)
        others = sorted({name for sign in set(text) if (name := script_of(sign))})
        for name in others:
            pdf.add_font(name, "", NOTO / f"{name}-Regular.ttf")
            pdf.add_font(name, "B", NOTO / f"{name}-Bold.ttf")
        pdf.set_fallback_fonts(others, exact_match=False)
        pdf.set_text_shaping(any(ord(sign) >= SHAPED_FROM for sign in text))
        try:
            yield
        finally:
            for font in pdf.fonts.values():
                assert isinstance(font, TTFFont)
                font.close()
