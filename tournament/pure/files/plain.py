"""Export to CSV and JSON. Rows are written one by one."""

import csv
import io
import json
from typing import IO

from tournament.pure.files.sheets import Sheet, escape_formula


def write_csv(sheet: Sheet, out: IO[bytes]) -> None:
    """Write the sheet as CSV in UTF-8. Formulas are escaped.

    The file starts with a byte order mark, so that Excel recognizes the encoding.
    """
    text = io.TextIOWrapper(out, encoding="utf-8-sig", newline="")
    writer = csv.writer(text)
    writer.writerow([column.title for column in sheet.columns])
    writer.writerows([escape_formula(cell) for cell in row] for row in sheet.rows)
    text.flush()
    text.detach()


def write_json(sheet: Sheet, out: IO[bytes]) -> None:
    """Write the sheet as a JSON object, with one row per line.

    The object has these keys:

    * `title`: the title of the sheet.
    * `columns`: the titles of the columns by key.
    * `rows`: an object for each row, with the cells by column key.
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
