"""Rows that an earlier version of the site wrote stay what they were."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from games import services
from games.models import LoggedAction, Match
from games.process import here
from games.seats import SeatNumber
from tests.games.helpers import begin, log

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]

BEFORE = "0004_races"


@pytest.fixture
def before() -> Iterator[None]:
    """The tables as they were while the log called players seats."""
    yield
    migrate_to_now()


def migrate(name: str) -> None:
    here().close()
    MigrationExecutor(connection).migrate([("games", name)])


def migrate_to_now() -> None:
    """Events too: what they keep of matches may need columns of today."""
    here().close()
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


def execute(sql: str, *values: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, values)


def as_json(data: Any) -> Any:
    return connection.ops.adapt_json_value(data, None)


def in_a_race() -> Match:
    """Player 0 has said no UNO; player 2's catch waits."""
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4")
    services.act(match.pk, SeatNumber(0), {"play": "R1"}, version=1, client_id="play")
    with pytest.raises(services.Later):
        services.act(match.pk, SeatNumber(2), {"catch": 0}, version=2, client_id="catch")
    return match


@pytest.mark.usefixtures("before")
def test_what_stood_before_is_what_it_was() -> None:
    """One way back and forth for all of them: it takes seconds."""
    named, undecided, decided = in_a_race(), in_a_race(), in_a_race()
    hand = decided.hands.get().pk
    migrate(BEFORE)
    with connection.cursor() as cursor:
        cursor.execute("SELECT seat, client_id FROM games_action ORDER BY id")
        assert cursor.fetchall() == [(0, "play")] * 3
    at = round(timezone.now().timestamp() * 1000)
    write_race_that_waits(undecided, at)
    write_race_that_is_over(decided, hand)
    migrate_to_now()
    the_log_names_the_players_that_it_called_seats(named)
    a_race_is_decided_and_its_loser_hears_why(undecided)
    who_lost_a_race_still_hears_by_how_much(decided)


def write_race_that_waits(match: Match, at: int) -> None:
    race = {
        "of": 0,
        "since": at,
        "until": at + 400,
        "earliest": {"call": at - 900, "catch": at - 900},
        "claims": [claim(2, {"catch": 0}, at, "catch"), claim(0, {"call": True}, at, "call")],
    }
    execute("UPDATE games_match SET race = %s WHERE id = %s", as_json({"0": race}), match.pk)


def write_race_that_is_over(match: Match, hand: int) -> None:
    first = claim(0, {"call": True}, 1000, "call") | {"compensated": 1000}
    second = claim(2, {"catch": 0}, 1120, "catch") | {"compensated": 1120}
    timing = {"of": 0, "window_ms": 400, "claims": [first, second]}
    execute("UPDATE games_action SET timing = %s WHERE hand_id = %s", as_json(timing), hand)
    execute("UPDATE games_match SET race = %s WHERE id = %s", as_json({}), match.pk)


def the_log_names_the_players_that_it_called_seats(match: Match) -> None:
    assert log(match) == [(0, {"play": "R1"}, "")]
    row = LoggedAction.objects.get(hand__match=match)
    row.pk, row.number = None, 2
    with pytest.raises(IntegrityError):
        row.save(force_insert=True)


def a_race_is_decided_and_its_loser_hears_why(match: Match) -> None:
    now = timezone.now() + timedelta(seconds=1)
    call, catch = {"call": True}, {"catch": 0}
    ack = services.act(match.pk, SeatNumber(0), call, version=2, client_id="call", now=now)
    assert ack == services.Ack(3, repeated=True)
    with pytest.raises(services.Refused) as refused:
        services.act(match.pk, SeatNumber(2), catch, version=2, client_id="catch", now=now)
    assert refused.value.code == "call-first"


def who_lost_a_race_still_hears_by_how_much(match: Match) -> None:
    with pytest.raises(services.Refused) as refused:
        services.act(match.pk, SeatNumber(2), {"draw": True}, version=2, client_id="catch")
    assert refused.value.code == "call-first"
    assert refused.value.sentence.endswith(" said UNO 0.12 s before you.")


def claim(player: int, action: dict[str, Any], at: int, client_id: str) -> dict[str, Any]:
    """As claims were written then."""
    return {
        "seat": player,
        "action": action,
        "received": at,
        "credit": 0,
        "id": client_id,
        "auto": "",
    }
