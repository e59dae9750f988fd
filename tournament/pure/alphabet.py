"""Alphabetical sorting of names, and searching for names by their parts."""

import unicodedata

# Latin letters that Unicode does not decompose into a base letter and a mark.
_UNDECOMPOSED = str.maketrans(
    {"æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h"}
)


def fold_name(name: str) -> str:
    """Fold a name for searching.

    The result is lower case, and Latin letters lose their marks: `Ödön` is found as `odon`. Marks
    of other scripts are vowels and remain.
    """
    characters: list[str] = []
    for character in unicodedata.normalize("NFD", name.casefold()):
        latin = characters and characters[-1].isascii()
        if not (unicodedata.category(character) == "Mn" and latin):
            characters.append(character)
    return unicodedata.normalize("NFC", "".join(characters)).translate(_UNDECOMPOSED)


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
