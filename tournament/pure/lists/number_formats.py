"""Formatting of numbers as in a spreadsheet (ECMA-376, part 1, 18.8.31)."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache

from tournament.pure.lists.sheets import EXACT_DIGITS

# Formats to which files refer only by number. For dates, the format depends on the language.
BUILT_IN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 5: '"$"#,##0', 6: '"$"#,##0',
    7: '"$"#,##0.00', 8: '"$"#,##0.00', 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?",
    13: "# ??/??", 37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;(#,##0.00)", 41: "#,##0", 42: '"$"#,##0', 43: "#,##0.00", 44: '"$"#,##0.00',
    48: "##0.0E+0", 49: "@", **dict.fromkeys([*range(14, 23), *range(27, 37), 45, 46, 47,
    *range(50, 59), *range(71, 82)], "yyyy-mm-dd"), 59: "0", 60: "0.00", 61: "#,##0",
    62: "#,##0.00", 67: "0%", 68: "0.00%", 69: "# ?/?", 70: "# ??/??",
}  # fmt: skip

_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.)|_.|\*.|\[\$(?P<currency>[^\]-]*)[^\]]*\]'
    r"|(?P<bracket>\[[^\]]*\])|(?P<general>General)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_COLOURS = re.compile(r"\[(black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]", re.I)
_ELAPSED = re.compile(r"\[[hms]+\]", re.I)
_CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)(-?\d{1,15}(?:\.\d{1,15})?)\]")
_COMPARISONS: dict[str, Callable[[Decimal, Decimal], bool]] = {
    "<=": operator.le, ">=": operator.ge, "<>": operator.ne, "<": operator.lt, ">": operator.gt,
    "=": operator.eq,
}  # fmt: skip
# No person chooses a longer format.
MAX_FORMAT = 255
# Enough digits for a format with 255 decimal places or 255 percent signs.
_PRECISE = Context(prec=1_000, rounding=ROUND_HALF_UP)


@dataclass
class _Section:
    """A section of a number format.

    * `parts`: pairs of a kind and a text, in order. The kind is "0" for a digit placeholder, "."
      for the decimal point, "t" for a literal, "g" for the whole number and "@" for a text.
    * `kind`: "number", "general", "date", or "format" for a format that is not supported.
    * `groups`: whether digits are grouped by thousands.
    * `percent`: the number of percent signs.
    * `condition`: a comparison and a number, or None.
    """

    parts: list[tuple[str, str]] = field(default_factory=list)
    kind: str = "number"
    groups: bool = False
    percent: int = 0
    condition: tuple[str, Decimal] | None = None

    def meets_condition(self, number: Decimal) -> bool:
        """Return whether the section has a condition that the number meets."""
        return self.condition is not None and _COMPARISONS[self.condition[0]](
            number, self.condition[1]
        )


def format_number(value: str, number_format: str) -> tuple[str, str]:
    """Return the text that a spreadsheet shows for a number, and a code if the text is doubtful.

    `value` is the number as written in the file. The code is "date", "digits", "format" or "".
    Raises ValueError if `value` is not a number.
    """
    number = _parse_number(value)
    plain = _format_general(number)
    if len(plain.lstrip("-").partition(".")[0]) > EXACT_DIGITS:
        return plain, "digits"
    sections = _list_number_sections(number_format)
    section = _choose_section(sections, number)
    if section is None:
        return plain, "format"
    if section.kind in ("date", "format"):
        return plain, section.kind
    # A section for negative numbers shows them without an additional minus sign.
    negative = number < 0 and section is not sections[0]
    if section.kind == "general":
        shown = plain.lstrip("-") if negative else plain
        return "".join(shown if kind == "g" else text for kind, text in section.parts), ""
    shown = _fill_placeholders(section, abs(number))
    return ("-" + shown if number < 0 and not negative and _has_digit(shown) else shown), ""


def format_text(value: str, number_format: str) -> str:
    """Return what a spreadsheet shows for a text, such as CHE-001 for 001 in the format "CHE-"@.

    If the format hides the text, the text itself is returned, because some people hide a column
    with a format.
    """
    if "@" not in number_format:
        return value
    sections = _split_format(number_format[:MAX_FORMAT])
    parts = sections[-1].parts
    if not any(kind == "@" for kind, _text in parts):
        return value
    return "".join(value if kind == "@" else text for kind, text in parts)


def _list_number_sections(number_format: str) -> Sequence[_Section]:
    """Return the sections for numbers, without the section for texts."""
    sections = _split_format(number_format[:MAX_FORMAT] or "General")
    if not any(kind == "@" for kind, _text in sections[-1].parts):
        return sections
    # Programs differ in how they show a number if its format is only for texts, such as "CHE-"@.
    is_plain = [kind for kind, _text in sections[-1].parts] == ["@"]
    return sections[:-1] or (_split_format("General") if is_plain else [_Section(kind="format")])


def _choose_section(sections: Sequence[_Section], number: Decimal) -> _Section | None:
    """Return the section that formats a number, or None if that is doubtful."""
    conditions = [section.condition for section in sections[:2]]
    if not any(conditions):
        index = 1 if number < 0 and len(sections) > 1 else 0
        return sections[2 if number == 0 and len(sections) > 2 else index]
    met = next((section for section in sections[:2] if section.meets_condition(number)), None)
    others = sections[sum(map(bool, conditions)) :]
    if number < 0 or len(others) != 1 or conditions[0] is None:
        return None
    return met or others[0]


def _has_digit(text: str) -> bool:
    return any(character in "123456789" for character in text)


def _parse_number(value: str) -> Decimal:
    as_float = float(value)
    if as_float != as_float or abs(as_float) > 1e300:
        raise ValueError(value)
    if re.fullmatch(r"-?\d{1,40}", value.strip()):
        return Decimal(value.strip())
    # No spreadsheet shows the last digits of a stored number such as 0.30000000000000004.
    return Decimal(f"{as_float:.15g}")


def _format_general(number: Decimal) -> str:
    if number == number.to_integral_value() and abs(number) < Decimal(10) ** 40:
        return f"{number:.0f}" if number else "0"
    if abs(number) >= Decimal("1e-9"):
        return f"{number.normalize():f}"
    return f"{number:.5E}"


@lru_cache(maxsize=256)
def _split_format(number_format: str) -> tuple[_Section, ...]:
    sections = [_Section()]
    for token in _TOKEN.finditer(number_format):
        if token["other"] == ";":
            sections.append(_Section())
        else:
            _add_token(sections[-1], token)
    for section in sections:
        _resolve_commas(section)
    return tuple(sections)


def _add_token(section: _Section, token: re.Match[str]) -> None:
    literal = next((token[n] for n in ("quoted", "escaped", "currency") if token[n]), None)
    if literal:
        section.parts.append(("t", literal))
    elif token["general"]:
        section.parts.append(("g", ""))
        section.kind = "general"
    elif bracket := token["bracket"]:
        _add_bracket(section, bracket)
    elif token["other"]:
        _add_character(section, token["other"])
    elif token[0].startswith("_"):
        section.parts.append(("t", " "))


def _add_bracket(section: _Section, bracket: str) -> None:
    if _ELAPSED.fullmatch(bracket):
        section.kind = "date"
    elif condition := _CONDITION.fullmatch(bracket):
        section.condition = condition[1], Decimal(condition[2])
    elif not _COLOURS.fullmatch(bracket):
        section.kind = "format"  # digits of another script


def _add_character(section: _Section, character: str) -> None:
    if character in "0#?":
        section.parts.append(("0", character))
    elif character in ".,":
        section.parts.append((character, character))
    elif character == "@":
        section.parts.append(("@", ""))
    elif character.lower() in "ymdhsbg":
        section.kind = "date"
    elif character in "eE/":
        section.kind = section.kind if section.kind == "date" else "format"
    else:
        section.percent += character == "%"
        section.parts.append(("t", character))


def _resolve_commas(section: _Section) -> None:
    """Interpret the commas of a section, and remove them.

    A section that scales numbers by thousands or has two decimal points is marked as unsupported.
    """
    kinds = [kind for kind, _text in section.parts]
    digits = [index for index, kind in enumerate(kinds) if kind == "0"]
    if section.kind != "number":
        return
    point = kinds.index(".") if "." in kinds else len(kinds)
    commas = [index for index, kind in enumerate(kinds) if kind == ","]
    scaled = any(not [digit for digit in digits if index < digit < point] for index in commas)
    if kinds.count(".") > 1 or scaled:
        section.kind = "format"
    section.groups = bool(commas)
    section.parts = [part for part in section.parts if part[0] != ","]


def _fill_placeholders(section: _Section, number: Decimal) -> str:
    """Format a number with the placeholders of a section."""
    kinds = [kind for kind, _text in section.parts]
    if "0" not in kinds:
        return "".join(text for _kind, text in section.parts).strip()
    point = kinds.index(".") if "." in kinds else len(kinds)
    whole_parts, decimal_parts = section.parts[:point], section.parts[point + 1 :]
    places = sum(kind == "0" for kind, _text in decimal_parts)
    scaled = _PRECISE.multiply(number, Decimal(100) ** section.percent)
    rounded = _PRECISE.quantize(scaled, Decimal(1).scaleb(-places))
    whole, _dot, decimals = f"{rounded:f}".partition(".")
    shown = _fill_integer_part(whole_parts, whole if whole != "0" else "", section.groups)
    if point < len(kinds):
        shown += "." + _fill_decimals(decimal_parts, decimals)
    return shown.strip()


def _fill_integer_part(parts: list[tuple[str, str]], digits: str, groups: bool) -> str:
    places = sum(kind == "0" for kind, _text in parts)
    remaining = list(digits)
    pieces: list[str] = []
    placed = seen = 0
    for kind, text in reversed(_replace_optional_digits(parts)):
        if kind != "0":
            pieces.append(text)
            continue
        seen += 1
        # The first placeholder, which is reached last, takes all remaining digits.
        for _each in range(len(remaining) if seen == places else 1):
            if remaining:
                pieces.append("," if groups and placed and placed % 3 == 0 else "")
                pieces.append(remaining.pop())
                placed += 1
        if seen > len(digits) and text != "#":
            pieces.append("," if groups and placed and placed % 3 == 0 else "")
            pieces.append("0" if text == "0" else " ")
            placed += 1
    return "".join(reversed(pieces))


def _replace_optional_digits(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the parts with 0 instead of each # after a 0, because both show a digit there."""
    zero = parts.index(("0", "0")) if ("0", "0") in parts else len(parts)
    return parts[:zero] + [("0", "0") if part == ("0", "#") else part for part in parts[zero:]]


def _fill_decimals(parts: list[tuple[str, str]], decimals: str) -> str:
    needed = max(
        (n for n, text in enumerate((t for k, t in parts if k == "0"), 1) if text == "0"), default=0
    )
    shown = decimals.rstrip("0").ljust(needed, "0")
    remaining = list(reversed(shown))
    pieces = []
    for kind, text in parts:
        if kind != "0":
            pieces.append(text)
        elif remaining:
            pieces.append(remaining.pop())
    return "".join(pieces)
