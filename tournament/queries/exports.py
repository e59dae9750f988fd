"""Rows of the files that organizers take with them."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import Event
from tournament.queries.results import TableResult, table_results

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
        _("Source"), _("Place at the table"), _("Points left in the hand"),
    ]  # fmt: skip
    lines: list[list[Any]] = []
    for found in table_results(event):
        if found.final:
            played = found.table.round
            for seat, points in zip(found.seats, found.points, strict=True):
                won = _("yes") if seat.number in found.winners else ""
                where = [str(played.stage), str(played), found.table.number, seat.number + 1]
                more = [SOURCES[found.source], *_place_and_left(found, seat.number)]
                lines.append([*where, str(seat), points, won, *more])
    return head, lines


def _place_and_left(found: TableResult, number: int) -> list[Any]:
    """Of a seat; what was left in the hand is not known of points entered by hand."""
    counted = found.counted()
    left = found.left[number] if found.left else ""
    return [counted.place(counted.players[number]), left]
