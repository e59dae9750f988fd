"""Downloads as CSV that a spreadsheet opens without running anything in it."""

import csv
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.admin.pages import Do, EventPage, link
from tournament.admin.people_page import WAITS
from tournament.models import Event, Proposal
from tournament.queries.exports import registration_rows, result_rows
from tournament.services.exporting import FILES, ask_export, may_export
from tournament.services.second import needs_second

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


class Download(EventPage):
    """A file of the event; one with personal data is asked for, with a reason, before it is given.

    `files` says what makes each, by the name in the address.
    """

    title = gettext_lazy("Take personal data along")
    template_name = "admin/event/export.html"
    deeds = {"ask": "export"}
    files: ClassVar[dict[str, Callable[[Event], HttpResponse]]] = {}

    @property
    def which(self) -> str:
        return str(self.kwargs["which"])

    def load(self) -> None:
        if self.which not in self.files:
            raise Http404("There is no such file.")
        if self.which in FILES and not self.granted["export"]:
            raise PermissionDenied

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if self.which in FILES and not may_export(self.event, self.user, self.which):
            return super().get(request, *args, **kwargs)
        return self.files[self.which](self.event)

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        two = needs_second(self.event, self.user)
        return super().get_context_data(what=FILES[self.which], two=two, **kwargs)

    def actions(self) -> dict[str, Do]:
        return {"ask": self.ask}

    def ask(self) -> str:
        asked = ask_export(self.event, self.user, self.which, self.text("reason"))
        if asked.state == Proposal.State.WAITING:
            return str(WAITS)
        return _("Within a day you can fetch the file here.")

    def done(self) -> HttpResponse:
        return redirect(link("people", self.event))


def _csv(
    which: str, rows: Callable[[Event], tuple[list[str], list[list[Any]]]]
) -> Callable[[Event], HttpResponse]:
    def answer(event: Event) -> HttpResponse:
        return csv_response(f"{event.slug}-{which}.csv", *rows(event))

    return answer


class ExportPage(Download):
    """Registrations or results of an event."""

    sees = "see"
    files: ClassVar[dict[str, Callable[[Event], HttpResponse]]] = {
        "registrations": _csv("registrations", registration_rows),
        "results": _csv("results", result_rows),
    }
