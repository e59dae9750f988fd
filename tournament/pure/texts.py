"""Typed or pasted text, normalized for storage, display and comparison. Pure."""

from __future__ import annotations

import unicodedata

from games.rules.clusters import shorten
from tournament.pure.invisible import JOINERS, drop_invisible, is_invisible

# More marks on one letter than these are no writing.
MOST_MARKS = 4


def clean_text(text: str) -> str:
    """Normalize to NFC and single spaces, without control and other invisible characters.

    Direction marks are removed too. Joiners stay where a script or an emoji needs them.
    More than four marks on one letter are not writing; the rest are dropped.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    # Removing characters can bring a letter and its mark together, or two joiners.
    while (cleaned := _clean_once(text)) != text:
        text = cleaned
    return text


def _clean_once(text: str) -> str:
    spaced = "".join(" " if c.isspace() else c for c in unicodedata.normalize("NFC", text))
    kept: list[str] = []
    marks = 0
    for c in drop_invisible(spaced):
        marks = marks + 1 if unicodedata.category(c) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            kept.append(c)
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())


def is_name(text: str) -> bool:
    """Return whether a cleaned text has a visible letter or digit."""
    return any(c.isalnum() for c in text)


# Letters and signs that look like Latin letters in most fonts.
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
# Pairs of letters that look like one, and vowels that two keys or one can write.
_PAIRS = {
    "rn": "m", "vv": "w",
    "अा": "आ", "अो": "ओ", "अौ": "औ", "अॉ": "ऑ", "एे": "ऐ", "अॅ": "ॲ",
    "অা": "আ", "અા": "આ", "અો": "ઓ", "અૌ": "ઔ", "અે": "એ", "અૈ": "ઐ", "ਅਾ": "ਆ",
    "ଅା": "ଆ", "ಅಾ": "ಆ", "അാ": "ആ", "அா": "ஆ",
}  # fmt: skip


def skeleton(name: str) -> str:
    """Reduce a name to its appearance at a glance.

    Two names with the same skeleton should not sit at one table. Spaces, punctuation and marks
    on Latin, Greek and Cyrillic letters make no difference. Marks of other scripts are vowels.
    """
    # Decomposed first: letters of formulas have a plain capital inside, and no case of their own.
    decomposed = unicodedata.normalize("NFKD", clean_text(name)).casefold()
    seen: list[str] = []
    base = ""
    for c in decomposed.translate(_LOOK_ALIKES):
        if unicodedata.category(c)[0] != "M":
            base = c
        elif _has_optional_marks(base) or seen[-1:] == [c]:
            continue
        if _counts_at_a_glance(c):
            seen.append(c)
    looks = "".join(seen).replace("i", "l")
    for pair, single in _PAIRS.items():
        looks = looks.replace(unicodedata.normalize("NFKD", pair), single)
    # A name of nothing but punctuation still differs from the next one.
    return looks or "".join(decomposed.split())


def _has_optional_marks(base: str) -> bool:
    script = unicodedata.name(base, "").partition(" ")[0] if base else ""
    return not base.isalpha() or script in ("LATIN", "GREEK", "CYRILLIC")


def _counts_at_a_glance(c: str) -> bool:
    if c.isspace() or is_invisible(c) or c in "⋅∙−°":
        return False
    kind = unicodedata.category(c)
    # Accents and letter-like marks can stand alone, such as the apostrophes ´ and ʼ.
    alone = kind == "Sk" or (kind == "Lm" and unicodedata.name(c).startswith("MODIFIER"))
    return kind[0] != "P" and not alone


# More digits than these are no number of ours: a key has 18 at most.
MOST_DIGITS = 18


def whole(text: str) -> int | None:
    """Parse a whole number from 0 upwards; return None for anything else."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def printable(text: str) -> str:
    """Shorten a cell for a message to one line of at most 40 characters."""
    # A message shows only the beginning of a cell, which may have millions of letters.
    start = text[:1000]
    return shorten(clean_text("".join(" " if _is_control(c) else c for c in start)), 40)


def _is_control(c: str) -> bool:
    return unicodedata.category(c)[0] == "C" and c not in JOINERS
