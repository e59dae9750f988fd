"""Hands that are played for a last place: their order is entered, corrected, taken back.

Kept are whole orders, the latest first: with two wrong entries nobody's order is a mixture.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournament.models import Event, Round, Stage, User
from tournament.qualifying import Playoff
from tournament.queries.cut import CutRule, rule_of
from tournament.queries.results import event_of
from tournament.queries.stage_results import stage_results
from tournament.services.advancing import going_on, preview_cut
from tournament.services.audit import record
from tournament.services.errors import Refused
from tournament.services.locks import lock_event


@transaction.atomic
def set_playoff(
    where: Stage | Round, actor: User, order: Sequence[int], rule: CutRule | None = None
) -> None:
    """Enter the order of a hand, also instead of an earlier one.

    The players are those of one hand for a place of `where`; in a stage by `rule`, else by its own.
    A draft of the next round is dropped. Refused with: order, state, open-round, begun, rule,
    shape, no-result.
    """
    event = _changeable(where)
    hands = [set(playoff.players) for playoff in _playoffs(where, rule)]
    if len(set(order)) < len(order) or set(order) not in hands:
        raise Refused("order", _("Nobody plays such a hand for a place here: look once more."))
    others = [each for each in _orders(where) if set(each) != set(order)]
    _store(where, [list(order), *others])

    def text() -> str:
        return _("Entered the order of a hand for {where}.").format(where=where)

    record(event, actor, "playoff", text, order=list(order))


@transaction.atomic
def take_back_playoff(where: Stage | Round, actor: User, players: Collection[int]) -> None:
    """Open a hand for a place again. Refused with: order, state, open-round, begun."""
    event = _changeable(where)
    kept = [order for order in _orders(where) if not set(players) <= set(order)]
    if len(kept) == len(_orders(where)):
        raise Refused("order", _("No order has been entered for this hand."))
    _store(where, kept)

    def text() -> str:
        return _("Took back the order of a hand for {where}.").format(where=where)

    record(event, actor, "playoff", text, players=sorted(players))


def _changeable(where: Stage | Round) -> Event:
    """The event, locked, once nothing that has been published depends on the hand."""
    event = lock_event(event_of(where))
    # Another organizer may have entered an order since this page was opened.
    where.refresh_from_db()
    if isinstance(where, Stage):
        if where.state == Stage.State.CLOSED:
            text = _("{stage} is closed: open it again first.")
            raise Refused("state", text.format(stage=where))
        return event
    if where.state != Round.State.CLOSED:
        text = _("{round} has to be played and closed first.")
        raise Refused("open-round", text.format(round=where))
    if _later(where).exclude(state=Round.State.DRAFT).exists():
        raise Refused("begun", _("The next round is published: its players stay as they are."))
    return event


def _later(played: Round) -> QuerySet[Round]:
    return played.stage.rounds.filter(number__gt=played.number)


def _playoffs(where: Stage | Round, rule: CutRule | None) -> tuple[Playoff, ...]:
    """The hands for a place that are to be played or have been."""
    if isinstance(where, Stage):
        cut = preview_cut(stage_results(where), rule or rule_of(where))
        return (*cut.playoffs, *cut.played)
    if where.is_final:
        return ()
    following, _drawn = going_on(where)
    return (*following.playoffs, *following.played)


def _orders(where: Stage | Round) -> list[list[int]]:
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
    _later(where).delete()
