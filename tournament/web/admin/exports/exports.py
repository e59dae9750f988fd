"""Downloads of an event's files, and the page that lists them."""

import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import IO, Any, ClassVar

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.refusals import RefusedError
from tournament.events.closing.certificates import list_certificates, make_diploma
from tournament.exports.queries import EXPORTS
from tournament.exports.records import write_records
from tournament.models import Proposal
from tournament.oversight.export_requests import FILES, may_export, request_export
from tournament.oversight.second_person import needs_second_organizer
from tournament.pure.codes import Code
from tournament.pure.files import FORMATS, Cell, Column, Sheet
from tournament.pure.files.certificate import write_certificates
from tournament.web.admin.base.pages import Action, EventPage, desk_url
from tournament.web.admin.people.staff import WAITS
from tournament.web.pages.events.certificates import proof_address

# Larger files are buffered on disk.
MAX_MEMORY_BYTES = 1_000_000
# Name of the archive with all hand records.
RECORDS = "records.zip"
# The right to export registrations includes roll numbers in other files.
ROLLS_PERMISSION = "registrations"
# The right that a file requires, if it is not "see".
FILE_RIGHTS = {"log": "see_log"}


def file_response(
    filename: str, content_type: str, write: Callable[[IO[bytes]], object]
) -> HttpResponseBase:
    """Return a download of the file that `write` creates.

    The file is complete before any of it is sent. Large files are buffered on disk and sent in
    chunks.
    """
    with ExitStack() as cleanup:
        out = cleanup.enter_context(tempfile.SpooledTemporaryFile(max_size=MAX_MEMORY_BYTES))
        write(out)
        size = out.tell()
        out.seek(0)
        if size > MAX_MEMORY_BYTES:
            cleanup.pop_all()
            return FileResponse(
                out, as_attachment=True, filename=filename, content_type=content_type
            )
        return HttpResponse(
            out.read(),
            content_type=content_type,
            headers={"Content-Disposition": f'attachment; filename="{filename}"'},
        )


def csv_response(
    filename: str, titles: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> HttpResponseBase:
    """Return a CSV file with these column titles and rows."""
    sheet = Sheet(filename, filename, [Column(title, title) for title in titles], rows)
    csv_format = FORMATS["csv"]
    return file_response(
        filename, csv_format.content_type, lambda out: csv_format.write(sheet, out)
    )


class Download(EventPage):
    """Base class for the download of a file.

    Files with personal data require a request with a reason.

    * `which`: the file's name in the URL.
    * `personal`: the file's key in FILES, or "" if it has no personal data.
    """

    title = gettext_lazy("Export personal data")
    template_name = "admin/exports/export.html"
    action_rights = {"ask": "export"}

    @property
    def which(self) -> str:
        return str(self.kwargs["which"])

    @property
    def personal(self) -> str:
        return self.which if self.which in FILES else ""

    def load(self) -> None:
        if self.personal and not self.granted["export"]:
            raise PermissionDenied

    def make_response(self) -> HttpResponseBase:
        """Return a response with the file.

        Raises RefusedError if the file cannot be created.
        """
        raise NotImplementedError

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if self.personal and not may_export(self.event, self.user, self.personal):
            return super().get(request, *args, **kwargs)
        try:
            return self.make_response()
        except RefusedError as refused:
            messages.error(request, refused.sentence)
            return self.redirect_when_done()

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        two = needs_second_organizer(self.event, self.user)
        return super().get_context_data(what=FILES[self.personal], two=two, **kwargs)

    def actions(self) -> dict[str, Action]:
        return {"ask": self.request_export}

    def request_export(self) -> str:
        proposal = request_export(self.event, self.user, self.personal, self.text("reason"))
        if proposal.state == Proposal.State.WAITING:
            return str(WAITS)
        return _("You can download the file here for the next 24 hours.")

    def redirect_when_done(self) -> HttpResponse:
        return redirect(desk_url("exports", self.event))


# Function that writes a file. If the file cannot show some characters, the function returns a
# sentence about them.
WriteFile = Callable[["ExportPage", IO[bytes]], str | None]


class ExportPage(Download):
    """Download of an export.

    `which` is a key of EXPORTS with the extension of a format, or a key of ARCHIVES.
    """

    tab = "exports"
    view_right = "see"

    def load(self) -> None:
        self.name, _dot, self.kind = self.which.partition(".")
        if self.which not in ARCHIVES and (self.name not in EXPORTS or self.kind not in FORMATS):
            raise Http404("There is no such file.")
        if not self.granted[FILE_RIGHTS.get(self.name, "see")]:
            raise PermissionDenied
        super().load()

    @property
    def personal(self) -> str:
        return self.name if self.name in FILES else ""

    def make_response(self) -> HttpResponseBase:
        if self.which in ARCHIVES:
            content_type, write = ARCHIVES[self.which]
        else:
            content_type, write = FORMATS[self.kind].content_type, _write_sheet
        filename = f"{self.event.slug}-{self.which}"
        return file_response(
            filename, content_type, lambda out: self._write_with_warning(write, out)
        )

    def _write_with_warning(self, write: WriteFile, out: IO[bytes]) -> None:
        """Write the file, and store a warning for the next page if `write` returns one."""
        if missing := write(self, out):
            messages.warning(self.request, missing)


def _write_sheet(page: ExportPage, out: IO[bytes]) -> str | None:
    rolls = may_export(page.event, page.user, ROLLS_PERMISSION)
    return FORMATS[page.kind].write(EXPORTS[page.name].make(page.event, rolls), out)


def _write_hand_records(page: ExportPage, out: IO[bytes]) -> None:
    write_records(page.event, out)


def _write_certificates(page: ExportPage, out: IO[bytes]) -> str:
    certificates = list_certificates(page.event)
    if not certificates:
        raise RefusedError(Code.NONE, _("Certificates are issued when the results are locked."))
    pages = [make_diploma(each, proof_address(page.request, each)) for each in certificates]
    return write_certificates(pages, out)


# Files that are not spreadsheets: content type, and the function that writes them.
ARCHIVES: Mapping[str, tuple[str, WriteFile]] = {
    RECORDS: ("application/zip", _write_hand_records),
    "certificates.pdf": ("application/pdf", _write_certificates),
}


class ExportsPage(EventPage):
    """Page with a link to each file."""

    title = gettext_lazy("Exports")
    tab = "exports"
    view_right = "see"
    template_name = "admin/exports/exports.html"
    # Names of the listed spreadsheets.
    sheets: ClassVar[list[str]] = list(EXPORTS)

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        granted = {name: may_export(self.event, self.user, name) for name in FILES}
        rows = [
            {"name": name, "export": EXPORTS[name], "asks": not granted.get(name, True)}
            for name in self.sheets
            if self.granted[_find_required_right(name)]
        ]
        return super().get_context_data(
            rows=rows,
            formats=FORMATS,
            rolls=granted[ROLLS_PERMISSION],
            list_asks=not granted["list"],
            records=RECORDS,
            **kwargs,
        )


def _find_required_right(name: str) -> str:
    """Return the right that is needed for this file."""
    return "export" if name in FILES else FILE_RIGHTS.get(name, "see")
