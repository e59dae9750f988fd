"""Names, roll numbers and e-mail addresses as they are stored and compared."""

from __future__ import annotations

import re
import unicodedata

from tournament.eligibility.sheets import printable


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
    # What was taken out may have stood between a letter and its mark.
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
    """What a name looks like at a glance: two names of one skeleton should not sit together."""
    decomposed = unicodedata.normalize("NFKD", clean_text(name).casefold())
    plain = "".join(c for c in decomposed if unicodedata.category(c)[0] not in "MC")
    return "".join(plain.translate(_LOOK_ALIKES).split()).replace("i", "l")


def normalise_roll(roll_number: str) -> str:
    """A roll number as it is compared: no spaces, capitals, one kind of dash."""
    folded = unicodedata.normalize("NFKC", roll_number)
    folded = re.sub(r"[‐-―−﹣－]", "-", folded)
    kept = (c for c in folded if not c.isspace() and unicodedata.category(c)[0] != "C")
    return unicodedata.normalize("NFKC", "".join(kept).upper())


def normalise_email(email: str) -> str:
    """An address as it is compared and stored: small letters, without spaces around or mailto."""
    text = clean_text(email)
    wrapped = re.search(r"<([^<>]*)>\s*$", text)
    text = (wrapped[1] if wrapped else text).strip().casefold()
    return text.removeprefix("mailto:").strip()


_ADDRESS = re.compile(
    r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}"
)


def email_fault(email: str) -> str:
    """ "" for an e-mail address, else what is wrong with it."""
    local = email.partition("@")[0]
    if _ADDRESS.fullmatch(email) and ".." not in email and not local.startswith("."):
        return "" if not local.endswith(".") and len(email) <= 254 else _not_an_address(email)
    return _not_an_address(email)


def _not_an_address(email: str) -> str:
    return f"“{printable(email)}” is not an e-mail address: write one like name@college.edu"
