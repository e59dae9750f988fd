"""Fonts for PDFs and images.

FiraGO is used for Latin, Greek and Cyrillic, and Noto for other scripts (see `scripts`). BOX
replaces letters that no font has. Emoji are omitted.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from pymupdf_fonts import myfont

from games.rules.text import _, ngettext
from tournament.pure.files.scripts import RARE, SCRIPTS, Script

NAME = "FiraGO"
# The font names in pymupdf-fonts, by fpdf's names of the styles.
STYLES = {"": "figo", "B": "figbo", "I": "figit"}
BOX = "▯"
# From this code point on, the shape of a letter can depend on its neighbours.
SHAPED_FROM = 0x0590
# Maximum number of texts listed in a sentence about missing letters.
MOST_NAMED = 5
# Tables that only variable fonts need.
_VARIABLE = {"gvar", "fvar", "avar", "HVAR", "MVAR", "STAT"}


@cache
def load_font(style: str) -> bytes:
    """Return the font file of FiraGO. `style` is a key of STYLES."""
    file: bytes = myfont(STYLES[style])
    return file


@cache
def load_script_font(script: Script, *, bold: bool) -> bytes:
    """Return a regular or bold font file. The script's font must be installed with the site."""
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    out = io.BytesIO()
    with TTFont(script.path) as font:
        if bold:
            instantiateVariableFont(font, {"wght": 700}, inplace=True)
        else:
            for table in _VARIABLE & {*font.keys()}:
                del font[table]
        font.save(out)
    return out.getvalue()


def open_font(script: Script, *, bold: bool) -> io.BytesIO | Path:
    """Return the font of a script as an open file or a path."""
    if script.package:
        return script.bold_path if bold else script.path
    return io.BytesIO(load_script_font(script, bold=bold))


@cache
def _load_code_points(script: Script | None) -> frozenset[int]:
    """Return the code points in a script's font, or in FiraGO if `script` is None."""
    from fontTools.ttLib import TTFont

    file = script.path if script else io.BytesIO(load_font(""))
    with TTFont(file, lazy=True, fontNumber=script.font_index if script else 0) as font:
        return frozenset(font.getBestCmap())


def make_printable(text: str) -> str:
    """Replace letters that no font has with BOX, and remove emoji.

    Styled letters, such as 𝓐 and Ａ, are replaced with plain letters.
    """
    return "".join(_replace_character(character) for character in text)


def _replace_character(character: str) -> str:
    if can_show(character):
        return character
    plain = unicodedata.normalize("NFKC", character)
    if plain != character and all(map(can_show, plain)):
        return plain
    return BOX if _is_letter(character) else ""


def _is_letter(character: str) -> bool:
    """Return whether the character is a letter, mark or number that is not part of an emoji."""
    name = unicodedata.name(character, "")
    is_emoji_part = name.startswith(("VARIATION SELECTOR", "COMBINING ENCLOSING"))
    return unicodedata.category(character)[0] in "LMN" and not is_emoji_part


def can_show(character: str) -> bool:
    """Return whether a font on this machine has the character."""
    return _has_glyph(script_of(character), character)


def _has_glyph(script: Script | None, character: str) -> bool:
    """Return whether the script's font is installed and has the character.

    A font package that is installed while the site is running is found immediately.
    """
    if script and script.package and not script.path.exists():
        return False
    return ord(character) in _load_code_points(script)


def script_of(character: str) -> Script | None:
    """Return the script whose font draws the character, or None for FiraGO."""
    if ord(character) < SHAPED_FROM and ord(character) in _load_code_points(None):
        return None
    script = next((script for script in SCRIPTS if script.includes(character)), None)
    return None if script is RARE and ord(character) in _load_code_points(None) else script


def split_into_runs(text: str) -> Iterator[tuple[Script | None, str]]:
    """Split the text into runs that use one font.

    Joiners, spaces and punctuation belong to the preceding run, so that the letters around them
    are shaped together.
    """
    script, run = None, ""
    for character in text:
        chosen = script_of(character)
        if run and unicodedata.category(character)[0] not in "LN" and _has_glyph(script, character):
            chosen = script
        if run and chosen != script:
            yield script, run
            run = ""
        script, run = chosen, run + character
    if run:
        yield script, run


def describe_missing_letters(texts: Iterable[str]) -> str:
    """Return a sentence that lists the texts with letters that no font has, or ""."""
    boxed = _list_texts_with_boxes(texts)
    if not boxed:
        return ""
    names = ", ".join(f"“{text}”" for text in boxed[:MOST_NAMED])
    if (unnamed := len(boxed) - MOST_NAMED) > 0:
        text = ngettext("{names} and {count} more", "{names} and {count} more", unnamed)
        names = text.format(names=names, count=unnamed)
    text = _("No font on this site has all letters of {names}, so the PDF shows {box} for some.")
    return f"{text.format(names=names, box=BOX)} {_suggest_packages(boxed)}".strip()


def explain_boxes(texts: Iterable[str]) -> str:
    """Return a sentence that explains BOX, or "" if there are fonts for all these letters."""
    boxed = _list_texts_with_boxes(texts)
    if not boxed:
        return ""
    sentence = _("{box} stands for letters that no font on this site has.").format(box=BOX)
    return f"{sentence} {_suggest_packages(boxed)}".strip()


def _list_texts_with_boxes(texts: Iterable[str]) -> list[str]:
    return [text for text in dict.fromkeys(texts) if any(map(_has_no_font, text))]


def _suggest_packages(boxed: Iterable[str]) -> str:
    """Return a sentence about packages with fonts for the missing letters, or ""."""
    scripts = [
        script_of(character) for text in boxed for character in text if _has_no_font(character)
    ]
    packages = sorted({script.package for script in scripts if script and script.package})
    if not packages:
        return ""
    shown = ", ".join(f"“{package}”" for package in packages)
    return _("Ask for {packages} to be installed on the server.").format(packages=shown)


def _has_no_font(character: str) -> bool:
    return character != BOX and _replace_character(character) == BOX
