"""The actions that organizers can take now at a table or on a round.

All the rules are here, so that templates only display the result.
"""

from dataclasses import dataclass

from django.utils import timezone

from games.models import Match
from tournament.hall.queries import PARTNERS_AT_A_TABLE, table_state
from tournament.models import Event, Result, Round, Stage, Table, TableSeat
from tournament.people.presence import is_present
from tournament.results.queries import rules_of
from tournament.results.table_result import TableResult
from tournament.results.table_state import TableState
from tournament.seating.queries import SeatingReview
from tournament.stages.cut import BEGUN


@dataclass(frozen=True)
class TableActions:
    """The actions that an organizer can take at a table now.

    * `live`: whether the match is in progress, so that no result can be entered.
    * `enter`: whether points can be entered.
    * `reason_needed`: whether entering points requires a reason.
    * `time`: whether the match can be given extra time.
    * `abandon`: whether the match can be abandoned.
    * `medium`: whether the table can switch between physical cards and the site.
    """

    state: TableState
    live: bool
    enter: bool
    reason_needed: bool
    time: bool
    abandon: bool
    medium: bool


def find_table_actions(result: TableResult, waiting: Result | None) -> TableActions:
    """Return the actions that an organizer can take at the table now.

    `waiting` is an entered result that is not confirmed yet, or None.
    """
    table, state = result.table, table_state(result)
    live = state.is_live
    return TableActions(
        state=state,
        live=live,
        enter=table.round.state in BEGUN and not live,
        reason_needed=result.final or not table.paper,
        time=not (result.final or table.paper or state == TableState.ABANDONED),
        abandon=table.match is not None and table.match.phase != Match.Phase.OVER,
        medium=not result.final and waiting is None,
    )


@dataclass(frozen=True)
class RoundPageSeat:
    """A seat on a round's page.

    * `explained`: whether the seat has an explanation. Seats of bots and seats in a bracket have
      none.
    * `why`: the explanation, or "" if it was not requested.
    * `is_here`: whether the player has checked in or has the site open.
    """

    seat: TableSeat
    explained: bool
    why: str
    is_here: bool


@dataclass(frozen=True)
class RoundActions:
    """The actions that an organizer can take on a round now.

    * `changeable`: whether players can be moved to other seats.
    * `with_reason`: whether moving players requires a reason.
    * `starting`: whether registration "closes" or "stays" open when the round starts, or "" if
      registration is not open.
    * `despite`: the organizer's reason for publishing seats that break a rule, or "".
    """

    changeable: bool
    with_reason: bool
    starting: str
    despite: str


def find_round_actions(round_: Round) -> RoundActions:
    """Return the actions that an organizer can take on the round now."""
    despite, draft = round_.seating.despite, round_.state == Round.State.DRAFT
    return RoundActions(
        changeable=round_.state in (Round.State.DRAFT, Round.State.PUBLISHED),
        with_reason=round_.state == Round.State.PUBLISHED,
        starting=_get_registration_effect(round_.stage),
        despite=despite.reason if despite and not draft else "",
    )


def _get_registration_effect(stage: Stage) -> str:
    if stage.event.registration_state != "open":
        return ""
    later = stage.event.state == Event.State.RUNNING and stage.format != Stage.Format.BRACKET
    return "stays" if later else "closes"


def list_partner_pairs(table: Table) -> list[tuple[TableSeat, TableSeat]]:
    """Return the pairs of partners at a table, or [] in a game without partners."""
    seats = list(table.seats.all())
    if not rules_of(table.round.stage.event).partners or len(seats) != PARTNERS_AT_A_TABLE:
        return []
    return list(zip(seats[:2], seats[2:], strict=True))


def list_round_page_seats(
    table: Table, review: SeatingReview, player: int | None
) -> list[RoundPageSeat]:
    """Return the seats of a table, with an explanation for the seat of `player`."""
    bracket, now = table.round.stage.format == Stage.Format.BRACKET, timezone.now()
    return [
        RoundPageSeat(
            seat,
            explained=bool(seat.registration_id) and not bracket,
            why=_explain_seat(seat, review, player),
            is_here=is_present(seat.registration, now),
        )
        for seat in table.seats.all()
    ]


def _explain_seat(seat: TableSeat, review: SeatingReview, player: int | None) -> str:
    if player is None or seat.registration_id != player:
        return ""
    try:
        return review.why(player).sentence
    except KeyError:
        return ""  # The player has a seat, but has left the event.
