"""Queries for players' reports of points, and for missing confirmations."""

from collections.abc import Collection
from dataclasses import dataclass

from tournament.models import Registration, Report, Result, Round, Table, User
from tournament.models.outcomes import PlayersEnter


@dataclass(frozen=True)
class ReportedTable:
    """The points of a table, as shown to one of its players.

    * `rows`: the players' names, with their points or None.
    * `report`: the pending report, or None.
    * `agreed`: the names of the players who have confirmed the report.
    * `missing`: the names of the players who have not answered.
    * `disputed`: the names of the players who dispute the report.
    * `is_own`: whether this player made the report.
    * `answered`: whether this player has confirmed or disputed the report.
    """

    table: Table
    rows: list[tuple[str, int | None]]
    report: Report | None = None
    agreed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    disputed: tuple[str, ...] = ()
    is_own: bool = False
    answered: bool = False

    @property
    def open(self) -> bool:
        return self.report is not None and self.report.state == Report.State.OPEN


def list_sitters(table: Table) -> list[Registration]:
    """Return the players at the table who have an account, by seat."""
    seats = table.seats.select_related("registration", "substitute").order_by("number")
    people = [seat.sitter for seat in seats if seat.sitter and not seat.forfeited]
    return [person for person in people if person.user_id]


def find_sitter(table: Table, user: User) -> Registration | None:
    """Return the user's registration at the table, or None if the user does not play there."""
    return next((person for person in list_sitters(table) if person.user_id == user.pk), None)


def can_players_enter(table: Table) -> bool:
    """Return whether the table's players may report its points now."""
    played = table.round
    asked = played.stage.event.players_enter != PlayersEnter.NOBODY
    return asked and table.paper and played.state == Round.State.RUNNING


def find_pending_report(table: Table) -> Report | None:
    """Return the report that waits for other players or the desk, or None."""
    return table.reports.filter(state__in=Report.UNDECIDED).select_related("by").first()


def list_agreeing(report: Report) -> set[int]:
    """Return the ids of the registrations that agree with the report, including the reporter's."""
    return set(report.answers.filter(agrees=True).values_list("registration", flat=True))


def has_enough_agreement(report: Report, agreed: Collection[int]) -> bool:
    """Return whether enough players have confirmed the report, by the event's settings.

    The reporter's own confirmation does not count.
    """
    others = {person.pk for person in list_sitters(report.table)} - {report.by_id}
    asked = report.table.round.stage.event.players_enter
    if asked == PlayersEnter.ALL:
        return bool(others) and others <= set(agreed)
    return asked == PlayersEnter.ONE and bool(others & set(agreed))


def find_reported_table(table: Table, user: User) -> ReportedTable | None:
    """Return the points of the table, for one of its players.

    Returns None if the user does not play there, or if the desk enters the points.
    """
    if not can_players_enter(table) or (registration := find_sitter(table, user)) is None:
        return None
    if table.results.exclude(state=Result.State.UNDONE).exists():
        return None
    names = [str(seat) for seat in table.seats.select_related("registration", "substitute")]
    report = find_pending_report(table)
    if report is None:
        return ReportedTable(table, [(name, None) for name in names])
    return _build_report(report, names, registration)


def _build_report(report: Report, names: list[str], registration: Registration) -> ReportedTable:
    answers = {answer.registration_id: answer.agrees for answer in report.answers.all()}
    people = list_sitters(report.table)
    return ReportedTable(
        report.table,
        list(zip(names, report.points, strict=False)),
        report,
        agreed=tuple(person.name for person in people if answers.get(person.pk)),
        missing=tuple(person.name for person in people if person.pk not in answers),
        disputed=tuple(person.name for person in people if answers.get(person.pk) is False),
        is_own=report.by_id == registration.pk,
        answered=registration.pk in answers,
    )


def list_reported(round_: Round) -> dict[int, str]:
    """Return the state of each pending report (open or disputed), by table key."""
    rows = Report.objects.filter(table__round=round_, state__in=Report.UNDECIDED)
    return dict(rows.values_list("table_id", "state"))
