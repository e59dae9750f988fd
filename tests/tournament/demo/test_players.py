"""Tests that the demo's students continue after a visitor's late call and after errors."""

import logging
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.utils import timezone

from games import services
from games.models import Match
from games.seats import SeatNumber
from tests.games.helpers import begin, list_log
from tests.typed import sure
from tournament.demo import people, players
from tournament.models import User


def make_match_with_late_call() -> tuple[Match, players.Players]:
    """Return a match of three students and a visitor who has just forgotten to call UNO.

    It is the turn of the student after the visitor.
    """
    match = begin(["R1 R2", "R3 R4", "R6 R8", "Y6 Y8"], "R7", "G1 G2 G3 G4 B1 B2")
    for seat in match.seats.all():
        User.objects.filter(pk=sure(seat.user).pk).update(
            username=f"seat{seat.number}@{people.DOMAIN}"
        )
    services.act(match.pk, SeatNumber(0), {"play": "R1"}, version=1, client_id="play")
    return match, players.Players(f"seat0@{people.DOMAIN}")


@pytest.mark.django_db(transaction=True)
def test_students_wait_until_the_visitors_late_call_is_decided() -> None:
    match, students = make_match_with_late_call()
    thought = timezone.now() + timedelta(seconds=5)
    with pytest.raises(services.UndecidedError) as later:
        services.act(
            match.pk, SeatNumber(0), {"call": True}, version=2, client_id="call", now=thought
        )
    assert students.act_where_due(thought) == 0
    assert [seat for seat, _, _ in list_log(match)] == [0]
    assert students.act_where_due(later.value.until) == 1
    assert [seat for seat, _, _ in list_log(match)] == [0, 0, 1]


def run_failing_loop_three_times(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Run the students' loop three times with failing steps, and return the tried steps."""
    tried: list[str] = []
    students = players.Players("nobody")

    def make_failing_step(name: str, error: Exception) -> Callable[..., None]:
        def fail(*_arguments: object) -> None:
            tried.append(name)
            if len(tried) == 9:
                students.ended.set()
            raise error

        return fail

    monkeypatch.setattr(players, "CHECK_SECONDS", 0)
    monkeypatch.setattr(
        students, "mark_present", make_failing_step("be there", DatabaseError("locked"))
    )
    monkeypatch.setattr(students, "act_where_due", make_failing_step("act", RuntimeError("a gap")))
    monkeypatch.setattr(students, "direct_leagues", make_failing_step("direct", AssertionError()))
    students.run()
    return tried


def test_errors_do_not_stop_the_students_or_delay_leagues(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert run_failing_loop_three_times(monkeypatch) == ["be there", "act", "direct"] * 3
    found = [(record.levelno, bool(record.exc_info)) for record in caplog.records]
    unexpected = (logging.ERROR, True)
    assert found == [(logging.WARNING, False), unexpected, unexpected] * 3
