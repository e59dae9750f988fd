"""Export to XLSX. Rows are written one by one."""

from typing import IO

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter

from tournament.pure.files.sheets import Cell, Sheet, escape_formula

# Column widths, in characters.
NARROW, WIDE = 16, 60
# Excel forbids these characters in the name of a worksheet, and longer names.
FORBIDDEN_IN_NAMES = str.maketrans("", "", "[]:*?/\\'")
LONGEST_NAME = 31


def write_xlsx(sheet: Sheet, out: IO[bytes]) -> None:
    """Write the sheet as a workbook with one worksheet. Formulas are escaped.

    The heading row is bold and stays visible when scrolling.
    """
    book = Workbook(write_only=True)
    page = book.create_sheet(sheet.title.translate(FORBIDDEN_IN_NAMES)[:LONGEST_NAME])
    page.freeze_panes = "A2"
    for number, column in enumerate(sheet.columns, 1):
        width = WIDE if column.wide else max(NARROW, len(column.title) + 2)
        page.column_dimensions[get_column_letter(number)].width = width
    page.append([_make_cell(page, column.title, Font(bold=True)) for column in sheet.columns])
    for row in sheet.rows:
        page.append([_make_cell(page, escape_formula(value)) for value in row])
    book.save(out)


def _make_cell(page: object, value: Cell, font: Font | None = None) -> WriteOnlyCell:
    cell = WriteOnlyCell(page, value)
    if isinstance(value, str):
        cell.data_type = "s"
        cell.alignment = Alignment(vertical="top", wrap_text=len(value) > WIDE)
    if font:
        cell.font = font
    return cell
