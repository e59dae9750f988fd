"""PDF documents with a separate font for each script."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fpdf import FPDF
from fpdf.fonts import TTFFont
from fpdf.line_break import Fragment

from tournament.pure.files import fonts
from tournament.pure.files.scripts import Script


class Document(FPDF):
    """A PDF document that draws and shapes each script in its own font."""

    @contextmanager
    def fonts_for(self, text: str) -> Iterator[None]:
        """Provide fonts for all of `text` while the document is built and written."""
        with tempfile.TemporaryDirectory(prefix="lastcard-fonts-") as folder:
            for style in fonts.STYLES:
                file = Path(folder, f"{fonts.STYLES[style]}.ttf")
                file.write_bytes(fonts.load_font(style))
                self.add_font(fonts.NAME, style, file)
            for script in {script for script, _run in fonts.split_into_runs(text) if script}:
                self._add_script(script, Path(folder))
            self.set_text_shaping(any(ord(character) >= fonts.SHAPED_FROM for character in text))
            try:
                yield
            finally:
                for font in self.fonts.values():
                    assert isinstance(font, TTFFont)
                    font.close()

    def _add_script(self, script: Script, folder: Path) -> None:
        for style in ("", "B"):
            opened = fonts.open_font(script, bold=bool(style))
            if isinstance(opened, Path):
                file = opened
            else:
                file = folder / f"{script.name}{style}.ttf"
                file.write_bytes(opened.getvalue())
            self.add_font(script.name, style, file, collection_font_number=script.font_index)

    def _parse_chars(self, text: str, markdown: bool, **options: Any) -> Iterator[Fragment]:
        """Split the text into runs that use one font.

        fpdf2 would choose a font for each character. Joiners would then be separated from their
        neighbours, and conjuncts would break.
        """
        for script, run in fonts.split_into_runs(text):
            if script is None:
                yield from super()._parse_chars(run, markdown, **options)
                continue
            state = self._get_current_graphics_state()
            style = "B" if "B" in self.font_style else ""
            state.font_family, state.font_style = script.name, style
            state.current_font = self.fonts[f"{script.name.lower()}{style}"]
            yield Fragment(run, state, self.k)
