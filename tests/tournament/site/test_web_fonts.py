"""Tests of the fonts for devices that lack letters of some scripts."""

import io
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from fontTools.ttLib import TTFont

from tournament.site import web_fonts
from tournament.site.web_fonts import FONTS, FontFinder

SHEET = Path(settings.BASE_DIR, "static", "css", "fonts.css").read_text()
FACE = re.compile(r'url\("\.\./(fonts/\w+\.woff2)"\).*?unicode-range: ([^;]+);', re.DOTALL)
FACES = {name: re.findall(r"U\+(\w+)-(\w+)", ranges) for name, ranges in FACE.findall(SHEET)}


def test_stylesheet_has_every_font_once() -> None:
    assert FACES.keys() == FONTS.keys()
    assert SHEET.count("@font-face") == len(FONTS) == 11


@pytest.mark.parametrize("name", FONTS)
def test_stylesheet_covers_the_letters_of_the_script(name: str) -> None:
    asked = {
        letter for first, last in FACES[name] for letter in range(int(first, 16), int(last, 16) + 1)
    }
    script = FONTS[name]
    with TTFont(script.path) as font:
        letters = {each for each in font.getBestCmap() if script.includes(chr(each))}
    assert letters - asked <= {0xFEFF}  # a byte order mark, which is not a letter


def test_font_is_created_once_and_readable_by_the_web_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "VAR_DIR", tmp_path)
    name = "fonts/gurmukhi.woff2"
    path = Path(FontFinder().find(name))
    content = path.read_bytes()
    assert (content[:4], path.stat().st_mode & 0o777) == (b"wOF2", 0o644)
    with TTFont(io.BytesIO(content)) as font:
        assert ord("ਗ") in font.getBestCmap()
    monkeypatch.setattr(web_fonts, "_write_font", None)
    assert FontFinder().find(name, find_all=True) == [str(path)]
    assert list(path.parent.iterdir()) == [path]


def test_font_finder_ignores_other_files() -> None:
    assert FontFinder().find("fonts/latin.woff2") == []
    assert finders.find("css/fonts.css") == str(
        Path(settings.BASE_DIR, "static", "css", "fonts.css")
    )
