"""Where the code on a table's sheet leads: to the entry of this table's points."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_safe

from tournament.models import Round, Table
from tournament.queries.rights import may
from tournament.views.shared import event_or_404


@login_required
@require_safe
def table_points(request: HttpRequest, slug: str, table_id: int) -> HttpResponse:
    """Who enters points comes to the desk's page of the table, everybody else to their own."""
    event = event_or_404(request, slug)
    tables = Table.objects.filter(round__stage__event=event).exclude(round__state=Round.State.DRAFT)
    table = get_object_or_404(tables, pk=table_id)
    if may(request.user, event, "results"):
        page = reverse("admin:event-table", args=[event.pk, table.pk])
        return redirect(f"{page}#points")
    return redirect("my-table", event.slug)
