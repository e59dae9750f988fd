"""Players' reports of points at tables with physical cards, and the other players' answers."""

from collections.abc import Sequence
from functools import partial

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import LogAction, Registration, Report, Table, User
from tournament.oversight.audit import identify_place, record
from tournament.pure.codes import Code
from tournament.results import reports as read
from tournament.results.queries import find_counting_entry
from tournament.results.services import check_entry, enter_agreed

State = Report.State


@transaction.atomic
def report_points(table: Table, user: User, points: Sequence[int]) -> Report:
    """Report the table's points by seat, so that the other players can confirm them.

    Raises RefusedError with the code `no-seat`, `not-asked`, `result` or `reported`, or like
    `check_entry`.
    """
    event = lock_event(table.round.stage.event)
    table = Table.objects.select_related("round__stage__event").get(pk=table.pk)
    reporter = _require_player_at_table(table, user)
    _check_can_be_reported(table)
    check_entry(table, points, "")
    report = table.reports.create(points=list(points), by=reporter, at=timezone.now())
    _store_answer(report, reporter, agrees=True)

    def describe_entry() -> str:
        text = _("{name} entered the points for {table}: {points}.")
        return text.format(name=reporter, table=table, points=", ".join(map(str, points)))

    record(
        event,
        user,
        LogAction.REPORT,
        describe_entry,
        "",
        **identify_place(table),
        points=list(points),
        player=reporter.pk,
    )
    return report


def _require_player_at_table(table: Table, user: User) -> Registration:
    if (registration := read.find_sitter(table, user)) is None:
        raise RefusedError(
            Code.NO_SEAT, _("Only players at this table can enter or confirm its points.")
        )
    return registration


def _check_can_be_reported(table: Table) -> None:
    if not read.can_players_enter(table):
        raise RefusedError(Code.NOT_ASKED, _("The desk enters the points for this table."))
    if find_counting_entry(table.results.all()):
        raise RefusedError(
            Code.RESULT, _("This table’s points are already settled. Talk to the desk.")
        )
    if read.find_pending_report(table):
        text = _("Another player has just entered the points. Check that they are correct.")
        raise RefusedError(Code.REPORTED, text)


@transaction.atomic
def answer_report(report: Report, user: User, *, agrees: bool) -> Report:
    """Confirm or dispute the reported points.

    The points count once enough players have confirmed them. If the reporter disputes them, the
    report is withdrawn. Raises RefusedError with the code
    `no-seat`, `state` or `answered`, or like `enter_agreed`.
    """
    event = lock_event(report.table.round.stage.event)
    report = Report.objects.select_related("table__round__stage__event", "by").get(pk=report.pk)
    registration = _require_player_at_table(report.table, user)
    if report.state != State.OPEN:
        raise RefusedError(Code.STATE, _("These points are no longer waiting for confirmation."))
    if agrees and registration.pk in read.list_agreeing(report):
        raise RefusedError(Code.ANSWERED, _("You have already confirmed these points."))
    _store_answer(report, registration, agrees=agrees)
    describe = partial(_describe_answer, report, registration, agrees)
    record(event, user, LogAction.REPORT_ANSWER, describe, "", **identify_place(report.table))
    if not agrees:
        _set_report_state(report, State.DROPPED if registration == report.by else State.DISPUTED)
    elif read.has_enough_agreement(report, read.list_agreeing(report)):
        _accept_reported_points(report)
    return report


def _describe_answer(report: Report, registration: Registration, agrees: bool) -> str:
    text = _("{name} disputed the points for {table}.")
    if agrees:
        text = _("{name} confirmed the points for {table}.")
    elif registration == report.by:
        text = _("{name} withdrew the points for {table}.")
    return text.format(name=registration, table=report.table)


def _store_answer(report: Report, registration: Registration, *, agrees: bool) -> None:
    answer = {"agrees": agrees, "at": timezone.now()}
    report.answers.update_or_create(registration=registration, defaults=answer)


def _set_report_state(report: Report, state: str) -> None:
    report.state = state
    report.save(update_fields=["state"])


def _accept_reported_points(report: Report) -> None:
    _set_report_state(report, State.AGREED)
    assert report.by.user is not None
    enter_agreed(report.table, report.by.user, report.points)
