"""Play-off hands for the last spots: entering, correcting and undoing their finishing order.

Orders are stored whole, the latest first, so that two wrong entries are never mixed.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.advancing.services import decide_next_round, preview_cut
from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import LogAction, Proposal, Round, Stage, User
from tournament.oversight.audit import record
from tournament.oversight.second_person import Step, StepRequest, take_checked_step
from tournament.pure.codes import Code
from tournament.pure.qualifying import Playoff
from tournament.results.queries import event_of
from tournament.results.stages import stage_results
from tournament.stages.cut import CutRule, rule_of


@transaction.atomic
def enter_playoff_order(
    scope: Stage | Round, actor: User, order: Sequence[int], rule: CutRule | None = None
) -> Proposal | None:
    """Enter the finishing order of a play-off hand, replacing any earlier order.

    * `scope`: the stage or bracket round whose last spot the hand decides.
    * `order`: the players of the hand, best first.
    * `rule`: the rule of the cut after a stage. The default is the stage's own rule.

    A draft of the next round is discarded. If the affected rounds are closed, a second organizer
    has to confirm the order, and the proposal is returned. Raises RefusedError with the code
    `order`, `state`, `open-round`, `begun`, `rule`, `shape`, `no-result` or `asked`.
    """
    facts = {"order": list(order), "rule": list(astuple(rule)) if rule else None}
    return _request_step(ORDER, scope, actor, facts)


@transaction.atomic
def undo_playoff_order(
    scope: Stage | Round, actor: User, players: Collection[int]
) -> Proposal | None:
    """Undo the order of a play-off hand, once a second organizer has confirmed it.

    Raises RefusedError with the code `order`, `state`, `open-round`, `begun` or `asked`.
    """
    return _request_step(UNDO_ORDER, scope, actor, {"players": sorted(players)})


def _request_step(
    step: Step, scope: Stage | Round, actor: User, facts: Mapping[str, object]
) -> Proposal | None:
    event = lock_event(event_of(scope))
    kind = "stage" if isinstance(scope, Stage) else "round"
    request = StepRequest(
        event, actor, {"of": kind, "key": scope.pk, **facts}, "", _find_decided_round(scope)
    )
    step.check(request)
    proposal = take_checked_step(step, request)
    scope.refresh_from_db()
    return proposal


def _find_decided_round(scope: Stage | Round) -> Round | None:
    """Return the round that the hand decides. For a stage, this is its last round."""
    return scope.rounds.order_by("number").last() if isinstance(scope, Stage) else scope


def find_scope(request: StepRequest) -> Stage | Round:
    """Return the stage or round whose last spot the hand decides."""
    rows: QuerySet[Any] = Round.objects.select_related("stage__event")
    if request.facts["of"] == "stage":
        rows = Stage.objects.select_related("event")
    scope: Stage | Round = rows.get(pk=request.facts["key"])
    return scope


def _check_order_is_needed(request: StepRequest) -> None:
    scope, order = find_scope(request), request.facts["order"]
    _check_can_change_order(scope)
    rule = CutRule(*request.facts["rule"]) if request.facts["rule"] else None
    hands = [set(playoff.players) for playoff in _list_playoffs(scope, rule)]
    if len(set(order)) < len(order) or set(order) not in hands:
        raise RefusedError(
            Code.ORDER,
            _("That tie-break hand isn’t needed. Reload the page to see the current ones."),
        )


def _set_order(request: StepRequest) -> None:
    where, order = find_scope(request), request.facts["order"]
    others = [each for each in _get_orders(where) if set(each) != set(order)]
    _store_orders(where, [list(order), *others])
    text = translate_later(
        gettext_noop("Entered the finishing order of a tie-break hand in {where}."), where=where
    )
    _record_order(request, where, LogAction.PLAYOFF, text, order=list(order))


def _check_order_exists(request: StepRequest) -> None:
    scope = find_scope(request)
    _check_can_change_order(scope)
    if len(_list_remaining_orders(request, scope)) == len(_get_orders(scope)):
        raise RefusedError(Code.ORDER, _("No finishing order has been entered for this hand."))


def _list_remaining_orders(request: StepRequest, scope: Stage | Round) -> list[list[int]]:
    return [
        order for order in _get_orders(scope) if not set(request.facts["players"]) <= set(order)
    ]


def _undo_order(request: StepRequest) -> None:
    where = find_scope(request)
    _store_orders(where, _list_remaining_orders(request, where))
    text = translate_later(
        gettext_noop("Removed the finishing order of a tie-break hand in {where}."), where=where
    )
    _record_order(request, where, LogAction.PLAYOFF_OFF, text, order=request.facts["players"])


def _record_order(
    request: StepRequest,
    scope: Stage | Round,
    action: LogAction,
    text: Callable[[], str],
    **data: object,
) -> None:
    stage = scope if isinstance(scope, Stage) else scope.stage
    data |= {"stage": stage.number, "second": bool(request.second)}
    record(request.event, request.actor, action, text, "", **data)


ORDER = Step(Proposal.Kind.PLAYOFF, _check_order_is_needed, _set_order)
UNDO_ORDER = Step(Proposal.Kind.PLAYOFF_OFF, _check_order_exists, _undo_order)


def _check_can_change_order(scope: Stage | Round) -> None:
    """Check that nothing that depends on the hand has been published.

    The caller must have locked the event.
    """
    if isinstance(scope, Stage):
        if scope.state == Stage.State.CLOSED:
            text = _("{stage} is closed. Reopen it first.")
            raise RefusedError(Code.STATE, text.format(stage=scope))
        return
    if scope.state != Round.State.CLOSED:
        text = _("Finish and close {round} first.")
        raise RefusedError(Code.OPEN_ROUND, text.format(round=scope))
    if _find_later_rounds(scope).exclude(state=Round.State.DRAFT).exists():
        raise RefusedError(
            Code.BEGUN, _("The next round has been published, so its players can no longer change.")
        )


def _find_later_rounds(round_: Round) -> QuerySet[Round]:
    return round_.stage.rounds.filter(number__gt=round_.number)


def _list_playoffs(scope: Stage | Round, rule: CutRule | None) -> tuple[Playoff, ...]:
    """Return all play-off hands for a spot, including those already played."""
    if isinstance(scope, Stage):
        cut = preview_cut(stage_results(scope), rule or rule_of(scope))
        return (*cut.playoffs, *cut.played)
    if scope.is_final:
        return ()
    following, _drawn = decide_next_round(scope)
    return (*following.playoffs, *following.played)


def _get_orders(scope: Stage | Round) -> list[list[int]]:
    if isinstance(scope, Stage):
        return list(scope.playoff)
    return [list(order) for order in scope.seating.playoff]


def _store_orders(scope: Stage | Round, orders: list[list[int]]) -> None:
    if isinstance(scope, Stage):
        scope.playoff = orders
        scope.save(update_fields=["playoff"])
        return
    scope.seating = replace(scope.seating, playoff=tuple(map(tuple, orders)))
    scope.save(update_fields=["seating"])
    # A draft of the next round was drawn from the earlier order.
    _find_later_rounds(scope).delete()
