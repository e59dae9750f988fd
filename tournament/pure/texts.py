"""Normalization of typed or pasted text for storage, display and comparison."""

from __future__ import annotations

import unicodedata

from games.rules.clusters import shorten
from tournament.pure.invisible import JOINERS, drop_invisible, is_invisible

# No writing system has letters with more marks than this.
MOST_MARKS = 4


def clean_text(text: str) -> str:
    """Normalize a text to NFC with single spaces, and remove invisible characters.

    Direction marks are removed too. Joiners are kept where a script or emoji needs them. A letter
    keeps at most four marks, because no real text has more.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    # Removing a character can bring a letter and a mark together, or two joiners.
    while (cleaned := _clean_once(text)) != text:
        text = cleaned
    return text


def _clean_once(text: str) -> str:
    spaced = "".join(
        " " if character.isspace() else character
        for character in unicodedata.normalize("NFC", text)
    )
    characters: list[str] = []
    marks = 0
    for character in drop_invisible(spaced):
        marks = marks + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            characters.append(character)
    return " ".join(unicodedata.normalize("NFC", "".join(characters)).split())


def is_name(text: str) -> bool:
    """Return whether a cleaned text has a visible letter or digit."""
    return any(character.isalnum() for character in text)


# Characters that look like Latin letters in most fonts.
_LOOK_ALIKES = str.maketrans(
    {
        **dict(zip("аеорсухіјѕһкмтвнԁԛԝүѵӏ", "aeopcyxijshkmtbhdqwyvl", strict=True)),
        **dict(zip("αεορυνικτχϲϳ", "aeopuviktxcj", strict=True)),
        **dict(zip("օսհոցզ", "ouhngq", strict=True)),
        **dict(zip("ıɩłøđħɑɡʟɪɴʏꞁꜱ", "lllodhagllnyls", strict=True)),
        **dict(zip("ᴀʙᴄᴅᴇꜰɢʜᴊᴋᴍᴏᴘʀᴛᴜᴠᴡᴢ", "abcdefghjkmoprtuvwz", strict=True)),
        **dict(zip("ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓟꓠꓡꓢꓣꓦꓧꓪꓫꓬꓮꓰꓲꓳꓴ", "bpdtgkjczfmnlsrvhwxyaeiou", strict=True)),
        **dict(zip("ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᏕᎢᏙᎳᎩᏃ", "abcdeghjklmprsstvwyz", strict=True)),
        **dict(zip("ⲁⲉⲓⲕⲟⲣⲥⲭⲩ", "aeikopcxy", strict=True)),
        **dict(zip("01|¦!¡ǀǃ∣❘׀$@€×", "ollllllllllsaex", strict=True)),
    }
)
# Pairs of letters that look like one letter, and vowels that can be typed as one or two
# characters.
_PAIRS = {
    "rn": "m", "vv": "w",
    "अा": "आ", "अो": "ओ", "अौ": "औ", "अॉ": "ऑ", "एे": "ऐ", "अॅ": "ॲ",
    "অা": "আ", "અા": "આ", "અો": "ઓ", "અૌ": "ઔ", "અે": "એ", "અૈ": "ઐ", "ਅਾ": "ਆ",
    "ଅା": "ଆ", "ಅಾ": "ಆ", "അാ": "ആ", "அா": "ஆ",
}  # fmt: skip


def skeleton(name: str) -> str:
    """Reduce a name to what people notice at a glance.

    Names with the same skeleton are easily confused. Spaces, punctuation, and marks on Latin,
    Greek and Cyrillic letters are ignored. Marks of other scripts are vowels, so they are kept.
    """
    # Mathematical letters have no case, so they must become plain letters before case is removed.
    decomposed = unicodedata.normalize("NFKD", clean_text(name)).casefold()
    letters: list[str] = []
    base = ""
    for c in decomposed.translate(_LOOK_ALIKES):
        if unicodedata.category(c)[0] != "M":
            base = c
        elif _has_optional_marks(base) or letters[-1:] == [c]:
            continue
        if _is_noticeable(c):
            letters.append(c)
    appearance = "".join(letters).replace("i", "l")
    for pair, single in _PAIRS.items():
        appearance = appearance.replace(unicodedata.normalize("NFKD", pair), single)
    # Different names without any letters must not get the same skeleton.
    return appearance or "".join(decomposed.split())


def _has_optional_marks(base: str) -> bool:
    script = unicodedata.name(base, "").partition(" ")[0] if base else ""
    return not base.isalpha() or script in ("LATIN", "GREEK", "CYRILLIC")


def _is_noticeable(character: str) -> bool:
    if character.isspace() or is_invisible(character) or character in "⋅∙−°":
        return False
    kind = unicodedata.category(character)
    # Accents and modifier letters are used as apostrophes, such as ´ and ʼ.
    is_apostrophe = kind == "Sk" or (
        kind == "Lm" and unicodedata.name(character).startswith("MODIFIER")
    )
    return kind[0] != "P" and not is_apostrophe


# Any number with this many digits is small enough for a database key.
MOST_DIGITS = 18


def parse_whole(text: str) -> int | None:
    """Parse a non-negative whole number. Return None for any other text."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def shorten_cell(text: str) -> str:
    """Shorten a cell's text to one line of at most 40 characters, for use in a message."""
    # A cell may have millions of letters. Cleaning all of them would take too long.
    start = text[:1000]
    return shorten(
        clean_text("".join(" " if _is_control(character) else character for character in start)), 40
    )


def _is_control(c: str) -> bool:
    return unicodedata.category(c)[0] == "C" and c not in JOINERS
