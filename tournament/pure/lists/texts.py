"""Normalization of roll numbers and email addresses for storage and comparison."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence

from tournament.pure.invisible import is_invisible
from tournament.pure.texts import clean_text


def normalise_roll(roll_number: str) -> str:
    """Normalize a roll number for comparison.

    The result has no spaces, only capital letters and only one kind of dash.
    """
    if roll_number.isascii() and roll_number.isprintable():
        return "".join(roll_number.split()).lstrip("'").upper()
    folded = unicodedata.normalize("NFKC", roll_number)
    folded = re.sub(r"[‐-―−﹣－]", "-", folded)
    characters = (
        _fold_digit(character)
        for character in folded
        if not character.isspace() and not is_invisible(character)
    )
    # Some programs write the apostrophe that marks text in a spreadsheet into the cell.
    text = "".join(characters).lstrip("'’‘")
    return unicodedata.normalize("NFKC", text.upper())


def _fold_digit(character: str) -> str:
    """Return the digit 0–9 for a digit of any script. Other characters are unchanged."""
    return str(unicodedata.digit(character)) if character.isdecimal() else character


# A number to which a program or number format has added thousands separators or “.00”.
_GROUPED = re.compile(r"(\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.0+)?")
# Three zeros after a comma are thousands.
_FLOAT = re.compile(r"(\d+)(?:[.٫]0+|,0{1,2})")
_QUOTED = re.compile(r"['’‘](?=\w)(.*[^'’])")
_ENCLOSED = re.compile(r"['’‘\"“„`]([^'’‘\"“”„`]*\w)['’‘\"”“]")
# Texts that people write into a cell to leave it empty.
_NO_ADDRESS = re.compile(
    r"[\W_]*|0|x+|#?n\W{0,2}a\W?|nan|(?:no|non|not|nil+|none|null|without|unknown|absent|anonymous|"
    r"pending|tba|tbd|yet to|does ?n.?t|नहीं|नही|কোন|নেই|নাই)(?:\W+[^\W\d]+){0,4}\W*",
    re.IGNORECASE,
)
# Parts of a name that stand for nothing. Na, Nil and Null are names, except between two others.
_NO_PART = {"n/a", "#n/a"}
_NO_MIDDLE_PART = _NO_PART | {"na", "n.a", "n.a.", "nil", "null", "none", "nan"}


def undo_cell(column: str, cell: str) -> str:
    """Return the original text of a cleaned cell that a program has changed.

    Examples: 2 for 2.0, 2021001 for 2,021,001, and 007 for '007.
    """
    if column == "email":
        return _undo_address(cell)
    if column == "name":
        return undo_encoding(cell)
    is_number = column in ("roll_number", "year")
    quoted = _QUOTED.fullmatch(cell) or (is_number and _ENCLOSED.fullmatch(cell))
    text = quoted[1] if quoted else cell
    if number := _FLOAT.fullmatch(text):
        return number[1]
    if is_number and (number := _GROUPED.fullmatch(text)):
        return number[1].replace(",", "")
    return undo_encoding(text)


def _undo_address(cell: str) -> str:
    if _NO_ADDRESS.fullmatch(cell) and not re.search(r"@|\.\w\w", cell):
        return ""
    if "@" not in cell:
        return cell
    text = re.sub(r"\s*\([^()@]*\)$", "", cell).strip(" .,;:'\"")
    # The brackets in “Asha <asha@college.edu>” separate the name from the address.
    return text if re.search(r"<[^<>]*>$", text) else text.strip(" .,;:<>()[]'\"")


def join_name_parts(parts: Sequence[str]) -> str:
    """Join the parts of a name without those that only fill a cell, such as “.” or “NA”.

    A name of which nothing would be left is joined as it is.
    """
    texts = [clean_text(part) for part in parts]
    filled = [text for text in texts if text]
    kept = [
        text
        for number, text in enumerate(filled)
        if any(map(str.isalnum, text))
        and text.casefold() not in (_NO_MIDDLE_PART if 0 < number < len(filled) - 1 else _NO_PART)
    ]
    return " ".join(kept or filled)


def undo_encoding(text: str) -> str:
    """Undo double encoding or HTML escaping of a text."""
    if "&" in text and ";" in text:
        text = clean_text(html.unescape(text))
    if any(character in text for character in "ÃÂâà") and not text.isascii():
        try:
            return clean_text(text.encode("cp1252").decode("utf-8"))
        except UnicodeError:
            return text
    return text


def normalise_email(email: str) -> str:
    """Normalize an email address for comparison and storage.

    The result is lower case, without surrounding spaces and without "mailto:".
    """
    text = clean_text(email)
    bracketed = re.search(r"<([^<>]*)>\s*$", text)
    text = (bracketed[1] if bracketed else text).strip().casefold()
    return text.removeprefix("mailto:").strip()


_ADDRESS = re.compile(
    r"[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}"
)


def is_email(email: str) -> bool:
    """Return whether a normalized email address is valid for sending."""
    local = email.partition("@")[0]
    if not _ADDRESS.fullmatch(email) or len(email) > 254 or ".." in email:
        return False
    return not local.startswith(".") and not local.endswith(".")
