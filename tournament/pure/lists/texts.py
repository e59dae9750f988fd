"""Roll numbers and e-mail addresses as they are stored and compared."""

from __future__ import annotations

import re
import unicodedata

from tournament.pure.texts import clean_text


def normalise_roll(roll_number: str) -> str:
    """Normalize a roll number for comparison: no spaces, capitals, one kind of dash."""
    folded = unicodedata.normalize("NFKC", roll_number)
    folded = re.sub(r"[‐-―−﹣－]", "-", folded)
    kept = (c for c in folded if not c.isspace() and unicodedata.category(c)[0] != "C")
    return unicodedata.normalize("NFKC", "".join(kept).upper())


def whole_number(roll_number: str) -> str:
    """123.0 is what programs write for a number that once was a whole one."""
    return re.sub(r"^(\d+)\.0$", r"\1", roll_number)


def normalise_email(email: str) -> str:
    """Normalize an email address for comparison and storage.

    The result is lower case, without surrounding spaces or mailto.
    """
    text = clean_text(email)
    wrapped = re.search(r"<([^<>]*)>\s*$", text)
    text = (wrapped[1] if wrapped else text).strip().casefold()
    return text.removeprefix("mailto:").strip()


_ADDRESS = re.compile(
    r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}"
)


def is_email(email: str) -> bool:
    """Return whether mail could be sent to the address; `email` is normalized."""
    local = email.partition("@")[0]
    if not _ADDRESS.fullmatch(email) or len(email) > 254 or ".." in email:
        return False
    return not local.startswith(".") and not local.endswith(".")
