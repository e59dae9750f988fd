"""Normalization of roll numbers and email addresses for storage and comparison."""

from __future__ import annotations

import html
import re
import unicodedata

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
_FLOAT = re.compile(r"(\d+)\.0+")
_QUOTED = re.compile(r"['’‘](?=\w)(.*[^'’])")
# Texts that stand for an empty cell.
_EMPTY_TEXTS = {"-", "--", "---", "–", "—", ".", "na", "n/a", "n.a.", "n.a", "nil", "none", "null",
            "0", "x", "?", "not available", "not applicable", "nan", "#n/a", "/"}  # fmt: skip


def undo_cell(column: str, cell: str) -> str:
    """Return the original text of a cleaned cell that a program has changed.

    Examples: 2 for 2.0, 2021001 for 2,021,001, and 007 for '007.
    """
    if column == "email":
        return _undo_address(cell)
    if column == "name":
        return undo_encoding(cell)
    text = _QUOTED.sub(r"\1", cell) if _QUOTED.fullmatch(cell) else cell
    if number := _FLOAT.fullmatch(text):
        return number[1]
    if column in ("roll_number", "year") and (number := _GROUPED.fullmatch(text)):
        return number[1].replace(",", "")
    return undo_encoding(text)


def _undo_address(cell: str) -> str:
    if cell.casefold().strip() in _EMPTY_TEXTS:
        return ""
    return cell.strip(" .,;:<>()[]'\"") if "@" in cell else cell


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
