"""Entering, correcting and undoing table results by hand. All entries are kept."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.facts import filter_played
from games.models import Match
from games.rules.totals import explain_impossible_totals
from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError, check_reason
from tournament.models import Event, LogAction, Proposal, Report, Result, Round, Table, User
from tournament.oversight.audit import identify_place, record
from tournament.oversight.second_person import Step, StepRequest, take_checked_step
from tournament.pure.codes import Code
from tournament.results import queries as read
from tournament.results.table_result import TableResult

State = Result.State
# The right to enter results, and to confirm another organizer's entry.
RIGHT = "results"
# Far above any real score. Up to this limit, impossible points are accepted if there is a reason.
MAX_POINTS = 99_999


@transaction.atomic
def enter_result(
    table: Table, actor: User, points: Sequence[int], reason: str = "", *, override: bool = False
) -> Result:
    """Enter a table's points by seat, or correct its current result.

    Corrections need a reason. With `override` and a reason, points count even if no cards could
    give them. A second organizer has to confirm the entry if it changes a closed round or a result
    played on the site, or if the event requires that. Otherwise, it counts immediately. Raises
    RefusedError with the code `state`, `playing`, `waiting`, `no-reason`, `malformed`,
    `impossible` or `same`.
    """
    is_player = is_seated_at(table, actor)
    return _enter_points(table, actor, points, reason, override=override, by_player=is_player)


@transaction.atomic
def enter_agreed(table: Table, actor: User, points: Sequence[int]) -> Result:
    """Enter points that `actor` has reported and the other players have confirmed.

    A second organizer is not needed just because a player entered the points, but may be needed
    for other reasons. Raises RefusedError like `enter_result`.
    """
    return _enter_points(table, actor, points)


def _enter_points(
    table: Table,
    actor: User,
    points: Sequence[int],
    reason: str = "",
    *,
    override: bool = False,
    by_player: bool = False,
) -> Result:
    """Enter points. They count now, or once a second organizer has confirmed them.

    `by_player` is true if only players of the table have checked the points.
    """
    event = lock_event(table.round.stage.event)
    current = check_entry(table, points, reason, override)
    bounds = read.bounds_of(event)
    result = table.results.create(
        points=list(points),
        reason=reason.strip(),
        state=State.ENTERED,
        entered_by=actor,
        overridden=bool(explain_impossible_totals(read.rules_of(event), points, bounds)),
    )
    settle_reports(table)
    facts = {"result": result.pk, "before": _list_final_points(current)}
    request = StepRequest(event, actor, facts, reason, table.round)
    every = event.second_person == Event.SecondPerson.ALL
    take_checked_step(RESULT, request, far=every or by_player or is_far_reaching(table))
    result.refresh_from_db()
    return result


def settle_reports(table: Table) -> None:
    """Close the table's pending reports, which no longer need an answer."""
    table.reports.filter(state__in=Report.UNDECIDED).update(state=Report.State.DROPPED)


def is_seated_at(table: Table, user: User) -> bool:
    """Return whether the user plays at the table, and therefore has an interest in its points."""
    return table.seats.filter(registration__user=user).exists()


def _list_final_points(result: TableResult) -> list[int] | None:
    return list(result.points) if result.final else None


def is_far_reaching(table: Table) -> bool:
    """Return whether entering points for the table is a far-reaching action now."""
    current = Table.objects.select_related("round").get(pk=table.pk)
    # This includes abandoned matches, so that no organizer can abandon a match that goes badly and
    # enter other points.
    played = filter_played(Match.objects.filter(event_table=current)).exists()
    return current.round.state == Round.State.CLOSED or played or bool(current.carried)


def _check_still_waiting(request: StepRequest) -> None:
    """Check that the entry still waits, and that the points to be replaced have not changed."""
    result = _get_result(request)
    if result.state != State.ENTERED:
        raise RefusedError(Code.STATE, _("This entry is no longer waiting for confirmation."))
    current_points = _list_final_points(read.result_of(result.table))
    # Requests from older versions of the site do not contain the earlier points.
    if current_points != request.facts.get("before", current_points):
        raise RefusedError(
            Code.POINTS, _("Different points have since been entered for this table.")
        )


