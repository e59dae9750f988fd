"""Browser environments with few fonts, and a list of the fonts that a page uses."""

import os
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tournament.pure.files.scripts import RARE

CONFIGURATION = """<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>{folders}<cachedir>{cache}</cachedir></fontconfig>"""


def make_environment(folder: Path, fonts: list[Path]) -> dict[str, str | float | bool]:
    """Return the environment variables of a machine with only these fonts."""
    (folder / "fonts").mkdir()
    for font in fonts:
        (folder / "fonts" / font.name).symlink_to(font)
    configuration = folder / "fonts.conf"
    configuration.write_text(
        CONFIGURATION.format(folders=f"<dir>{folder / 'fonts'}</dir>", cache=folder / "cache")
    )
    return {**os.environ, "FONTCONFIG_FILE": str(configuration)}


def make_latin_environment(folder: Path) -> dict[str, str | float | bool]:
    return make_environment(folder, [RARE.path])


def list_fonts(page: Page, selector: str) -> list[set[str]]:
    """Return the fonts of each matching element's text. The site's own fonts begin with “+”."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    query = {"nodeId": root, "selector": selector}
    nodes = session.send("DOM.querySelectorAll", query)["nodeIds"]
    found = [session.send("CSS.getPlatformFontsForNode", {"nodeId": each}) for each in nodes]
    return [{_describe(font) for font in each["fonts"]} for each in found]


def _describe(font: dict[str, Any]) -> str:
    return ("+" if font["isCustomFont"] else "") + str(font["familyName"])
