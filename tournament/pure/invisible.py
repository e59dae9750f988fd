"""Invisible characters, and the places where a script or emoji needs them."""

from __future__ import annotations

import unicodedata

from games.rules.clusters import is_pictograph

ZWNJ, ZWJ = "\u200c", "\u200d"
JOINERS = ZWNJ + ZWJ
_VIRAMA = 9

# Unicode's Default_Ignorable_Code_Point, and characters that are drawn as blanks.
_RANGES = (
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5),
    (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x2800, 0x2800),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFC),
    (0x13441, 0x13442), (0x16FE4, 0x16FE4), (0x1BCA0, 0x1BCA3), (0x1D159, 0x1D159),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip
_EMOJI_STYLE = "\ufe0e\ufe0f"
# Characters that can be drawn as emoji but are not pictographs.
_EMOJI_SIGNS = "‼⁉ℹ↔↕↩↪⤴⤵▪▫▶◀◻◼〰〽㊗㊙"
_TAGS = range(0xE0020, 0xE0080)
_BLACK_FLAG = "\U0001f3f4"
_KEYCAP = "\u20e3"
# Variation selectors for ideographs. Some family names need them.
_VARIANTS = range(0xE0100, 0xE01F0)
# Selectors for the shape of a Mongolian letter, and the Mongolian vowel separator.
_MONGOLIAN_SHAPES = "\u180b\u180c\u180d\u180e\u180f"
_MONGOLIAN = ((0x1820, 0x18AF),)
# Khmer signs that change the series of a consonant. A ZWNJ before a sign keeps it above the
# consonant.
_KHMER_SHIFTERS = "\u17c9\u17ca"

# Scripts in which joiners occur next to a virama: Devanagari to Sinhala, Myanmar, Khmer, Balinese,
# and Indic scripts in the second plane.
_INDIC = ((0x0900, 0x0DFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1B00, 0x1B7F),
          (0xA800, 0xA82F), (0x11000, 0x114FF))  # fmt: skip
# Scripts with letters whose shape depends on their neighbours: Arabic, Syriac, N’Ko and Mongolian.
_CURSIVE = ((0x0600, 0x06FF), (0x0700, 0x077F), (0x07C0, 0x07FF), (0x08A0, 0x08FF),
            (0x1800, 0x18AF))  # fmt: skip
# Arabic letters that never join to the next letter. A ZWJ after them has no effect.
_NON_JOINING = frozenset(
    map(chr, (
        0x621, *range(0x622, 0x626), 0x627, 0x629, *range(0x62F, 0x633), 0x648,
        *range(0x671, 0x674), *range(0x675, 0x678), *range(0x688, 0x69A), 0x6C0,
        *range(0x6C3, 0x6CC), 0x6CD, 0x6CF, 0x6D2, 0x6D3, 0x6D5, 0x6EE, 0x6EF,
    ))
)  # fmt: skip


_BLANKS = frozenset(chr(n) for first, last in _RANGES for n in range(first, last + 1))


def is_invisible(character: str) -> bool:
    """Return whether a character is a control character, filler or blank."""
    return character in _BLANKS or unicodedata.category(character)[0] == "C"


def drop_invisible(text: str) -> str:
    """Remove invisible characters, except where the script or an emoji needs them.

    Joiners are kept wherever a script uses them, even if they do not change the shape of the
    letters. An example is the joiner between the two parts of a Persian name.
    """
    visible = [
        character if not is_invisible(character) or _is_character_needed(text, index) else ""
        for index, character in enumerate(text)
    ]
    return "".join(visible)


def _is_character_needed(text: str, index: int) -> bool:
    character, before, after = (
        text[index],
        text[index - 1 : index] if index else "",
        text[index + 1 : index + 2],
    )
    if not before:
        return False
    if character in JOINERS:
        return _is_joiner_needed(text, index)
    if character in _EMOJI_STYLE:
        return is_pictograph(before) or after == _KEYCAP or before in _EMOJI_SIGNS
    if character in _MONGOLIAN_SHAPES:
        return _is_in_ranges(before, _MONGOLIAN)
    if ord(character) in _TAGS:
        start = text[:index].rstrip("".join(map(chr, _TAGS)))
        return start.endswith(_BLACK_FLAG)
    return ord(character) in _VARIANTS and unicodedata.name(before, "").startswith("CJK ")


def _is_joiner_needed(text: str, index: int) -> bool:
    before, after = text[index - 1], text[index + 1 : index + 2]
    if text[index] == ZWJ and after and is_pictograph(after):
        return is_pictograph(_strip_style(text[:index])[-1:] or " ")
    if _is_in_ranges(before, _INDIC):
        is_followed = bool(after) and _is_in_ranges(after, _INDIC)
        return _is_virama(before) or (
            is_followed and (_is_virama(after) or after in _KHMER_SHIFTERS)
        )
    if _is_in_ranges(before, _CURSIVE):
        if after and _is_in_ranges(after, _CURSIVE) and after.isalpha():
            return True
        # At the end of a word, ZWJ gives a letter the shape that joins to a next letter.
        base = _find_base(text[:index])
        return text[index] == ZWJ and base.isalpha() and base not in _NON_JOINING
    return False


def _is_virama(character: str) -> bool:
    return unicodedata.combining(character) == _VIRAMA


def _strip_style(text: str) -> str:
    return text.rstrip(_EMOJI_STYLE + "".join(map(chr, range(0x1F3FB, 0x1F400))))


def _find_base(text: str) -> str:
    """Return the last letter before any marks."""
    return next(
        (character for character in reversed(text) if unicodedata.category(character)[0] != "M"), ""
    )


def _is_in_ranges(character: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= ord(character) <= last for first, last in ranges)
