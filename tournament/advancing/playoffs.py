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
    where: Stage | Round, actor: User, order: Sequence[int], rule: CutRule | None = None
) -> Proposal | None:
    """Enter the finishing order of a play-off hand, replacing any earlier one.

    The players are those of one hand for a spot of `where`; in a stage, the spot follows from
    `rule` or else from the stage's own rule. A draft of the next round is discarded. The
    rounds that it decides about are closed, so a second organizer confirms it. In that case
    the pending proposal is returned. Refused with: order, state, open-round, begun, rule,
    shape, no-result, asked.
    """
    more = {"order": list(order), "rule": list(astuple(rule)) if rule else None}
    return _take(ORDER, where, actor, more)


@transaction.atomic
def take_back_playoff(
    where: Stage | Round, actor: User, players: Collection[int]
) -> Proposal | None:
    """Undo the order of a play-off hand; a second organizer has to confirm it as well.

    Refused with: order, state, open-round, begun, asked.
    """
    return _take(TAKE_BACK, where, actor, {"players": sorted(players)})


def _take(
    step: Step, where: Stage | Round, actor: User, more: Mapping[str, object]
) -> Proposal | None:
    event = lock_event(event_of(where))
    kind = "stage" if isinstance(where, Stage) else "round"
    deed = StepRequest(
        event, actor, {"of": kind, "key": where.pk, **more}, "", _find_decided_round(where)
    )
    step.check(deed)
    waits = settle(step, deed)
    where.refresh_from_db()
    return waits


def _find_decided_round(where: Stage | Round) -> Round | None:
    """Return the round that the hand decides; for a stage, this is its last round."""
    return where.rounds.order_by("number").last() if isinstance(where, Stage) else where


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


def _list_kept_orders(deed: StepRequest, where: Stage | Round) -> list[list[int]]:
    return [order for order in _get_orders(where) if not set(deed.facts["players"]) <= set(order)]


def _take_back(deed: StepRequest) -> None:
    where = where_of(deed)
    _store(where, _list_kept_orders(deed, where))
    text = translate_later(
        gettext_noop("Removed the finishing order of a tie-break hand in {where}."), where=where
    )
    _record(deed, where, LogAction.PLAYOFF_OFF, text, order=deed.facts["players"])


def _record(
    deed: StepRequest,
    where: Stage | Round,
    action: LogAction,
    text: Callable[[], str],
    **data: object,
) -> None:
    stage = where if isinstance(where, Stage) else where.stage
    data |= {"stage": stage.number, "second": bool(deed.second)}
    record(deed.event, deed.actor, action, text, "", **data)


ORDER = Step(Proposal.Kind.PLAYOFF, _check_order, _set_order)
TAKE_BACK = Step(Proposal.Kind.PLAYOFF_OFF, _check_take_back, _take_back)


def _check_changeable(where: Stage | Round) -> None:
    """Refuse once anything that depends on the hand has been published.

    Call with the event locked.
    """
    if isinstance(where, Stage):
        if where.state == Stage.State.CLOSED:
            text = _("{stage} is closed. Reopen it first.")
            raise RefusedError(Code.STATE, text.format(stage=where))
        return
    if where.state != Round.State.CLOSED:
        text = _("Finish and close {round} first.")
        raise RefusedError(Code.OPEN_ROUND, text.format(round=where))
    if _find_later_rounds(where).exclude(state=Round.State.DRAFT).exists():
        raise RefusedError(
            Code.BEGUN, _("The next round has been published, so its players can no longer change.")
        )


def _find_later_rounds(played: Round) -> QuerySet[Round]:
    return played.stage.rounds.filter(number__gt=played.number)


def _list_playoffs(where: Stage | Round, rule: CutRule | None) -> tuple[Playoff, ...]:
    """Return the play-off hands for a spot, whether already played or not."""
    if isinstance(where, Stage):
        cut = preview_cut(stage_results(where), rule or rule_of(where))
        return (*cut.playoffs, *cut.played)
    if where.is_final:
        return ()
    following, _drawn = going_on(where)
    return (*following.playoffs, *following.played)


def _get_orders(where: Stage | Round) -> list[list[int]]:
    if isinstance(where, Stage):
        return list(where.playoff)
    return [list(order) for order in where.seating.playoff]


def _store(where: Stage | Round, orders: list[list[int]]) -> None:
    if isinstance(where, Stage):
        where.playoff = orders
        where.save(update_fields=["playoff"])
        return
    where.seating = replace(where.seating, playoff=tuple(map(tuple, orders)))
    where.save(update_fields=["seating"])
    # It was drawn by another order.
    _find_later_rounds(where).delete()
