"""Scripts that FiraGO lacks, where each is in Unicode, and the package that has its font."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

# Debian's folders of fonts, for scripts that no package of requirements.txt has.
MACHINE = Path("/usr/share/fonts")
NOTO, CJK = "fonts-noto-core", "fonts-noto-cjk"


@dataclass(frozen=True)
class Script:
    """A script with its own font.

    `name` is the font's, without style. `ranges` are the first and last letters of its blocks.
    `package` is "" for fonts that are installed with the site, else Debian's package.
    """

    name: str
    ranges: tuple[tuple[int, int], ...]
    package: str = ""

    def includes(self, sign: str) -> bool:
        return any(first <= ord(sign) <= last for first, last in self.ranges)

    @property
    def path(self) -> Path:
        """The font's file; the site's own have all weights in one."""
        if not self.package:
            return _find_folder() / f"{self.name}[wght].ttf"
        if self.package == CJK:
            return MACHINE / "opentype" / "noto" / f"{self.name}-Regular.ttc"
        return MACHINE / "truetype" / "noto" / f"{self.name}-Regular.ttf"

    @property
    def bold_path(self) -> Path:
        """The file of the bold font, or the regular one if there is no other."""
        bold = self.path.with_name(self.path.name.replace("-Regular.", "-Bold."))
        return bold if bold.exists() else self.path

    @property
    def number(self) -> int:
        """The font's place in its file; a collection has Simplified Chinese third."""
        return 2 if self.package == CJK else 0


def _find_folder() -> Path:
    spec = find_spec("manimgx_fonts")
    assert spec
    assert spec.origin
    return Path(spec.origin).parent


def _noto(name: str, *ranges: tuple[int, int]) -> Script:
    return Script(f"NotoSans{name}", ranges)


def _debian(name: str, *ranges: tuple[int, int]) -> Script:
    return Script(f"Noto{name}", ranges, NOTO)


# Scripts of India and its neighbours.
INDIC = (
    _noto("Devanagari", (0x0900, 0x097F), (0xA8E0, 0xA8FF)),
    _noto("Bengali", (0x0980, 0x09FF)),
    _noto("Gurmukhi", (0x0A00, 0x0A7F)),
    _noto("Gujarati", (0x0A80, 0x0AFF)),
    _noto("Oriya", (0x0B00, 0x0B7F)),
    _noto("Tamil", (0x0B80, 0x0BFF)),
    _noto("Telugu", (0x0C00, 0x0C7F)),
    _noto("Kannada", (0x0C80, 0x0CFF)),
    _noto("Malayalam", (0x0D00, 0x0D7F)),
    _noto("Sinhala", (0x0D80, 0x0DFF)),
)
ARABIC = _noto(
    *("Arabic", (0x0600, 0x06FF), (0x0750, 0x077F), (0x08A0, 0x08FF)),
    *((0xFB50, 0xFDFF), (0xFE70, 0xFEFF)),
)
# Letters of Latin, Greek and Cyrillic that FiraGO lacks.
RARE = _noto("", (0x00A0, 0x058F), (0x1AB0, 0x1AFF), (0x1C80, 0x1C8F), (0x1D00, 0x1FFF),
             (0x2C60, 0x2C7F), (0x2DE0, 0x2DFF), (0xA640, 0xA69F), (0xA720, 0xA7FF))  # fmt: skip
SCRIPTS = (
    *INDIC,
    ARABIC,
    _noto("Hebrew", (0x0590, 0x05FF), (0xFB1D, 0xFB4F)),
    _noto("Thai", (0x0E00, 0x0E7F)),
    _noto("Lao", (0x0E80, 0x0EFF)),
    _noto("Myanmar", (0x1000, 0x109F), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F)),
    _noto("Georgian", (0x10A0, 0x10FF), (0x1C90, 0x1CBF), (0x2D00, 0x2D2F)),
    _noto("Ethiopic", (0x1200, 0x139F), (0x2D80, 0x2DDF), (0xAB00, 0xAB2F)),
    _noto("Khmer", (0x1780, 0x17FF), (0x19E0, 0x19FF)),
    _noto("Armenian", (0x0530, 0x058F), (0xFB13, 0xFB17)),
    _debian("SansSyriac", (0x0700, 0x074F)),
    _debian("SansThaana", (0x0780, 0x07BF)),
    _debian("SansNKo", (0x07C0, 0x07FF)),
    _debian("SerifTibetan", (0x0F00, 0x0FFF)),
    _debian("SansCherokee", (0x13A0, 0x13FF), (0xAB70, 0xABBF)),
    _debian("SansCanadianAboriginal", (0x1400, 0x167F)),
    _debian("SansMongolian", (0x1800, 0x18AF)),
    _debian("SansLimbu", (0x1900, 0x194F)),
    _debian("SansTaiLe", (0x1950, 0x197F)),
    _debian("SansTaiTham", (0x1A20, 0x1AAF)),
    _debian("SansBalinese", (0x1B00, 0x1B7F)),
    _debian("SansSundanese", (0x1B80, 0x1BBF)),
    _debian("SansLepcha", (0x1C00, 0x1C4F)),
    _debian("SansOlChiki", (0x1C50, 0x1C7F)),
    _debian("SansTifinagh", (0x2D30, 0x2D7F)),
    _debian("SansYi", (0xA000, 0xA4CF)),
    _debian("SansVai", (0xA500, 0xA63F)),
    _debian("SansSylotiNagri", (0xA800, 0xA82F)),
    _debian("SansSaurashtra", (0xA880, 0xA8DF)),
    _debian("SansJavanese", (0xA980, 0xA9DF)),
    _debian("SansCham", (0xAA00, 0xAA5F)),
    _debian("SansMeeteiMayek", (0xABC0, 0xABFF), (0xAAE0, 0xAAFF)),
    _debian("SansHanifiRohingya", (0x10D00, 0x10D3F)),
    _debian("SansSoraSompeng", (0x110D0, 0x110FF)),
    _debian("SansChakma", (0x11100, 0x1114F)),
    _debian("SansTirhuta", (0x11480, 0x114DF)),
    _debian("SansWarangCiti", (0x118A0, 0x118FF)),
    _debian("SansMasaramGondi", (0x11D00, 0x11D5F)),
    _debian("SansGunjalaGondi", (0x11D60, 0x11DAF)),
    _debian("SansMro", (0x16A40, 0x16A6F)),
    _debian("SansWancho", (0x1E2C0, 0x1E2FF)),
    _debian("SansAdlam", (0x1E900, 0x1E95F)),
    Script(
        "NotoSansCJK",
        ((0x1100, 0x11FF), (0x2E80, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xA960, 0xA97F),
         (0xAC00, 0xD7FF), (0xF900, 0xFAFF), (0xFF00, 0xFFEF), (0x20000, 0x323AF)),
        CJK,
    ),
    RARE,
)  # fmt: skip
