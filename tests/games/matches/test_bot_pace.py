"""Tests of the bots' thinking time, and of a strong bot at a live table."""

from random import Random

import pytest

from games import services
from games.matches import bot_pace
from games.matches.bot_pace import (
    MAX_SAVED,
    MAX_SECONDS,
    MIN_SECONDS,
    SHARE,
    Budget,
    build_time_check,
)
from games.models import Match
from tests.games.helpers import begin, get_time_after_due, list_log
from tests.rules.table import make_position


class SettableClock:
    """Clock that the test can set."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_single_table_gets_all_the_bot_time_it_needs() -> None:
    clock = SettableClock()
    budget = Budget(clock)
    for _ in range(20):
        assert budget.take() == MAX_SECONDS
        budget.refund(MAX_SECONDS - 0.03)
        clock.now += 1


def test_bot_time_per_table_shrinks_with_more_tables_and_stays_within_the_share() -> None:
    clock = SettableClock()
    budget = Budget(clock)
    taken = []
    for _ in range(1000):
        taken.append(budget.take())
        clock.now += 1 / 50
    assert sum(taken[500:]) / 10 == pytest.approx(SHARE, rel=0.01)
    assert max(taken[500:]) < MAX_SECONDS / 5


def test_simultaneous_decisions_get_at_least_the_minimum_bot_time() -> None:
    budget = Budget(SettableClock())
    taken = [budget.take() for _ in range(20)]
    assert taken[0] == MAX_SECONDS
    assert taken[-1] == MIN_SECONDS
    assert sum(taken) < MAX_SAVED + 20 * MIN_SECONDS


def test_bot_time_expires() -> None:
    assert build_time_check(60)() is True
    assert build_time_check(0)() is False


def test_unused_bot_time_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget(SettableClock())
    monkeypatch.setattr(bot_pace, "Budget", lambda: budget)
    hand = make_position("uno-400", "R5 R7 R8|Y1 Y2", top="R7")
    for _ in range(50):
        bot_pace.choose_in_time(hand.view(0), hand.rs, "plain", Random(1))
    assert budget.take() == pytest.approx(MAX_SECONDS, rel=0.2)


@pytest.mark.django_db
@pytest.mark.usefixtures("remove_grace_period")
def test_strong_bot_plays_at_a_live_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_pace, "Budget", lambda: Budget(SettableClock()))
    match = begin(["R1 R2 B3", "R3 R4 G5"], "R5", "R9 G1")
    Match.objects.get(pk=match.pk).seats.filter(number=1).update(bot="strong", user=None)
    services.tick(get_time_after_due(match, 1))
    match.refresh_from_db()
    services.tick(get_time_after_due(match, 1))
    seats = {(seat, auto) for seat, _, auto in list_log(match)}
    assert seats >= {(0, "timeout"), (1, "bot")}
