"""Downloads as CSV that a spreadsheet opens without running anything in it."""

import csv
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from tournament.admin.pages import EventPage
from tournament.queries.exports import registration_rows, result_rows

# The wide ones too: spreadsheets in East Asian settings read them as the narrow.
FORMULA = (*"=+-@＝＋－＠", "\t", "\r", "\n", "\0")


def inert(value: Any) -> Any:
    """A cell that a spreadsheet takes as text: an apostrophe before what would be a formula."""
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return value


def csv_response(filename: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> HttpResponse:
    """A CSV file in UTF-8 with its mark, so that Excel reads names with accents."""
    response = HttpResponse(
        "\ufeff",
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{filename}"'},
    )
    writer = csv.writer(response)
    writer.writerow(head)
    writer.writerows([inert(cell) for cell in row] for row in rows)
    return response


class ExportPage(EventPage):
    """Registrations or results of an event."""

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        rows = {"registrations": registration_rows, "results": result_rows}
        which = self.kwargs["which"]
        if which not in rows:
            raise Http404("There is no such export.")
        head, lines = rows[which](self.event)
        return csv_response(f"{self.event.slug}-{which}.csv", head, lines)
