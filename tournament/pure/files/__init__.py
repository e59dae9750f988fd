"""File formats for downloads.

`tournament.exports.queries` builds the sheets that these functions write. The libraries for PDFs
and workbooks are imported on demand, because importing them would take a third of the time that a
process needs to start.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import IO

from tournament.pure.files.plain import write_csv, write_json
from tournament.pure.files.sheets import Cell, Column, Sheet, escape_formula


@dataclass(frozen=True)
class FileFormat:
    """A file format.

    `write` writes a sheet to an open file, row by row if the format allows that. It returns a
    sentence about letters that the file cannot show, if there are any.
    """

    title: str
    content_type: str
    write: Callable[[Sheet, IO[bytes]], str | None]


def _write_xlsx(sheet: Sheet, out: IO[bytes]) -> None:
    from tournament.pure.files.workbook import write_xlsx

    write_xlsx(sheet, out)


def _write_pdf(sheet: Sheet, out: IO[bytes]) -> str:
    from tournament.pure.files.pdf import write_pdf

    return write_pdf(sheet, out)


FORMATS: Mapping[str, FileFormat] = {
    "csv": FileFormat("CSV", "text/csv; charset=utf-8", write_csv),
    "xlsx": FileFormat(
        "XLSX",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        _write_xlsx,
    ),
    "json": FileFormat("JSON", "application/json", write_json),
    "pdf": FileFormat("PDF", "application/pdf", _write_pdf),
}
