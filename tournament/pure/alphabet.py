"""Alphabetical sorting of names, and searching for names by parts of them."""

import unicodedata

from tournament.pure.invisible import JOINERS

# Latin letters that Unicode does not decompose into a base letter and a mark.
_UNDECOMPOSED = str.maketrans(
    {"æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h"}
)


# Vowel points of Arabic and Hebrew, and the Arabic tatweel. Most people do not type them.
_POINTS = frozenset(map(chr, (*range(0x64B, 0x653), 0x670, 0x640, *range(0x5B0, 0x5C8))))
_APOSTROPHES = "'’‘ʼʻʹʽʾʿ`´′＇ꞌ"
_IGNORED = str.maketrans(dict.fromkeys(_APOSTROPHES + JOINERS, "") | dict.fromkeys("-‐‑‒–—", " "))


def fold_name(name: str) -> str:
    """Convert a name to lower case, without optional marks, apostrophes or joiners.

    For example, `Ödön` becomes `odon`, and `O’Neil-Roy` becomes `oneil roy`. In most scripts,
    marks are vowels, so they are kept.
    """
    characters: list[str] = []
    base = ""
    # Mathematical letters have no case, so they must become plain letters before case is removed.
    folded = unicodedata.normalize("NFKD", name.translate(_IGNORED)).casefold()
    for character in unicodedata.normalize("NFD", folded):
        is_mark = unicodedata.category(character) == "Mn"
        base = base if is_mark else character
        if character not in _POINTS and not (is_mark and _is_optional(base, character)):
            characters.append(character)
    return unicodedata.normalize("NFC", "".join(characters)).translate(_UNDECOMPOSED)


def _is_optional(base: str, mark: str) -> bool:
    """Return whether people ignore a mark on this letter. й is not и, so its breve is kept."""
    if base.isascii():
        return True
    script = unicodedata.name(base, "").partition(" ")[0]
    return script in ("LATIN", "GREEK") or (script == "CYRILLIC" and mark != "\u0306")


def name_sort_key(name: str) -> tuple[bool, str, str]:
    """Return the sort key of a name.

    Marks count only between otherwise equal names. Names without a letter or digit come last.
    """
    folded = fold_name(name)
    start = next((n for n, character in enumerate(folded) if character.isalnum()), None)
    return start is None, folded[start or 0 :], name


def index_letter(name: str) -> str:
    """Return the letter or digit under which a name is listed, or "#" if it has none."""
    is_last, folded, _ = name_sort_key(name)
    return "#" if is_last or not folded else folded[0].upper()


def matches_name(typed: str, name: str) -> bool:
    """Return whether each typed word occurs in the name."""
    folded = fold_name(name)
    return all(word in folded for word in fold_name(typed).split())
