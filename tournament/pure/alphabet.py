"""Alphabetical sorting of names, and searching for names by their parts."""

import unicodedata

from tournament.pure.invisible import JOINERS

# Latin letters that Unicode does not decompose into a base letter and a mark.
_UNDECOMPOSED = str.maketrans(
    {"æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h"}
)


# Vowel points of Arabic and Hebrew, which most people leave out, and the Arabic tatweel.
_POINTS = frozenset(map(chr, (*range(0x64B, 0x653), 0x670, 0x640, *range(0x5B0, 0x5C8))))
_APOSTROPHES = "'’‘ʼʻʹʽʾʿ`´′＇ꞌ"
_IGNORED = str.maketrans(dict.fromkeys(_APOSTROPHES + JOINERS, "") | dict.fromkeys("-‐‑‒–—", " "))


def fold_name(name: str) -> str:
    """Fold the name for searching: lower case, without optional marks, apostrophes and joiners.

    For example, `Ödön` is found as `odon`, and `O’Neil-Roy` as `oneil roy`. In most scripts, marks
    are vowels, so they are kept.
    """
    characters: list[str] = []
    base = ""
    # Mathematical letters have no case but decompose to plain capitals.
    folded = unicodedata.normalize("NFKD", name.translate(_IGNORED)).casefold()
    for character in unicodedata.normalize("NFD", folded):
        is_mark = unicodedata.category(character) == "Mn"
        base = base if is_mark else character
        if character not in _POINTS and not (is_mark and _is_optional(base, character)):
            characters.append(character)
    return unicodedata.normalize("NFC", "".join(characters)).translate(_UNDECOMPOSED)


def _is_optional(base: str, mark: str) -> bool:
    """Return whether readers pass over a mark on this letter. With a breve, й is not и."""
    if base.isascii():
        return True
    script = unicodedata.name(base, "").partition(" ")[0]
    return script in ("LATIN", "GREEK") or (script == "CYRILLIC" and mark != "\u0306")


def name_sort_key(name: str) -> tuple[bool, str, str]:
    """Return the sort key of a name.

    Marks count only between otherwise equal names. Names without a letter are sorted last.
    """
    folded = fold_name(name)
    start = next((n for n, character in enumerate(folded) if character.isalnum()), None)
    return start is None, folded[start or 0 :], name


def initial(name: str) -> str:
    """Return the letter under which a name is listed, or "#" if it has none."""
    lacks_letters, folded, _ = name_sort_key(name)
    return "#" if lacks_letters or not folded else folded[0].upper()


def matches(typed: str, name: str) -> bool:
    """Return whether every typed word occurs in the name."""
    folded = fold_name(name)
    return all(word in folded for word in fold_name(typed).split())
