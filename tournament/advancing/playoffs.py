"""Play-off hands for a last spot: entering, correcting and undoing their finishing order.

Orders are stored whole, the latest first, so that two wrong entries are never mixed.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from tournament.advancing.services import going_on, preview_cut
from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import LogAction, Proposal, Round, Stage, User
from tournament.oversight.audit import record
from tournament.oversight.second_person import Step, StepRequest, settle
from tournament.pure.codes import Code
from tournament.pure.qualifying import Playoff
from tournament.results.queries import event_of
from tournament.results.stages import stage_results
from tournament.stages.cut import CutRule, rule_of


@transaction.atomic
def set_playoff(
    scope: Stage | Round, actor: User, order: Sequence[int], rule: CutRule | None = None
) -> Proposal | None:
    """Enter the finishing order of a play-off hand, replacing any earlier one.

    The players are those of one hand for a spot of `scope`; in a stage, the spot follows from
    `rule` or else from the stage's own rule. A draft of the next round is discarded. The
    rounds that it decides about are closed, so a second organizer confirms it. In that case
    the pending proposal is returned. Refused with: order, state, open-round, begun, rule,
    shape, no-result, asked.
    """
    more = {"order": list(order), "rule": list(astuple(rule)) if rule else None}
    return _take(ORDER, scope, actor, more)


@transaction.atomic
def take_back_playoff(
    scope: Stage | Round, actor: User, players: Collection[int]
) -> Proposal | None:
    """Undo the order of a play-off hand; a second organizer has to confirm it as well.

    Refused with: order, state, open-round, begun, asked.
    """
    return _take(TAKE_BACK, scope, actor, {"players": sorted(players)})


def _take(
    step: Step, scope: Stage | Round, actor: User, more: Mapping[str, object]
) -> Proposal | None:
    event = lock_event(event_of(scope))
    kind = "stage" if isinstance(scope, Stage) else "round"
    deed = StepRequest(
        event, actor, {"of": kind, "key": scope.pk, **more}, "", _find_decided_round(scope)
    )
    step.check(deed)
    waits = settle(step, deed)
    scope.refresh_from_db()
    return waits


def _find_decided_round(scope: Stage | Round) -> Round | None:
    """Return the round that the hand decides; for a stage, this is its last round."""
    return scope.rounds.order_by("number").last() if isinstance(scope, Stage) else scope


def where_of(deed: StepRequest) -> Stage | Round:
    """Return the stage or round whose last spot is decided by the hand."""
    rows: QuerySet[Any] = Round.objects.select_related("stage__event")
    if deed.facts["of"] == "stage":
        rows = Stage.objects.select_related("event")
    found: Stage | Round = rows.get(pk=deed.facts["key"])
    return found


def _check_order(deed: StepRequest) -> None:
    where, order = where_of(deed), deed.facts["order"]
    _check_changeable(where)
    rule = CutRule(*deed.facts["rule"]) if deed.facts["rule"] else None
    hands = [set(playoff.players) for playoff in _list_playoffs(where, rule)]
    if len(set(order)) < len(order) or set(order) not in hands:
        raise RefusedError(
            Code.ORDER,
            _("That tie-break hand isn’t needed. Reload the page to see the current ones."),
        )


def _set_order(deed: StepRequest) -> None:
    where, order = where_of(deed), deed.facts["order"]
    others = [each for each in _get_orders(where) if set(each) != set(order)]
    _store(where, [list(order), *others])
    text = translate_later(
        gettext_noop("Entered the finishing order of a tie-break hand in {where}."), where=where
    )
    _record(deed, where, LogAction.PLAYOFF, text, order=list(order))


def _check_take_back(deed: StepRequest) -> None:
    where = where_of(deed)
    _check_changeable(where)
    if len(_list_kept_orders(deed, where)) == len(_get_orders(where)):
        raise RefusedError(Code.ORDER, _("No finishing order has been entered for this hand."))


def _list_kept_orders(deed: StepRequest, scope: Stage | Round) -> list[list[int]]:
    return [order for order in _get_orders(scope) if not set(deed.facts["players"]) <= set(order)]


def _take_back(deed: StepRequest) -> None:
    where = where_of(deed)
    _store(where, _list_kept_orders(deed, where))
    text = translate_later(
        gettext_noop("Removed the finishing order of a tie-break hand in {where}."), where=where
    )
    _record(deed, where, LogAction.PLAYOFF_OFF, text, order=deed.facts["players"])


def _record(
    deed: StepRequest,
    scope: Stage | Round,
    action: LogAction,
    text: Callable[[], str],
    **data: object,
) -> None:
    stage = scope if isinstance(scope, Stage) else scope.stage
    data |= {"stage": stage.number, "second": bool(deed.second)}
    record(deed.event, deed.actor, action, text, "", **data)


ORDER = Step(Proposal.Kind.PLAYOFF, _check_order, _set_order)
TAKE_BACK = Step(Proposal.Kind.PLAYOFF_OFF, _check_take_back, _take_back)


def _check_changeable(scope: Stage | Round) -> None:
    """Refuse once anything that depends on the hand has been published.

    Call with the event locked.
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
    """Return the play-off hands for a spot, whether already played or not."""
    if isinstance(scope, Stage):
        cut = preview_cut(stage_results(scope), rule or rule_of(scope))
        return (*cut.playoffs, *cut.played)
    if scope.is_final:
        return ()
    following, _drawn = going_on(scope)
    return (*following.playoffs, *following.played)


def _get_orders(scope: Stage | Round) -> list[list[int]]:
    if isinstance(scope, Stage):
        return list(scope.playoff)
    return [list(order) for order in scope.seating.playoff]


def _store(scope: Stage | Round, orders: list[list[int]]) -> None:
    if isinstance(scope, Stage):
        scope.playoff = orders
        scope.save(update_fields=["playoff"])
        return
    scope.seating = replace(scope.seating, playoff=tuple(map(tuple, orders)))
    scope.save(update_fields=["seating"])
    # It was drawn by another order.
    _find_later_rounds(scope).delete()