def _confirm_entry(request: StepRequest) -> None:
    result = _get_result(request)
    result.state, result.confirmed_by = State.CONFIRMED, request.second
    result.save(update_fields=["state", "confirmed_by"])
    _record_entry(request, result)


def _get_result(request: StepRequest) -> Result:
    results = Result.objects.select_related("table__round__stage")
    return results.get(pk=request.facts["result"])


def _discard_entry(request: StepRequest) -> str:
    Result.objects.filter(pk=request.facts["result"]).update(state=State.UNDONE)
    return ""


def _is_seated_at_table(request: StepRequest, second: User) -> bool:
    return is_seated_at(_get_result(request).table, second)


RESULT = Step(
    Proposal.Kind.RESULT,
    _check_still_waiting,
    _confirm_entry,
    _discard_entry,
    RIGHT,
    _is_seated_at_table,
)


def check_entry(
    table: Table, points: Sequence[int], reason: str, override: bool = False
) -> TableResult:
    """Return the current result if these points may replace it.

    Raises RefusedError like `enter_result`.
    """
    event = table.round.stage.event
    current = read.result_of(table)
    table = current.table
    _check_accepts_points(current)
    _check_not_entered_yet(current, list(points))
    if (current.final or not table.paper) and not reason.strip():
        text = _("Give a reason for changing the points. It will be recorded.")
        raise RefusedError(Code.NO_REASON, text)
    _check_points_are_possible(event, table, points, reason, override)
    return current


def _check_accepts_points(result: TableResult) -> None:
    table = result.table
    if table.round.state in ("draft", "published"):
        raise RefusedError(Code.STATE, _("{round} has not started yet.").format(round=table.round))
    if table.match and not result.final and table.match.phase != Match.Phase.OVER:
        text = _("{table} is still playing on the site. Let the match finish, or abandon it first.")
        raise RefusedError(Code.PLAYING, text.format(table=table))


def _check_not_entered_yet(result: TableResult, points: list[int]) -> None:
    """Refuse points that have already been entered, for example after a double click."""
    if result.final and points == result.points:
        raise RefusedError(Code.SAME, _("These points have already been recorded."))
    if result.waiting:
        text = _(
            "Points for {table} are waiting for a second organizer. Have them confirmed, "
            "rejected or undone first."
        )
        raise RefusedError(Code.WAITING, text.format(table=result.table))


def _check_points_are_possible(
    event: Event, table: Table, points: Sequence[int], reason: str, override: bool
) -> None:
    if problem := explain_malformed(table.seats.count(), points):
        raise RefusedError(Code.MALFORMED, problem)
    problem = explain_missing_start(table, points)
    problem = problem or explain_impossible_totals(
        read.rules_of(event), points, read.bounds_of(event)
    )
    if problem and not override:
        raise RefusedError(Code.IMPOSSIBLE, problem)
    if problem and not reason.strip():
        text = _("Give a reason for counting these points anyway. It will be recorded and shown.")
        raise RefusedError(Code.NO_REASON, text)


def explain_missing_start(table: Table, points: Sequence[int]) -> str:
    """Explain that these totals do not include the points from before the switch to physical cards.

    Returns "" if they may include them.
    """
    if not any(total < start for total, start in zip(points, table.start, strict=False)):
        return ""
    text = _(
        "The points were {start} when this table switched to or from physical cards. "
        "Include them in the totals."
    )
    return text.format(start=_join_points(table.start))


def explain_malformed(seats: int, points: Sequence[int]) -> str:
    """Explain why these points do not fit a table with `seats` seats. Returns "" if they do."""
    if len(points) != seats:
        text = ngettext(
            "The table has {seats} seat, but points were entered for {count}.",
            "The table has {seats} seats, but points were entered for {count}.",
            seats,
        )
        return text.format(seats=seats, count=len(points))
    if any(value < 0 for value in points):
        return _("Points cannot be negative.")
    if max(points) > MAX_POINTS:
        text = _("{points} points is too many. At most {most} can be entered.")
        return text.format(points=max(points), most=MAX_POINTS)
    return ""


