"""Rows of the files that organizers take with them."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import Event
from tournament.queries.results import table_results

SOURCES = {
    "match": gettext_lazy("match"),
    "paper": gettext_lazy("paper"),
    "correction": gettext_lazy("correction"),
}
Rows = tuple[list[str], list[list[Any]]]


def registration_rows(event: Event) -> Rows:
    """Heading and one row for every registration, in the order of arrival."""
    head = [
        _("No."), _("Name"), _("Roll number"), _("E-mail address"), _("State"), _("Reason"),
        _("Registered at"),
    ]  # fmt: skip
    rows = event.registrations.select_related("user").order_by("queue_number")
    lines: list[list[Any]] = [
        [
            r.queue_number,
            r.name,
            r.roll_number,
            r.user.email,
            r.get_state_display(),
            r.reason,
            r.registered_at.isoformat(timespec="seconds"),
        ]
        for r in rows
    ]
    return head, lines


def result_rows(event: Event) -> Rows:
    """Heading and one row for every chair of every table that has a result."""
    head = [
        _("Stage"), _("Round"), _("Table"), _("Seat"), _("Name"), _("Points"), _("Won"),
        _("Source"),
    ]  # fmt: skip
    lines: list[list[Any]] = []
    for found in table_results(event):
        if found.final:
            played = found.table.round
            for seat, points in zip(found.seats, found.points, strict=True):
                won = _("yes") if seat.number in found.winners else ""
                place = [str(played.stage), str(played), found.table.number, seat.number + 1]
                lines.append([*place, str(seat), points, won, SOURCES[found.source]])
    return head, lines
