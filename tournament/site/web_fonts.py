"""WOFF2 fonts for devices that lack fonts for some scripts (static/css/fonts.css).

The first `collectstatic` converts fonts of an installed package, which takes five seconds. The
results are stored in `LASTCARD_VAR`.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage

from tournament.pure.files.scripts import ARABIC, INDIC, Script

# The script of each font, by static file.
FONTS = {
    f"fonts/{script.name.removeprefix('NotoSans').lower()}.woff2": script
    for script in (*INDIC, ARABIC)
}


class FontFinder(BaseFinder):
    """Static file finder for the fonts, which creates those that are missing."""

    def __init__(self, *arguments: object, **options: object) -> None:
        super().__init__()
        folder = Path(settings.VAR_DIR) / "web-fonts" / version("manimgx-fonts")
        self.storage = FileSystemStorage(folder)

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Any]]:
        for name in FONTS:
            self._make_file(name)
            yield name, self.storage

    def find(self, path: str, find_all: bool = False, **_options: object) -> Any:
        if path not in FONTS:
            return []
        font_path = self._make_file(path)
        return [font_path] if find_all else font_path

    def _make_file(self, name: str) -> str:
        """Create the file unless it exists, and return its path."""
        path = Path(self.storage.path(name))
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                _write_font(FONTS[name], Path(file.name))
            os.chmod(file.name, 0o644)  # The web server may run as another user.
            os.replace(file.name, path)
        return str(path)


def _write_font(script: Script, path: Path) -> None:
    from fontTools.ttLib import TTFont

    with TTFont(script.path) as font:
        font.flavor = "woff2"
        font.save(path)
