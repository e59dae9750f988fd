"""Tests that the style sheets use only sizes, radii and colours of tokens.css."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

CSS = Path(settings.BASE_DIR) / "static" / "css"
SIZES = {f"var(--text-{name})" for name in ("xs", "s", "m", "l", "xl", "2xl", "3xl")}
CORNER_RADII = {
    "var(--radius)",
    *(f"var(--radius-{name})" for name in ("small", "round", "card", "table")),
}
WIDTHS = {"22.5rem", "30rem", "48rem", "64rem", "100rem"}
HEIGHTS = {"30rem", "35rem", "40rem"}
COMMENT_OR_STRING = re.compile(r"/\*.*?\*/|url\([^)]*\)|\"[^\"]*\"", re.DOTALL)
DECLARATION = re.compile(r"(?<=[{;])\s*([\w-]+)\s*:\s*([^;{}]+)(?=[;}])")
MEDIA_QUERY = re.compile(r"@media([^{]+)")
LENGTH = re.compile(r"\d*\.?\d+(?:px|r?em|pt)")
FEATURE = re.compile(rf"\((width|height) (?:<|>=) ({LENGTH.pattern})\)")
SHORTHAND = re.compile(r"(var\(--text-\w+\)|inherit)(?:/[\d.]+(?:px)?)?(?: var\(--font|$)")
COLOR = re.compile(
    r"#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color)\("
    r"|(?<![\w-])(?:white|black|gr[ae]y|red|green|blue|yellow|gold|silver|orange)(?![\w-])",
    re.IGNORECASE,
)


def read_sheets() -> dict[str, str]:
    """Return the code of all style sheets except tokens.css, by name."""
    return {
        path.name: COMMENT_OR_STRING.sub("", path.read_text())
        for path in sorted(CSS.glob("*.css"))
        if path.name != "tokens.css"
    }


def get_text_size(name: str, value: str) -> str | None:
    """Return the text size that a declaration sets, or None if it sets none."""
    if name == "font-size":
        return value.removesuffix(" !important")
    if name == "font":
        found = SHORTHAND.search(value)
        return found[1] if found else value
    return None


def iter_offenses(code: str) -> Iterator[str]:
    """Yield the declarations and media queries whose values are not on the scale."""
    for name, written in DECLARATION.findall(code):
        value = " ".join(written.split())
        size = get_text_size(name, value)
        if size is not None and size not in SIZES | {"inherit"}:
            yield f"{name}: {value}"
        if name.endswith("radius") and not set(value.split()) <= CORNER_RADII | {"0", "inherit"}:
            yield f"{name}: {value}"
        if COLOR.search(value):
            yield f"{name}: {value}"
        if name.startswith(("--text-", "--radius")):
            yield f"{name} belongs in tokens.css"
    for query in MEDIA_QUERY.findall(code):
        allowed = {"width": WIDTHS, "height": HEIGHTS}
        inside = [length for side, length in FEATURE.findall(query) if length in allowed[side]]
        if inside != LENGTH.findall(query):
            yield f"@media {query.strip()}"


def test_every_stylesheet_follows_the_scale() -> None:
    found = {name: list(iter_offenses(code)) for name, code in read_sheets().items()}
    assert {name: each for name, each in found.items() if each} == {}


def test_scale_has_seven_sizes_five_radii_and_five_widths() -> None:
    assert (len(SIZES), len(CORNER_RADII), len(WIDTHS)) == (7, 5, 5)
    tokens = (CSS / "tokens.css").read_text()
    for name in SIZES | CORNER_RADII:
        assert f"{name[4:-1]}: " in tokens
    for names in (r"--text-[\w-]+", r"--radius[\w-]*"):
        declared = {f"var({name})" for name in re.findall(rf"({names}):", tokens)}
        assert declared == {
            each for each in SIZES | CORNER_RADII if re.fullmatch(names, each[4:-1])
        }


@pytest.mark.parametrize(
    "rule",
    [
        ".a { font-size: 0.9rem; }",
        ".a { font: 700 15px/1.2 var(--font); }",
        ".a { border-radius: 6px; }",
        ".a { border-radius: 0 0 6px 0; }",
        ".a { color: #fff; }",
        ".a { box-shadow: 0 0 2px rgb(0 0 0 / 0.2); }",
        ".a { background: white; }",
        ".a { --text-m: 20px; }",
        "@media (max-width: 767px) { .a { gap: 0; } }",
        "@media (width >= 50rem) { .a { gap: 0; } }",
        "@media (height < 48rem) { .a { gap: 0; } }",
    ],
)
def test_value_off_the_scale_is_detected(rule: str) -> None:
    assert len(list(iter_offenses(rule))) == 1


def test_value_on_the_scale_is_allowed() -> None:
    code = """@media (width < 48rem) and (height >= 35rem) {
      .a { font: 600 var(--text-s)/1.2 var(--font); border-radius: var(--radius) 0; }
      .b { font-size: var(--text-xl); color: var(--ink); }
      .c { background: color-mix(in srgb, var(--now) 40%, transparent); }
    }"""
    assert list(iter_offenses(code)) == []
