"""Switching a table to physical cards or back to the site, with the points of its match."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext as _

from games import facts, queries, services
from games.models import Match
from games.rules.scoring import MatchScore
from games.rules.totals import Bounds, explain_impossible_totals
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import Event, LogAction, Proposal, Round, Table, User
from tournament.oversight.audit import identify_place, record
from tournament.oversight.second_person import Step, StepRequest, take_checked_step
from tournament.pure.codes import Code
from tournament.results import queries as read
from tournament.results.services import (
    RIGHT,
    explain_malformed,
    explain_missing_start,
    is_far_reaching,
    is_seated_at,
    settle_reports,
)
from tournament.rounds.services import start_tables
from tournament.seating.services import list_table_members, reseat_table

Hands = list[list[int]]


@dataclass(frozen=True)
class PaperProgress:
    """The progress of a match with physical cards.

    * `points`: the totals by seat, including points from before the switch.
    * `hands`: the number of hands played with physical cards.
    """

    points: Sequence[int]
    hands: int


@transaction.atomic
def set_paper(
    table: Table, actor: User, paper: bool, reason: str = "", progress: PaperProgress | None = None
) -> Table:
    """Switch a table to physical cards, or back to the site.

    Finished hands count, and the hand in progress is void. If no hand is finished, bots leave the
    table when it switches to cards, and return when it switches back.

    Back on the site, a table of a running round gets a new match. It continues from `progress`, or
    from the earlier points if no hand was played with cards. The match starts immediately, or once
    a second organizer has confirmed the points.

    Raises RefusedError with the code `state`, `same`, `result`, `waiting`, `over`, `no-reason`,
    `malformed`, `impossible`, `hands` or `asked`.
    """
    event = lock_event(table.round.stage.event, table)
    _check_switchable(table, paper)
    carried = (
        _end_match_at_hand(table, reason) if paper else _make_starting_hands(event, table, progress)
    )
    if carried and not reason.strip():
        raise RefusedError(
            Code.NO_REASON, _("Say why the table is switching in the middle of the match.")
        )
    facts = {"table": table.pk, "to": "paper" if paper else "site"}
    request = StepRequest(
        event, actor, {**facts, "start": table.start, "hands": carried}, reason, table.round
    )
    take_checked_step(BACK, request, far=_is_entered_by_hand(request, table))
    table.refresh_from_db()
    return table


def _is_entered_by_hand(request: StepRequest, table: Table) -> bool:
    """Return whether the switch enters points that a second organizer must confirm.

    The rule is the same as for a result that is entered by hand.
    """
    if request.facts["to"] == "paper" or request.facts["hands"] == table.carried:
        return False
    all_confirmed = request.event.second_person == Event.SecondPerson.ALL
    is_player = is_seated_at(table, request.actor)
    return all_confirmed or is_player or is_far_reaching(table)


def _get_table(request: StepRequest) -> Table:
    tables = Table.objects.select_related("match", "round__stage__event")
    return tables.get(pk=request.facts["table"])


def _check_switch_possible(request: StepRequest) -> None:
    table = _get_table(request)
    _check_switchable(table, paper=False)
    if table.start != request.facts["start"]:
        raise RefusedError(
            Code.POINTS, _("Different points have since been entered for this table.")
        )


def _switch_table(request: StepRequest) -> None:
    table, paper = _get_table(request), request.facts["to"] == "paper"
    table.paper, table.carried = paper, request.facts["hands"]
    table.save(update_fields=["paper", "carried"])
    settle_reports(table)
    if not table.carried:
        reseat_table(table, list_table_members(table))
    if not paper and table.round.state == Round.State.RUNNING:
        start_tables(request.event, [table])
    _record_totals(request, table)


def _record_totals(request: StepRequest, table: Table) -> None:
    players = list(table.seats.order_by("number").values_list("registration_id", flat=True))
    facts = {"points": table.start, "players": players, "second": bool(request.second)}
    data = {**identify_place(table), **facts, "to": request.facts["to"]}
    record(
        request.event,
        request.actor,
        LogAction.PAPER,
        lambda: _describe_switch(table),
        request.reason,
        **data,
    )


def _describe_switch(table: Table) -> str:
    text = _("{table} has switched to playing on the site.")
    if table.paper:
        text = _("{table} has switched to physical cards.")
    sentences = [text.format(table=table)]
    if table.carried:
        points = ", ".join(map(str, table.start))
        sentences.append(
            _("The match continues with these points: {points}.").format(points=points)
        )
    return " ".join(sentences)


BACK = Step(
    Proposal.Kind.BACK_TO_SITE,
    _check_switch_possible,
    _switch_table,
    right=RIGHT,
    own=lambda request, second: is_seated_at(_get_table(request), second),
)


def _check_switchable(table: Table, paper: bool) -> None:
    if table.round.state == Round.State.CLOSED:
        raise RefusedError(Code.STATE, _("{round} is closed.").format(round=table.round))
    if table.paper == paper:
        text = _("{table} is already set to play on the site.")
        if paper:
            text = _("{table} is already set to use physical cards.")
        raise RefusedError(Code.SAME, text.format(table=table))
    _check_without_result(table)


def _check_without_result(table: Table) -> None:
    """Check that the table has no result, no entry waiting for confirmation and no finished match.

    Their points belong to seats that the switch may change.
    """
    if read.find_counting_entry(table.results.all()):
        text = _("{table} already has a result. Correct it instead.")
        raise RefusedError(Code.RESULT, text.format(table=table))
    if read.find_waiting_entry(table.results.all()):
        text = _("Points for {table} are waiting for a second organizer. Undo that entry first.")
        raise RefusedError(Code.WAITING, text.format(table=table))
    match = table.match
    if match and match.phase == Match.Phase.OVER and match.ended != Match.MatchEnding.ABANDONED:
        text = _("The match at {table} is over. Correct its points instead.")
        raise RefusedError(Code.OVER, text.format(table=table))


def _end_match_at_hand(table: Table, reason: str) -> Hands:
    """End the match at its current hand, and return the finished hands."""
    match = table.match
    if match is None or match.phase == Match.Phase.OVER:
        return table.carried
    if list_finished_hands(match) and not reason.strip():
        return list_finished_hands(match)  # The caller refuses the switch.
    ended = services.abandon_match(match, reason or Match.Reason.OFF_SITE.value, goes_on=True)
    return list_finished_hands(ended)


def list_finished_hands(match: Match) -> Hands:
    """Return the points by seat of each finished hand, including those before this match."""
    return [*match.before, *queries.score(match).hands]


def _make_starting_hands(event: Event, table: Table, progress: PaperProgress | None) -> Hands:
    """Return the hands from which a match continues, including those played with cards.

    Raises RefusedError with the code `malformed`, `impossible`, `hands` or `over`.
    """
    if progress is None:
        return table.carried
    points, seats = list(progress.points), table.seats.count()
    if problem := explain_malformed(seats, points):
        raise RefusedError(Code.MALFORMED, problem)
    if problem := explain_missing_start(table, points):
        raise RefusedError(Code.IMPOSSIBLE, problem)
    new_points = [
        total - start for total, start in zip(points, table.start or [0] * seats, strict=True)
    ]
    if any(new_points) and not progress.hands:
        raise RefusedError(Code.HANDS, _("Enter the number of hands played with physical cards."))
    # The points of single hands are only on the score sheet, so the last hand gets the whole total.
    blank = [[0] * seats for _hand in range(progress.hands - 1)]
    hands = [*table.carried, *blank, *([new_points] if progress.hands else [])]
    _check_match_can_continue(event, points, hands)
    return hands


def _check_match_can_continue(event: Event, points: list[int], hands: Hands) -> None:
    """Check that the totals are possible under the rules, and that they do not end the match."""
    rules = read.rules_of(event)
    if problem := explain_impossible_totals(rules, points, Bounds(len(hands), timed=True)):
        raise RefusedError(Code.IMPOSSIBLE, problem)
    try:
        is_over = MatchScore(rules, len(points), hands).over
    except ValueError:
        is_over = True
    if is_over or (event.hand_limit and len(hands) >= event.hand_limit):
        text = _("These points end the match. Enter them as its result instead.")
        raise RefusedError(Code.OVER, text)


def describe_switch_effect(table: Table) -> list[str]:
    """Return sentences about the effect of switching the table now."""
    match = table.match
    if table.paper or match is None or match.phase == Match.Phase.OVER:
        return _describe_switch_back(table)
    sentences = []
    if hand := facts.hand_in_play(match):
        sentences.append(
            _("Hand {number} will be void, and no one will get points for it.").format(number=hand)
        )
    if hands := list_finished_hands(match):
        points = [sum(each) for each in zip(*hands, strict=True)]
        sentences.append(
            _("Finished hands will count: {points}.").format(
                points=_list_points_by_name(table, points)
            )
        )
        sentences.append(
            _(
                "The score sheet will start with these points. Print the sheet below, or write "
                "the points down."
            )
        )
    return [*sentences, _("The result will be entered by hand later.")]


def _describe_switch_back(table: Table) -> list[str]:
    sentences = [_("A new hand will be dealt on the site as soon as you press the button.")]
    if table.round.state != Round.State.RUNNING:
        sentences = [_("The table’s match will begin when the round starts.")]
    if table.carried:
        text = _("The match will continue from the points you enter below (at least {points}).")
        sentences.append(text.format(points=_list_points_by_name(table, table.start)))
    return sentences


def _list_points_by_name(table: Table, points: Sequence[int]) -> str:
    seats = table.seats.select_related("registration", "substitute").order_by("number")
    return ", ".join(f"{seat} {value}" for seat, value in zip(seats, points, strict=True))
