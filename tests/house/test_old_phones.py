"""Tests that scripts and style sheets work in the oldest supported browsers.

These are Safari 16.4, the last version for many iPhones, Chrome and Edge 111, and Firefox 121, the
first version with `:has()`.
"""

import re
from pathlib import Path

import pytest
from django.conf import settings

STATIC = Path(settings.BASE_DIR) / "static"
# Features that these browsers lack, each with the first Safari version that has it.
TOO_NEW = {
    "css": {
        r"light-dark\(": "17.5",
        r"^\s*&": "17.2 (nesting)",
        r"@starting-style|transition-behavior": "17.5",
        r"@scope|:dir\(|:popover-open": "17.4",
        r"interpolate-size|field-sizing|content-visibility": "18 or none",
        r"@view-transition|anchor-name|position-anchor": "18.2 or none",
        r"\b(oklch|color)\(from": "16.4, in part",
    },
    "js": {
        r"\.checkVisibility\(": "17.4",
        r"\b(Object|Map)\.groupBy\(": "17.4",
        r"Promise\.(withResolvers|try)\(": "17.4",
        r"\bAbortSignal\.any\(": "17.4",
        r"\b(URL\.canParse|URL\.parse)\(": "17",
        r"\.(union|intersection|difference|isSubsetOf)\(": "17",
        r"requestIdleCallback|scheduler\.": "none",
        r"startViewTransition|showPopover|togglePopover": "17 or 18",
        r"\bArray\.fromAsync\(|Iterator\.from\(": "16.4 or 18.4",
        r"\"scrollend\"|\.onscrollend": "26",
    },
}
SUPPORTS_BLOCK = re.compile(r"@supports [^{]*\{(?:[^{}]|\{[^{}]*\})*\}")
# A custom property with colours for both schemes, and one with a single colour.
COLOR_PAIR = re.compile(r"(--[\w-]+): light-dark\((#\w+), #\w+\);")
LIGHT_COLOR = re.compile(r"(--[\w-]+): (#\w+);")


@pytest.mark.parametrize("kind", TOO_NEW)
def test_scripts_and_styles_work_on_phones_from_spring_2023(kind: str) -> None:
    found = [
        f"{path.relative_to(STATIC)}: {pattern} (Safari {since})"
        for path in sorted(STATIC.rglob(f"*.{kind}"))
        for pattern, since in TOO_NEW[kind].items()
        if re.search(pattern, SUPPORTS_BLOCK.sub("", path.read_text()), re.MULTILINE)
    ]
    assert found == []


def test_browsers_without_light_dark_get_the_light_colours() -> None:
    tokens = (STATIC / "css" / "tokens.css").read_text()
    alone = dict(LIGHT_COLOR.findall(SUPPORTS_BLOCK.sub("", tokens)))
    pairs = dict(COLOR_PAIR.findall(tokens))
    assert pairs
    assert {name: alone.get(name) for name in pairs} == pairs
