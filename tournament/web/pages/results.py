"""Page behind the QR code on a score sheet, where players enter the points of their table."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.common.refusals import RefusedError
from tournament.models import Report, Round, Table, User
from tournament.oversight.rights import has_right
from tournament.pure.codes import Code
from tournament.pure.texts import parse_whole
from tournament.results.reporting import answer_report, report_points
from tournament.results.reports import ReportedTable, find_reported_table
from tournament.results.services import MAX_POINTS
from tournament.web.live.boards import hash_public_facts
from tournament.web.pages.site.shared import event_or_404


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def table_points(request: HttpRequest, slug: str, table_id: int) -> HttpResponse:
    """Show players the form for the points of their table, if players enter the points.

    Staff who may enter points are redirected to the table's page at the desk, and other users to
    their own page.
    """
    event = event_or_404(request, slug)
    tables = Table.objects.filter(round__stage__event=event).exclude(round__state=Round.State.DRAFT)
    table = get_object_or_404(tables.select_related("round__stage__event"), pk=table_id)
    assert isinstance(request.user, User)
    if request.method == "POST":
        return _handle_post(request, table, request.user)
    if reported := find_reported_table(table, request.user):
        return _render_page(request, reported)
    if has_right(request.user, event, "results"):
        page = reverse("admin:event-table", args=[event.pk, table.pk])
        return redirect(f"{page}#points")
    return redirect("my-table", event.slug)


def _render_page(
    request: HttpRequest, reported_table: ReportedTable, refusal: str = ""
) -> HttpResponse:
    event = reported_table.table.round.stage.event
    points = request.POST.getlist("points") or [""] * len(reported_table.rows)
    context = {
        "event": event,
        "entry": reported_table,
        "fields": list(zip(reported_table.rows, points, strict=False)),
        "refusal": refusal,
        "most": MAX_POINTS,
        "shape": hash_public_facts(event),
    }
    return render(
        request, "tournament/results/table_points.html", context, status=422 if refusal else 200
    )


def _handle_post(request: HttpRequest, table: Table, user: User) -> HttpResponse:
    """Enter, confirm or dispute points. If they are refused, the form keeps the input."""
    action = request.POST.get("action", "")
    try:
        messages.success(request, _perform_action(request, table, user, action))
    except RefusedError as refused:
        if (
            action == "report"
            and (reported := find_reported_table(table, user))
            and reported.report is None
        ):
            return _render_page(request, reported, refused.sentence)
        messages.error(request, refused.sentence)
    return redirect("table-points", table.round.stage.event.slug, table.pk)


def _perform_action(request: HttpRequest, table: Table, user: User, action: str) -> str:
    if action == "report":
        report_points(table, user, _read_points(request))
        return _("Points entered. The others at the table can now check them on their own phones.")
    key = parse_whole(request.POST.get("report", "")) or 0
    report = get_object_or_404(table.reports, pk=key)
    report = answer_report(report, user, agrees=action == "confirm")
    return OUTCOME_TEXTS[Report.State(report.state)]()


OUTCOME_TEXTS = {
    Report.State.OPEN: lambda: _("Thank you. The others still have to check the points."),
    Report.State.AGREED: lambda: _("Thank you. The table has confirmed its points."),
    Report.State.DISPUTED: lambda: _(
        "The desk knows you disagree. Someone will come to your table."
    ),
    Report.State.DROPPED: lambda: _("Undone. The points can now be entered again."),
}


def _read_points(request: HttpRequest) -> list[int]:
    try:
        return [int(value) for value in request.POST.getlist("points")]
    except ValueError:
        text = _("Enter a whole number of points for every seat.")
        raise RefusedError(Code.POINTS, text) from None
