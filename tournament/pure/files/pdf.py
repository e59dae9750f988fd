"""Export to PDF on A4 pages, in portrait if the columns fit and in landscape otherwise."""

from collections.abc import Sequence
from typing import IO

from fpdf.fonts import FontFace

from games.rules.text import _
from tournament.pure.files import fonts
from tournament.pure.files.document import Document
from tournament.pure.files.sheets import Cell, Sheet, format_flag

# In mm.
MARGIN, LINE_HEIGHT = 12, 5
# Font sizes in points.
SMALL, TITLE = 8, 15
# Maximum number of columns on a portrait page.
MOST_PORTRAIT_COLUMNS = 6
# Limits of the width of a column, in characters. Longer text wraps.
LEAST_WIDTH, MOST_WIDTH, MOST_WIDTH_IF_WIDE = 5, 24, 48
INK, PALE = (28, 32, 44), (238, 240, 245)


class PdfPage(Document):
    """A PDF document with a footer such as "Page 1 of 2"."""

    def footer(self) -> None:
        self.set_y(-MARGIN)
        self.set_font(fonts.NAME, "", SMALL)
        text = _("Page {number} of {count}").format(number=self.page_no(), count="{nb}")
        self.cell(0, LINE_HEIGHT, text, align="R")


def write_pdf(sheet: Sheet, out: IO[bytes]) -> str:
    """Write the sheet as a table, with its heading on each page.

    Returns a sentence about letters that no font has, or "".
    """
    head = [column.title for column in sheet.columns]
    texts_by_row = [[_format_cell(cell) for cell in row] for row in sheet.rows]
    rows = [[fonts.make_printable(text) for text in row] for row in texts_by_row]
    texts = [sheet.title, *head, *(text for row in texts_by_row for text in row)]
    boxes = fonts.explain_boxes(texts)
    pdf = PdfPage(orientation="L" if len(head) > MOST_PORTRAIT_COLUMNS else "P", format="A4")
    with pdf.fonts_for(fonts.make_printable("".join([*texts, boxes]))):
        pdf.set_margin(MARGIN)
        pdf.set_auto_page_break(True, margin=MARGIN + LINE_HEIGHT)
        pdf.set_text_color(*INK)
        pdf.add_page()
        pdf.set_font(fonts.NAME, "B", TITLE)
        pdf.multi_cell(0, 8, fonts.make_printable(sheet.title), new_x="LMARGIN", new_y="NEXT")
        pdf.ln(2)
        _draw_table(pdf, head, rows, _compute_widths(sheet, rows))
        if boxes:
            pdf.ln(2)
            pdf.multi_cell(0, LINE_HEIGHT, boxes)
        out.write(pdf.output())
    return fonts.describe_missing_letters(texts)


def _draw_table(
    pdf: Document, head: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int]
) -> None:
    pdf.set_font(fonts.NAME, "", SMALL)
    pdf.set_draw_color(*PALE)
    heading = FontFace(emphasis="B", fill_color=PALE, color=INK)
    layout = {"borders_layout": "HORIZONTAL_LINES", "text_align": "LEFT", "padding": 0.8}
    with pdf.table(
        col_widths=tuple(widths), line_height=4, headings_style=heading, **layout
    ) as table:
        for row in [head, *rows]:
            table.row(row)


def _compute_widths(sheet: Sheet, rows: Sequence[Sequence[str]]) -> list[int]:
    """Compute the relative widths of the columns from the lengths of their longest texts."""
    widths = []
    for number, column in enumerate(sheet.columns):
        longest = max([len(column.title), *(len(row[number]) for row in rows)])
        most = MOST_WIDTH_IF_WIDE if column.wide else MOST_WIDTH
        widths.append(min(max(longest, LEAST_WIDTH), most))
    return widths


def _format_cell(cell: Cell) -> str:
    return "" if cell is None else str(format_flag(cell))
