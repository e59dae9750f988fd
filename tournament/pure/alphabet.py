"""Names sorted in the order that people expect, and found by typed parts. Pure."""

import unicodedata

# Letters that are no plain letter with a mark on it, as registers file them.
_FILED = str.maketrans(
    {"æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h"}
)


def plain(name: str) -> str:
    """Fold the name for searching: lower case, without marks on Latin letters.

    For example, `Ödön` is found as `odon`. In other scripts marks are vowels, so they are kept.
    """
    kept: list[str] = []
    for c in unicodedata.normalize("NFD", name.casefold()):
        latin = kept and kept[-1].isascii()
        if not (unicodedata.category(c) == "Mn" and latin):
            kept.append(c)
    return unicodedata.normalize("NFC", "".join(kept)).translate(_FILED)


def order(name: str) -> tuple[bool, str, str]:
    """Return the sort key of a name.

    Marks decide only between otherwise equal names. Names without a letter come last.
    """
    written = plain(name)
    start = next((n for n, c in enumerate(written) if c.isalnum()), None)
    return start is None, written[start or 0 :], name


def initial(name: str) -> str:
    """Return the letter under which the name is listed, or # if it has none."""
    letters, written, _ = order(name)
    return "#" if letters or not written else written[0].upper()


def matches(typed: str, name: str) -> bool:
    """Return whether every typed word occurs in the name."""
    written = plain(name)
    return all(word in written for word in plain(typed).split())
