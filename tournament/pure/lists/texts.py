"""Normalization of roll numbers, names and email addresses in lists."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence

from tournament.pure.invisible import is_invisible
from tournament.pure.texts import clean_text


def normalise_roll(roll_number: str) -> str:
    """Normalize a roll number for comparison.

    The result has no spaces or lower-case letters, only digits 0–9 and only one kind of dash.
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
    # In a spreadsheet, an apostrophe marks a cell as text. Some programs export it.
    text = "".join(characters).lstrip("'’‘")
    return unicodedata.normalize("NFKC", text.upper())


def _fold_digit(character: str) -> str:
    """Convert a digit of any script to a digit 0–9, and return other characters unchanged."""
    return str(unicodedata.digit(character)) if character.isdecimal() else character


# A number with thousands separators, perhaps followed by “.00”.
_GROUPED = re.compile(r"(\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.0+)?")
# A whole number with decimals. Three zeros after a comma are not decimals but thousands.
_FLOAT = re.compile(r"(\d+)(?:[.٫]0+|,0{1,2})")
_QUOTED = re.compile(r"['’‘](?=\w)(.*[^'’])")
_ENCLOSED = re.compile(r"['’‘\"“„`]([^'’‘\"“”„`]*\w)['’‘\"”“]")
# Texts that people enter instead of an address.
_NO_ADDRESS = re.compile(
    r"[\W_]*|0|x+|#?n\W{0,2}a\W?|nan|(?:no|non|not|nil+|none|null|without|unknown|absent|anonymous|"
    r"pending|tba|tbd|yet to|does ?n.?t|नहीं|नही|কোন|নেই|নাই)(?:\W+[^\W\d]+){0,4}\W*",
    re.IGNORECASE,
)
# Parts of a name that mean that there is none. Na, Nil and Null are real first or last names.
_NO_PART = {"n/a", "#n/a"}
_NO_MIDDLE_PART = _NO_PART | {"na", "n.a", "n.a.", "nil", "null", "none", "nan"}


def restore_cell(column: str, cell: str) -> str:
    """Restore the text of a cleaned cell that a program has changed.

    For example, 2.0 becomes 2, 2,021,001 becomes 2021001, and '007 becomes 007.
    """
    if column == "email":
        return _restore_address(cell)
    if column == "name":
        return restore_encoding(cell)
    is_number = column in ("roll_number", "year")
    quoted = _QUOTED.fullmatch(cell) or (is_number and _ENCLOSED.fullmatch(cell))
    text = quoted[1] if quoted else cell
    if number := _FLOAT.fullmatch(text):
        return number[1]
    if is_number and (number := _GROUPED.fullmatch(text)):
        return number[1].replace(",", "")
    return restore_encoding(text)


def _restore_address(cell: str) -> str:
    if _NO_ADDRESS.fullmatch(cell) and not re.search(r"@|\.\w\w", cell):
        return ""
    if "@" not in cell:
        return cell
    text = re.sub(r"\s*\([^()@]*\)$", "", cell).strip(" .,;:'\"")
    # The brackets in “Asha <asha@college.edu>” separate the name from the address.
    return text if re.search(r"<[^<>]*>$", text) else text.strip(" .,;:<>()[]'\"")


def join_name_parts(parts: Sequence[str]) -> str:
    """Join the parts of a name, without fillers such as “.” or “NA”.

    If all parts are fillers, all of them are joined.
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


def restore_encoding(text: str) -> str:
    """Restore a text that was encoded twice or escaped for HTML."""
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
    """Return whether a normalized email address is valid."""
    local = email.partition("@")[0]
    if not _ADDRESS.fullmatch(email) or len(email) > 254 or ".." in email:
        return False
    return not local.startswith(".") and not local.endswith(".")
