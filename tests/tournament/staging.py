"""Events for page tests, brought to a certain state by the organizers' services."""

from typing import Any
from unittest import mock

from games import services as games
from games.models import Match
from tests.factories import make_event, make_organizer, make_players
from tournament.models import Event, Round, Stage, Table, User
from tournament.rounds.services import start_round
from tournament.seating.services import publish_round, seat_round


def make_stage(event: Event, number: int = 1, **fields: Any) -> Stage:
    defaults = {"title": "First round", "state": Stage.State.OPEN}
    return Stage.objects.create(event=event, number=number, **(defaults | fields))


def published_round(players: int = 4, **fields: Any) -> Round:
    """Create an event with a round whose seats are published.

    `fields` set fields of the event.
    """
    event = make_event(**fields)
    make_players(event, players)
    organizer = make_organizer(event)
    return publish_round(seat_round(make_stage(event), organizer), organizer)


def running_round(players: int = 4, **fields: Any) -> Round:
    """Create an event with a round that has started.

    Like `published_round`, but each table has a live match. The deals do not wait for players'
    shares.
    """
    published = published_round(players, **fields)
    with mock.patch.object(games, "SHARE_SECONDS", 0):
        return start_round(published, organizer_of(published.stage.event))


def play(table: Table, hands: int | None = None) -> Table:
    """Play the table's match to its end, or play `hands` more hands of the match."""
    table.refresh_from_db()
    games.play_out(match_of(table), hands=hands)
    return table


def match_of(table: Table) -> Match:
    """Return the live match of a table that is played in the browser."""
    assert table.match is not None
    return table.match


def organizer_of(event: Event) -> User:
    return event.organizers.get()


def first_table(round_: Round) -> Table:
    return round_.tables.order_by("number")[0]


def player_at(table: Table) -> User:
    """Return the player in the first seat of the table."""
    registration = table.seats.order_by("number")[0].registration
    assert registration is not None
    return registration.user
