"""Rulings for tests: a running round, and decisions of an organizer about its players."""

from typing import Any

from tests.factories import make_players
from tests.tournament.helpers import get_refusal_code
from tests.tournament.staging import match_of, organizer_of, running_round
from tournament.models import Event, Registration, Round, Ruling, TableSeat
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import rule, undo_ruling


def make_round_with_reserve(**fields: Any) -> Round:
    """Start a round with four players at a table and a fifth player without a seat."""
    running = running_round(4, **fields)
    make_players(running.stage.event, 1)
    return running


def get_event(round_: Round) -> Event:
    return Event.objects.get(pk=round_.stage.event_id)


def get_seat(round_: Round, number: int = 0) -> TableSeat:
    return TableSeat.objects.get(table__round=round_, table__number=1, number=number)


def get_player(round_: Round, number: int = 0) -> Registration:
    registration = get_seat(round_, number).registration
    assert registration is not None
    return registration


def get_reserve(round_: Round) -> Registration:
    return round_.stage.event.registrations.get(seats=None)


def make_ruling(round_: Round, kind: str, number: int = 0, **more: Any) -> Ruling:
    event = get_event(round_)
    reason = more.pop("reason", "Seen by the referee.")
    rule(
        event, organizer_of(event), RulingRequest(kind, get_player(round_, number), **more), reason
    )
    return event.rulings.latest("pk")


def undo_ruling_as_organizer(ruling: Ruling) -> None:
    fresh = Ruling.objects.get(pk=ruling.pk)
    undo_ruling(fresh, organizer_of(fresh.event), "A mistake.")


def get_ruling_refusal_code(round_: Round, kind: str, number: int = 0, **more: Any) -> str:
    event = get_event(round_)
    wanted = RulingRequest(kind, get_player(round_, number), **more)
    return get_refusal_code(rule, event, organizer_of(event), wanted, "Because.")


def get_match_seat(round_: Round, number: int = 0) -> Any:
    return match_of(get_seat(round_).table).seats.get(number=number)
