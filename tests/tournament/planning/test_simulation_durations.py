"""Tests that simulated durations match those of matches played through the services."""

from datetime import datetime, timedelta
from random import Random
from statistics import mean, median

import pytest

from games import services
from games.models import Match
from games.rules.ruleset import rulesets
from tests.games.helpers import make_match
from tournament.pure.simulation.hands import HandPool
from tournament.pure.simulation.matches import MatchSampler, PlannedLimits
from tournament.pure.simulation.rounds import HumanPace

RULES, TARGET, SEATS = "uno-400", 60, 4
BOT_SECONDS, BETWEEN = 1.2, 12


def play_bot_match() -> float:
    """Play a match of bots without waiting in real time, and return its length in minutes."""
    pace = {"bot_seconds": BOT_SECONDS, "between_seconds": BETWEEN}
    options = {"target": TARGET}
    match = make_match(RULES, people=0, bots=SEATS, options=options, **pace)
    match = services.start_match(match)
    started = match.started_at
    assert started is not None
    return (run_until_end(match) - started) / timedelta(minutes=1)


def run_until_end(match: Match) -> datetime:
    """Run each due step at its due time until the match is over, and return the end."""
    rows = Match.objects.filter(pk=match.pk)
    now = match.due
    while (due := rows.values_list("version", "due").get())[1] is not None:
        version, now = due
        services.run_due_step(match.pk, version, now)
    assert now is not None
    return now


@pytest.mark.slow
@pytest.mark.patient
@pytest.mark.django_db
def test_simulated_durations_match_those_of_played_matches(
    request: pytest.FixtureRequest,
) -> None:
    long = request.config.getoption("--long")
    played = [play_bot_match() for _ in range(200 if long else 6)]
    rng = Random(1)
    pace = HumanPace(action=BOT_SECONDS, between=BETWEEN)
    rules = rulesets.make(RULES, {"target": TARGET})
    drawn = MatchSampler(HandPool(rules, rng), pace, PlannedLimits(), rng)
    planned = [drawn.sample_match(SEATS).minutes for _ in range(2000)]
    figures = [(mean(planned), mean(played)), (median(planned), median(played))]
    for found, true in figures:
        assert found == pytest.approx(true, rel=0.15 if long else 0.6), figures
    if long:
        request.node.add_report_section("call", "minutes", repr(figures))
