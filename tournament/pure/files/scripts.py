"""Scripts that FiraGO does not cover, with their Unicode ranges and fonts."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

# Debian's font folder. Its fonts are used for scripts that no package in requirements.txt covers.
DEBIAN_FONTS = Path("/usr/share/fonts")
NOTO, CJK = "fonts-noto-core", "fonts-noto-cjk"


@dataclass(frozen=True)
class Script:
    """A script with its own font.

    * `name`: the name of the font, without its style.
    * `ranges`: pairs of the first and last code point of a block.
    * `package`: the Debian package of the font, or "" if the font is installed with the site.
    """

    name: str
    ranges: tuple[tuple[int, int], ...]
    package: str = ""

    def includes(self, character: str) -> bool:
        return any(first <= ord(character) <= last for first, last in self.ranges)

    @property
    def path(self) -> Path:
        """The path of the regular font. A font that is installed with the site has all weights."""
        if not self.package:
            return _find_folder() / f"{self.name}[wght].ttf"
        if self.package == CJK:
            return DEBIAN_FONTS / "opentype" / "noto" / f"{self.name}-Regular.ttc"
        return DEBIAN_FONTS / "truetype" / "noto" / f"{self.name}-Regular.ttf"

    @property
    def bold_path(self) -> Path:
        """The path of the bold font, or of the regular font if there is no bold font."""
        bold = self.path.with_name(self.path.name.replace("-Regular.", "-Bold."))
        return bold if bold.exists() else self.path

    @property
    def font_index(self) -> int:
        """The index of the font in its file.

        In the collection for Chinese, Japanese and Korean, the third font is used.
        """
        return 2 if self.package == CJK else 0


def _find_folder() -> Path:
    spec = find_spec("manimgx_fonts")
    assert spec
    assert spec.origin
    return Path(spec.origin).parent


def _make_included_script(name: str, *ranges: tuple[int, int]) -> Script:
    return Script(f"NotoSans{name}", ranges)


def _make_debian_script(name: str, *ranges: tuple[int, int]) -> Script:
    return Script(f"Noto{name}", ranges, NOTO)


# Scripts of India and its neighbours.
INDIC = (
    _make_included_script("Devanagari", (0x0900, 0x097F), (0xA8E0, 0xA8FF)),
    _make_included_script("Bengali", (0x0980, 0x09FF)),
    _make_included_script("Gurmukhi", (0x0A00, 0x0A7F)),
    _make_included_script("Gujarati", (0x0A80, 0x0AFF)),
    _make_included_script("Oriya", (0x0B00, 0x0B7F)),
    _make_included_script("Tamil", (0x0B80, 0x0BFF)),
    _make_included_script("Telugu", (0x0C00, 0x0C7F)),
    _make_included_script("Kannada", (0x0C80, 0x0CFF)),
    _make_included_script("Malayalam", (0x0D00, 0x0D7F)),
    _make_included_script("Sinhala", (0x0D80, 0x0DFF)),
)
ARABIC = _make_included_script(
    *("Arabic", (0x0600, 0x06FF), (0x0750, 0x077F), (0x08A0, 0x08FF)),
    *((0xFB50, 0xFDFF), (0xFE70, 0xFEFF)),
)
# Letters of Latin, Greek and Cyrillic that FiraGO lacks.
RARE = _make_included_script(
    "", (0x00A0, 0x058F), (0x1AB0, 0x1AFF), (0x1C80, 0x1C8F), (0x1D00, 0x1FFF),
    (0x2C60, 0x2C7F), (0x2DE0, 0x2DFF), (0xA640, 0xA69F), (0xA720, 0xA7FF)
)  # fmt: skip
SCRIPTS = (
    *INDIC,
    ARABIC,
    _make_included_script("Hebrew", (0x0590, 0x05FF), (0xFB1D, 0xFB4F)),
    _make_included_script("Thai", (0x0E00, 0x0E7F)),
    _make_included_script("Lao", (0x0E80, 0x0EFF)),
    _make_included_script("Myanmar", (0x1000, 0x109F), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F)),
    _make_included_script("Georgian", (0x10A0, 0x10FF), (0x1C90, 0x1CBF), (0x2D00, 0x2D2F)),
    _make_included_script("Ethiopic", (0x1200, 0x139F), (0x2D80, 0x2DDF), (0xAB00, 0xAB2F)),
    _make_included_script("Khmer", (0x1780, 0x17FF), (0x19E0, 0x19FF)),
    _make_included_script("Armenian", (0x0530, 0x058F), (0xFB13, 0xFB17)),
    _make_debian_script("SansSyriac", (0x0700, 0x074F)),
    _make_debian_script("SansThaana", (0x0780, 0x07BF)),
    _make_debian_script("SansNKo", (0x07C0, 0x07FF)),
    _make_debian_script("SerifTibetan", (0x0F00, 0x0FFF)),
    _make_debian_script("SansCherokee", (0x13A0, 0x13FF), (0xAB70, 0xABBF)),
    _make_debian_script("SansCanadianAboriginal", (0x1400, 0x167F)),
    _make_debian_script("SansMongolian", (0x1800, 0x18AF)),
    _make_debian_script("SansLimbu", (0x1900, 0x194F)),
    _make_debian_script("SansTaiLe", (0x1950, 0x197F)),
    _make_debian_script("SansTaiTham", (0x1A20, 0x1AAF)),
    _make_debian_script("SansBalinese", (0x1B00, 0x1B7F)),
    _make_debian_script("SansSundanese", (0x1B80, 0x1BBF)),
    _make_debian_script("SansLepcha", (0x1C00, 0x1C4F)),
    _make_debian_script("SansOlChiki", (0x1C50, 0x1C7F)),
    _make_debian_script("SansTifinagh", (0x2D30, 0x2D7F)),
    _make_debian_script("SansYi", (0xA000, 0xA4CF)),
    _make_debian_script("SansVai", (0xA500, 0xA63F)),
    _make_debian_script("SansSylotiNagri", (0xA800, 0xA82F)),
    _make_debian_script("SansSaurashtra", (0xA880, 0xA8DF)),
    _make_debian_script("SansJavanese", (0xA980, 0xA9DF)),
    _make_debian_script("SansCham", (0xAA00, 0xAA5F)),
    _make_debian_script("SansMeeteiMayek", (0xABC0, 0xABFF), (0xAAE0, 0xAAFF)),
    _make_debian_script("SansHanifiRohingya", (0x10D00, 0x10D3F)),
    _make_debian_script("SansSoraSompeng", (0x110D0, 0x110FF)),
    _make_debian_script("SansChakma", (0x11100, 0x1114F)),
    _make_debian_script("SansTirhuta", (0x11480, 0x114DF)),
    _make_debian_script("SansWarangCiti", (0x118A0, 0x118FF)),
    _make_debian_script("SansMasaramGondi", (0x11D00, 0x11D5F)),
    _make_debian_script("SansGunjalaGondi", (0x11D60, 0x11DAF)),
    _make_debian_script("SansMro", (0x16A40, 0x16A6F)),
    _make_debian_script("SansWancho", (0x1E2C0, 0x1E2FF)),
    _make_debian_script("SansAdlam", (0x1E900, 0x1E95F)),
    _make_debian_script("SansKayahLi", (0xA900, 0xA92F)),
    _make_debian_script("SansRejang", (0xA930, 0xA95F)),
    _make_debian_script("SansTaiViet", (0xAA80, 0xAADF)),
    _make_debian_script("SansTagalog", (0x1700, 0x171F)),
    _make_debian_script("SansHanunoo", (0x1720, 0x173F)),
    _make_debian_script("SansBuhid", (0x1740, 0x175F)),
    _make_debian_script("SansTagbanwa", (0x1760, 0x177F)),
    _make_debian_script("SansNewTaiLue", (0x1980, 0x19DF)),
    _make_debian_script("SansBuginese", (0x1A00, 0x1A1F)),
    _make_debian_script("SansBatak", (0x1BC0, 0x1BFF)),
    _make_debian_script("SansCoptic", (0x2C80, 0x2CFF)),
    _make_debian_script("SansLisu", (0xA4D0, 0xA4FF)),
    _make_debian_script("SansPhagsPa", (0xA840, 0xA87F)),
    _make_debian_script("SansOsage", (0x104B0, 0x104FF)),
    _make_debian_script("SansKaithi", (0x11080, 0x110CF)),
    _make_debian_script("SansSharada", (0x11180, 0x111DF)),
    _make_debian_script("SansKhudawadi", (0x112B0, 0x112FF)),
    _make_debian_script("SansGrantha", (0x11300, 0x1137F)),
    _make_debian_script("SansNewa", (0x11400, 0x1147F)),
    _make_debian_script("SansModi", (0x11600, 0x1165F)),
    _make_debian_script("SansTakri", (0x11680, 0x116CF)),
    _make_debian_script("SerifAhom", (0x11700, 0x1174F)),
    _make_debian_script("SerifDogra", (0x11800, 0x1184F)),
    _make_debian_script("SansPahawhHmong", (0x16B00, 0x16B8F)),
    _make_debian_script("SansMiao", (0x16F00, 0x16F9F)),
    _make_debian_script("SerifNyiakengPuachueHmong", (0x1E100, 0x1E14F)),
    Script(
        "NotoSansCJK",
        ((0x1100, 0x11FF), (0x2E80, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA960, 0xA97F),
         (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF), (0x20000, 0x323AF)),
        CJK,
    ),
    RARE,
)  # fmt: skip
