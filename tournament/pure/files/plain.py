"""Export to CSV and JSON, row by row."""

import csv
import io
import json
from typing import IO

from tournament.pure.files.sheets import Sheet, escape_formula


def write_csv(sheet: Sheet, out: IO[bytes]) -> None:
    """Write the sheet as CSV.

    It is UTF-8 with a byte order mark, so that Excel reads accents correctly. Formulas are
    escaped.
    """
    text = io.TextIOWrapper(out, encoding="utf-8-sig", newline="")
    writer = csv.writer(text)
    writer.writerow([column.title for column in sheet.columns])
    writer.writerows([escape_formula(cell) for cell in row] for row in sheet.rows)
    text.flush()
    text.detach()


def write_json(sheet: Sheet, out: IO[bytes]) -> None:
    """Write the sheet as a JSON object, with one row per line.

    The keys are `title`, `columns` (titles by key) and `rows` (objects by column key).
    """
    titles = {column.key: column.title for column in sheet.columns}
    out.write(
        f'{{"title": {_write_json(sheet.title)},\n "columns": {_write_json(titles)},\n'.encode()
    )
    out.write(b' "rows": [')
    for number, row in enumerate(sheet.rows):
        line = _write_json(dict(zip(titles, row, strict=True)))
        out.write(f"{',' if number else ''}\n  {line}".encode())
    out.write(b"\n ]}\n")


def _write_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
