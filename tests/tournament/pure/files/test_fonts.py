"""Tests that names can be drawn with the fonts that are installed with the site."""

import io
from pathlib import Path

import pytest
import uharfbuzz as harfbuzz

from tests.tournament.names_of_scripts import ALL_NAMES
from tournament.pure.files import fonts, scripts
from tournament.pure.files.document import Document
from tournament.pure.files.scripts import ARABIC, INDIC, Script

URDU_NAMES = ["رخسانہ", "ٹیپو ڈار", "گڑیا"]
# Names in other scripts whose fonts are installed with the site.
OTHER_NAMES = ["ਗੁਰਪ੍ਰੀਤ", "હિતેશ", "ଶ୍ରୀମତୀ", "ಶ್ರೀನಿವಾಸ್", "Արամ", "ნინო", "ማርያም", "အောင်", "សុខ", "ສົມ"]
NAMES = [*ALL_NAMES, *URDU_NAMES, *OTHER_NAMES]


@pytest.fixture(autouse=True)
def hide_debian_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scripts, "DEBIAN_FONTS", Path("/nowhere"))


def shape_text(content: bytes, text: str) -> list[int]:
    """Return the numbers of the glyphs of a text in this font. 0 is the box for a missing glyph."""
    buffer = harfbuzz.Buffer()
    buffer.add_str(text)
    buffer.guess_segment_properties()
    harfbuzz.shape(harfbuzz.Font(harfbuzz.Face(content)), buffer)
    return [info.codepoint for info in buffer.glyph_infos]


def load_font(script: Script | None, *, bold: bool) -> bytes:
    if script is None:
        return fonts.load_font("B" if bold else "")
    return fonts.load_script_font(script, bold=bold)


@pytest.mark.parametrize("bold", [False, True])
def test_every_name_is_drawn_without_boxes(bold: bool) -> None:
    boxed = [
        name
        for name in NAMES
        for script, run in fonts.split_into_runs(name)
        if 0 in shape_text(load_font(script, bold=bold), run)
    ]
    assert (boxed, fonts.describe_missing_letters(NAMES)) == ([], "")


def test_name_in_one_script_uses_one_font() -> None:
    """Check that joiners use the font of the letters, because conjuncts would break otherwise."""
    assert [name for name in NAMES if len(list(fonts.split_into_runs(name))) != 1] == []


@pytest.mark.parametrize("style", ["", "B"])
def test_pdf_keeps_each_name_in_one_piece(style: str) -> None:
    pdf = Document()
    with pdf.fonts_for("".join(NAMES)):
        pdf.add_page()
        pdf.set_font(fonts.NAME, style, 12)
        pieces = {name: list(pdf._preload_bidirectional_text(name, False)) for name in NAMES}
    split = [name for name, found in pieces.items() if [each.string for each in found] != [name]]
    assert split == []
    assert {found[0].font.emphasis.style for found in pieces.values()} == {style}


def test_mixed_text_uses_a_font_for_each_script() -> None:
    bengali, arabic = INDIC[1], ARABIC
    assert list(fonts.split_into_runs("Asha, র‍্যাচেল। (رخسانہ)")) == [
        (None, "Asha, "),
        (bengali, "র‍্যাচেল। "),
        (None, "("),
        (arabic, "رخسانہ"),
        (None, ")"),
    ]


def test_missing_letters_become_boxes_and_emoji_are_left_out() -> None:
    assert fonts.make_printable("Asha 🎉") == "Asha "
    assert fonts.make_printable("❤️ 3️⃣ 👩‍👩‍👧‍👦 王") == " 3 \u200d\u200d\u200d ▯"
    assert fonts.make_printable("रामি") == "रामি"


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("𝓐𝓼𝓱𝓪", "Asha"),
        ("ℌans", "Hans"),
        ("Ⓐⓢⓗⓐ", "Asha"),
        ("Ａｓｈａ", "Asha"),
        ("Asha ①", "Asha 1"),
    ],
)
def test_letters_of_another_style_are_drawn_as_plain_letters(name: str, drawn: str) -> None:
    assert (fonts.make_printable(name), fonts.describe_missing_letters([name])) == (drawn, "")


@pytest.mark.parametrize(
    ("name", "package"),
    [
        *[("ꤊꤢꤛꤢ", "fonts-noto-core"), ("ᨅᨘᨁᨗ", "fonts-noto-core"), ("𑜀𑜉", "fonts-noto-core")],
        *[("王伟", "fonts-noto-cjk"), ("さくら", "fonts-noto-cjk"), ("김민준", "fonts-noto-cjk")],
        *[("ᱥᱟᱱᱛᱟᱲᱤ", "fonts-noto-core"), ("ꯃꯅꯤꯄꯨꯔ", "fonts-noto-core")],
        *[("བསྟན་འཛིན", "fonts-noto-core"), ("އަހްމަދު", "fonts-noto-core")],
    ],
)
def test_sentence_about_missing_letters_names_the_text_and_the_package(
    name: str, package: str
) -> None:
    assert fonts.describe_missing_letters(["Asha", name, "Ben", name]) == (
        f"No font on this site has all letters of “{name}”, so the PDF shows ▯ for some. "
        f"Ask for “{package}” to be installed on the server."
    )
    assert fonts.explain_boxes(["Asha", name]) == (
        "▯ stands for letters that no font on this site has. "
        f"Ask for “{package}” to be installed on the server."
    )


def test_sentence_about_missing_letters_lists_at_most_five_texts() -> None:
    sentence = fonts.describe_missing_letters([f"王{number}" for number in range(9)])
    assert sentence.startswith(
        "No font on this site has all letters of “王0”, “王1”, “王2”, “王3”, “王4” and 4 more, "
    )


def test_font_package_is_used_as_soon_as_it_is_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(scripts, "DEBIAN_FONTS", tmp_path)
    assert fonts.make_printable("ᱥ") == "▯"
    folder = tmp_path / "truetype" / "noto"
    folder.mkdir(parents=True)
    # A font with only this letter is enough. There is no bold font.
    (folder / "NotoSansOlChiki-Regular.ttf").write_bytes(make_font("ᱥ"))
    fonts._load_code_points.cache_clear()
    assert fonts.make_printable("ᱥ") == "ᱥ"
    found = fonts.script_of("ᱥ")
    assert found
    assert fonts.open_font(found, bold=True) == folder / "NotoSansOlChiki-Regular.ttf"
    fonts._load_code_points.cache_clear()


def make_font(letter: str) -> bytes:
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "letter"])
    builder.setupCharacterMap({ord(letter): "letter"})
    glyph = TTGlyphPen(None).glyph()
    builder.setupGlyf({".notdef": glyph, "letter": glyph})
    builder.setupHorizontalMetrics({".notdef": (500, 0), "letter": (500, 0)})
    builder.setupHorizontalHeader()
    builder.setupOS2()
    builder.setupPost()
    out = io.BytesIO()
    builder.save(out)
    return out.getvalue()