def _record_entry(request: StepRequest, result: Result) -> None:
    before = request.facts.get("before")
    action = LogAction.CORRECT if before else LogAction.ENTER
    if not before and is_far_reaching(result.table):
        action = LogAction.ENTER_LATE

    def describe_entry() -> str:
        text = _("Corrected the points for {table}: {points} (before: {before}).")
        if not before:
            text = _("Entered the points for {table}: {points}.")
        points = {"points": _join_points(result.points), "before": _join_points(before or [])}
        sentences = [text.format(table=result.table, **points)]
        if result.overridden:
            sentences.append(
                _("These points count even though no combination of cards adds up to them.")
            )
        return " ".join(sentences)

    points_data = {
        "points": result.points,
        "before": before,
        "players": _list_players(result.table),
    }
    data = {
        **identify_place(result.table),
        **points_data,
        "result": result.pk,
        "second": bool(request.second),
    }
    data["overridden"] = result.overridden
    record(request.event, request.actor, action, describe_entry, result.reason, **data)


def _list_players(table: Table) -> list[int | None]:
    """Return the registrations at a table by seat, with None for a bot."""
    return list(table.seats.order_by("number").values_list("registration_id", flat=True))


def _join_points(points: Sequence[int]) -> str:
    return ", ".join(map(str, points))


@transaction.atomic
def undo_result(result: Result, actor: User, reason: str) -> Proposal | None:
    """Undo the latest entry of a table, so that the previous result counts again.

    Returns a proposal if a second organizer has to confirm this. Raises RefusedError with the code
    `no-reason`, `state`, `not-latest`, `waiting` or `asked`.
    """
    event = lock_event(result.table.round.stage.event, result)
    request = StepRequest(event, actor, {"result": result.pk}, reason, result.table.round)
    check_reason(reason, _("Give a reason for undoing the entry."))
    _check_can_be_undone(request)
    return take_checked_step(UNDO, request, far=is_far_reaching(result.table))


def _check_can_be_undone(request: StepRequest) -> None:
    result = _get_result(request)
    if result.state == State.UNDONE:
        raise RefusedError(Code.STATE, _("This entry has already been undone."))
    if result.state == State.ENTERED:
        raise RefusedError(
            Code.WAITING,
            _("This entry doesn’t count yet. Cancel the request that is waiting for confirmation."),
        )
    later = result.table.results.filter(pk__gt=result.pk).exclude(state=State.UNDONE)
    if later.exists():
        raise RefusedError(Code.NOT_LATEST, _("Undo the later entry first."))
    if request.event.state == Event.State.FINISHED and _is_only_result(result):
        text = _(
            "The winner has been announced, and {table} would have no result. Undo the "
            "announcement first, or correct the points instead."
        )
        raise RefusedError(Code.STATE, text.format(table=result.table))


def _is_only_result(result: Result) -> bool:
    """Return whether the table would have no result without this entry."""
    table = result.table
    if table.results.filter(state=State.CONFIRMED).exclude(pk=result.pk).exists():
        return False
    match = table.match
    return (
        match is None
        or match.phase != Match.Phase.OVER
        or (match.ended == Match.MatchEnding.ABANDONED)
    )


def _undo_requested_entry(request: StepRequest) -> None:
    result = _get_result(request)
    _discard_entry(request)
    text = translate_later(gettext_noop("Undid an entry: {result}."), result=result)
    points_data = {
        "points": result.points,
        "players": _list_players(result.table),
        "result": result.pk,
    }
    data = {**identify_place(result.table), **points_data, "second": bool(request.second)}
    record(request.event, request.actor, LogAction.UNDO, text, request.reason, **data)


UNDO = Step(
    Proposal.Kind.UNDO,
    _check_can_be_undone,
    _undo_requested_entry,
    right=RIGHT,
    own=_is_seated_at_table,
)
