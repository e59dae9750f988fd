"""Events in play whose forecasts contain every kind of chance to advance."""

from collections.abc import Mapping

from django.utils import timezone

from tests.tournament.helpers import (
    first_stage,
    make_organized_event,
    make_second_stage,
    start_drafted_round,
)
from tests.tournament.staging import first_table, play
from tournament.advancing.services import draw_bracket
from tournament.models import Event, Forecast, Round, Stage, TableSeat
from tournament.seating.services import seat_round
from tournament.standings.queries import leaderboard


def make_event_with_close_cut() -> Event:
    """Create an event in which 3 of 8 players advance, with chances of every kind."""
    event, organizer = make_organized_event(8, slug="doubtful", title="Doubtful", hand_limit=2)
    rule = {"qualify_rule": "number", "qualify_value": 3, "rounds_planned": 1}
    Stage.objects.filter(event=event, number=1).update(**rule)
    played = start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    play(first_table(played), hands=1)
    event.refresh_from_db()
    ranked = [row.registration.pk for row in leaderboard(event).rows]
    # Players at different tables need not have chances in the order of their ranks.
    shares = [1.0, 0.6, 0.0, 0.0, 1.0, 0.4, 0.0, 0.0]
    store_forecasts(played, dict(zip(ranked, shares, strict=True)))
    return event


def make_bracket_in_play() -> Event:
    """Create a bracket whose first round, two tables of four, is in play."""
    event, organizer = make_organized_event(8, slug="cup", title="Cup")
    played = start_drafted_round(
        draw_bracket(make_second_stage(event, organizer, 8), organizer), organizer
    )
    seats = TableSeat.objects.filter(table__round=played).order_by("table__number", "number")
    players = [each.registration_id for each in seats if each.registration_id]
    store_forecasts(played, dict(zip(players, [1.0, 0.6, 0.4, 0.0] * 2, strict=True)))
    return event


def store_forecasts(round_: Round, shares: Mapping[int, float]) -> None:
    """Store finished forecasts like the worker.

    `shares` maps each registration to the share of simulated endings in which the player advances.
    """
    now = timezone.now()
    for kind in (Forecast.Kind.PUBLIC, Forecast.Kind.DESK):
        Forecast.objects.create(
            event=round_.stage.event,
            kind=kind,
            ticket=kind,
            question={},
            answer={"stage": round_.stage.number, "shares": shares},
            total=1,
            asked_at=now,
            answered_at=now,
        )
