"""Pages for the eligibility list, to upload, review, apply and undo a file."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from tournament.common.refusals import RefusedError
from tournament.corrections.lists import preview_undo, undo_import
from tournament.models import EligibilityImport
from tournament.pure.codes import Code
from tournament.pure.lists import COLUMNS, ListedStudent, Verdict
from tournament.pure.lists.sheets import MAX_BYTES
from tournament.pure.search import matches_person
from tournament.registration.eligibility.exceptions import admit_student, end_student_exception
from tournament.registration.eligibility.list_effects import describe_conditions
from tournament.registration.eligibility.list_preview import (
    explain_ineligibility,
    find_exempted_roll_keys,
    find_preview_facts,
)
from tournament.registration.eligibility.uploads import (
    FIELDS,
    Choices,
    apply_import,
    choose_columns,
    get_report,
    upload_list,
)
from tournament.web.admin.base.pages import Action, EventPage, desk_url
from tournament.web.admin.exports.exports import Download, csv_response

EXAMPLE = (
    ("CHE-001", "Asha Sen", "asha.sen@college.example", "Chemical Engineering", "UG", "2"),
    ("CHE-002", "Ben Roy", "ben.roy@college.example", "Chemical Engineering", "UG", "3"),
)
# Headings of the downloaded file. They are in English, so that an upload recognizes them.
HEADINGS = [column.title.capitalize() for column in COLUMNS.values()]
ROWS_PER_PAGE = 100
PART_TITLES = {
    "first": gettext_noop("first name"),
    "middle": gettext_noop("middle name"),
    "last": gettext_noop("last name"),
}


class ListPage(EventPage):
    """Page with the current list and a form to upload another one."""

    title = gettext_lazy("Eligibility list")
    tab = "list"
    template_name = "admin/registration/list.html"
    view_right = "see_people"
    action_rights = dict.fromkeys(("upload", "paste", "undo", "let-in", "no-exception"), "list")

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        students = self.event.students.all()
        if words := self.search_text():
            keys = students.values_list("pk", "name", "roll_number")
            students = students.filter(
                pk__in=[pk for pk, *identity in keys if matches_person(words, *identity)]
            )
        page = Paginator(students, ROWS_PER_PAGE).get_page(self.request.GET.get("page"))
        imports = self.event.imports.select_related("uploaded_by")
        imports = imports.defer("content", "verdicts", "before")[:5]
        return super().get_context_data(
            page=page,
            words=words,
            conditions=describe_conditions(self.event),
            let_in=self.event.students.exclude(exception=""),
            undoing=preview_undo(self.event),
            headings=[capfirst(_(column.title)) for column in COLUMNS.values()],
            imports=imports,
            **kwargs,
        )

    def actions(self) -> dict[str, Action]:
        return {
            "upload": self.upload,
            "paste": self.upload_pasted_list,
            "undo": self.undo,
            "let-in": self.admit_student,
            "no-exception": self.end_exception,
        }

    def upload(self) -> str:
        upload = self.request.FILES.get("file")
        if upload is None:
            raise RefusedError(Code.NO_FILE, _("Choose a CSV or XLSX file first."))
        # One byte over the limit is enough to refuse the file.
        content = upload.read(MAX_BYTES + 1)
        return self._store_upload(upload.name or "list", content)

    def upload_pasted_list(self) -> str:
        return self._store_upload(_("Pasted list"), self.text("lines").encode())

    def _store_upload(self, name: str, content: bytes) -> str:
        self.stored_upload = upload_list(self.event, self.user, name, content)
        return _("This preview shows the effect of each row. Nothing has been saved yet.")

    def admit_student(self) -> str:
        fields = ("roll_number", "name", "email")
        student = ListedStudent(**{name: self.text(name) for name in fields})
        entry = admit_student(self.event, self.user, student, self.text("reason"))
        return _("{student} can now register.").format(student=entry)

    def end_exception(self) -> str:
        entry = end_student_exception(
            self.find(self.event.students, self.text("student")), self.user
        )
        return _("{student} is no longer admitted as an exception.").format(student=entry)

    def undo(self) -> str:
        upload = self.find(self.event.imports, self.text("upload"))
        undo_import(upload, self.user)
        return _("Undone. The list is back to how it was before {filename} was applied.").format(
            filename=upload.filename
        )

    def redirect_when_done(self) -> HttpResponse:
        if stored_upload := getattr(self, "stored_upload", None):
            return redirect(desk_url("import", self.event, stored_upload.pk))
        return super().redirect_when_done()


class ImportPage(EventPage):
    """Preview of an uploaded file, with a verdict on each row.

    The file is applied as a whole or not at all.
    """

    title = gettext_lazy("Review the upload")
    tab = "list"
    template_name = "admin/registration/import.html"
    view_right = "see_people"
    action_rights = {"apply": "list", "columns": "list"}
    upload: EligibilityImport

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Redirect to the list if the upload was applied, undone or replaced in the meantime."""
        upload = self.event.imports.filter(pk=self.kwargs["upload_id"]).first()
        if upload is None:
            messages.info(request, _("Another upload has replaced this one."))
            return self.redirect_when_done()
        self.upload = upload
        if self.upload.state != EligibilityImport.State.PREVIEWED:
            text = _(
                "{filename} has already been applied or undone. There is nothing left to decide."
            )
            messages.info(request, text.format(filename=self.upload.filename))
            return self.redirect_when_done()
        return super().dispatch(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        report, counts = get_report(self.upload), self.upload.counts
        exempted = find_exempted_roll_keys(self.event)
        verdicts = [Verdict.from_json(row) for row in report.rows]
        page = Paginator(verdicts, ROWS_PER_PAGE).get_page(self.request.GET.get("page"))
        return super().get_context_data(
            upload=self.upload,
            report=report,
            page=page,
            verdicts=[
                (each, explain_ineligibility(each, self.event, exempted), list_cells(each))
                for each in page
            ],
            columns=list_columns(report.headings),
            passed_over=[heading for heading, use in report.headings if heading and not use],
            choices=list_choices(report.headings),
            beside=find_preview_facts(self.event, verdicts),
            counts=counts,
            bad=counts["faulty"] + counts["duplicate"],
            good=counts["new"] + counts["changed"],
            **kwargs,
        )

    def actions(self) -> dict[str, Action]:
        return {"apply": self.apply, "columns": self.choose_columns}

    def choose_columns(self) -> str:
        headings = get_report(self.upload).headings
        meanings = [self.text(f"column-{number}") for number in range(len(headings))]
        choose_columns(self.upload, meanings)
        self.chosen = True
        return _("The file was read again with these columns.")

    def apply(self) -> str:
        ticked = {name: self.text(name) == "yes" for name in ("leave_out", "remove", "refuse")}
        counts = apply_import(self.upload, self.user, Choices(**ticked)).counts
        return _("List saved: {new} new, {changed} changed.").format(
            new=counts["new"], changed=counts["changed"]
        )

    def redirect_when_done(self) -> HttpResponse:
        if getattr(self, "chosen", False):
            return redirect(self.request.path)
        return redirect(desk_url("list", self.event))


def list_columns(headings: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    """Return the title of each list column, with the file's headings that map to it."""
    return [
        (capfirst(_(column.title)), " + ".join(text for text, use in headings if use == name))
        for name, column in COLUMNS.items()
    ]


def list_cells(verdict: Verdict) -> list[tuple[str, str | None]]:
    """Return the text of each cell in a row, with the old text if the upload changes it."""
    if verdict.student is None:
        return []
    old = {name: before for name, before, _now in verdict.changes}
    return [(getattr(verdict.student, name), old.get(name)) for name in COLUMNS]


def list_choices(
    headings: Sequence[Sequence[str]],
) -> list[tuple[str, list[tuple[str, str, bool]]]]:
    """Return the possible meanings of each heading in the file, and mark the current one."""
    titles = {name: column.title for name, column in COLUMNS.items()} | PART_TITLES
    return [
        (heading, [(name, capfirst(_(title)), name == use) for name, title in titles.items()])
        for heading, use in headings
    ]


class ListDownload(Download):
    """Download of the stored list, or of an example, as CSV."""

    tab = "list"
    view_right = "list"

    def load(self) -> None:
        if self.which not in ("example", "list"):
            raise Http404("There is no such file.")
        super().load()

    def make_response(self) -> HttpResponseBase:
        if self.which == "example":
            return csv_response("example-list.csv", HEADINGS, EXAMPLE)
        rows = self.event.students.values_list(*FIELDS)
        return csv_response(f"{self.event.slug}-list.csv", HEADINGS, rows)
