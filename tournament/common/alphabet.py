"""Names in the order in which people look for them, and found by what people type. Pure."""

import unicodedata

# Letters that are no plain letter with a mark on it, as registers file them.
_FILED = str.maketrans(
    {"æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ħ": "h"}
)


def plain(name: str) -> str:
    """The name in small letters without marks on Latin ones: `Ödön` is looked for as `odon`.

    Marks of other scripts are vowels, and stay.
    """
    kept: list[str] = []
    for c in unicodedata.normalize("NFD", name.casefold()):
        latin = kept and kept[-1].isascii()
        if not (unicodedata.category(c) == "Mn" and latin):
            kept.append(c)
    return unicodedata.normalize("NFC", "".join(kept)).translate(_FILED)


def order(name: str) -> tuple[bool, str, str]:
    """The key to sort by: marks count only between equal names, what has no letter comes last."""
    written = plain(name)
    start = next((n for n, c in enumerate(written) if c.isalnum()), None)
    return start is None, written[start or 0 :], name


def initial(name: str) -> str:
    """The letter under which the name is listed; # where it has none."""
    letters, written, _ = order(name)
    return "#" if letters or not written else written[0].upper()


def matches(typed: str, name: str) -> bool:
    """Whether each word that was typed begins a word of the name, or stands in it."""
    written = plain(name)
    return all(word in written for word in plain(typed).split())
