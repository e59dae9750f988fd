"""Typed or pasted text, as it is stored, shown and compared. Pure."""

from __future__ import annotations

import unicodedata


def clean_text(text: str) -> str:
    """NFC, single spaces, without control, zero-width and direction characters.

    More than four marks on one letter are no writing; the rest are dropped.
    """
    spaced = "".join(" " if c.isspace() else c for c in unicodedata.normalize("NFC", text))
    kept: list[str] = []
    marks = 0
    for c in spaced:
        marks = marks + 1 if unicodedata.category(c) in ("Mn", "Me") else 0
        if unicodedata.category(c)[0] != "C" and marks <= 4:
            kept.append(c)
    # Removing characters can bring a letter and its mark together, so the text is normalized
    # again.
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())


# Letters that look like Latin ones in most fonts: Cyrillic, Greek, digits.
_LOOK_ALIKES = str.maketrans(
    {
        **dict(zip("аеорсухіјѕһкмтвн", "aeopcyxijshkmtbh", strict=True)),
        **dict(zip("αεορυνικτχ", "aeopuviktx", strict=True)),
        **dict(zip("01|", "oll", strict=True)),
    }
)


def skeleton(name: str) -> str:
    """Reduce a name to what it looks like at a glance.

    Two names with the same skeleton should not sit at one table.
    """
    # Decomposed first: letters of formulas have a plain capital inside, and no case of their own.
    decomposed = unicodedata.normalize("NFKD", clean_text(name)).casefold()
    plain = "".join(c for c in decomposed if unicodedata.category(c)[0] not in "MC")
    return "".join(plain.translate(_LOOK_ALIKES).split()).replace("i", "l")


# More digits than these are no number of ours: a key has 18 at most.
MOST_DIGITS = 18


def whole(text: str) -> int | None:
    """Parse a whole number from 0 upwards; return None for anything else."""
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def printable(text: str) -> str:
    """Clean a cell for a message: no control characters, and at most 40 characters."""
    plain = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text)
    plain = " ".join(plain.split())
    return plain if len(plain) <= 40 else plain[:39] + "…"
