"""Tests of forecasts of the duration of a round."""

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.rules.ruleset import rulesets
from games.rules.totals import Bounds, explain_impossible_totals
from tournament.pure.simulation.rounds import (
    HumanPace,
    SimulatedMatch,
    forecast_round,
    percentile,
    play_match,
)


@pytest.mark.parametrize(("ruleset", "seats"), [(key, 3) for key in rulesets.RULE_SETS])
def test_match_of_every_rule_set_ends_at_its_target(ruleset: str, seats: int) -> None:
    rs = rulesets.make(ruleset, {"target": 60})
    match = play_match(rs, seats, "key")
    assert max(match.totals) >= 60
    assert match.actions > match.hands >= 1
    assert play_match(rs, seats, "key") == match


@pytest.mark.parametrize(
    "options", [{"scoring": "lowest"}, {"scoring": "elimination"}, {"partners": True}]
)
def test_match_with_another_scoring_ends_at_its_target(options: dict[str, Any]) -> None:
    rs = rulesets.make("uno-500", {"target": 100, **options})
    match = play_match(rs, 4, "key")
    reached = sum(total >= 100 for total in match.totals)
    assert reached == 3 if options.get("scoring") == "elimination" else reached >= 1


def test_hand_limit_ends_a_match() -> None:
    assert play_match(rulesets.make("uno-500"), 4, "key", hand_limit=2).hands == 2


def test_too_many_seats_are_refused() -> None:
    with pytest.raises(rulesets.OptionError, match="These rules are for 2 to 10 players, not 11"):
        play_match(rulesets.make("uno-500"), 11, "key")


def test_minutes_include_actions_and_pauses_between_hands() -> None:
    assert HumanPace(action=6, between=30).minutes(SimulatedMatch(3, 100, (0, 0))) == 11


def test_duration_of_a_round_depends_on_its_slowest_table() -> None:
    rs = rulesets.make("uno-500", {"target": 100})
    found = forecast_round(rs, 4, 10, matches=12)
    assert found.hands[0] <= found.hands[1] <= found.hands[2]
    assert found.minutes[0] <= found.minutes[1] <= found.slowest
    assert 0 <= found.pointless <= 1
    alone = forecast_round(rs, 4, 1, matches=12)
    assert (alone.minutes, alone.slowest) == (found.minutes, found.minutes[1])


def test_percentiles_are_interpolated_linearly() -> None:
    assert [percentile([1, 2, 4], part) for part in (0, 0.25, 0.5, 0.75, 1)] == [1, 1.5, 2, 3, 4]
    assert percentile([7], 0.95) == 7


def test_command_prints_a_line_for_each_table_size_and_target() -> None:
    out = io.StringIO()
    call_command("plan_event", "uno-400", "--tables-of", "3", "4", "--targets", "40", "80",
                 "--matches", "2", "--players", "22", stdout=out)  # fmt: skip
    rows = [line.split() for line in out.getvalue().splitlines()[1:]]
    assert [row[:3] for row in rows] == [
        ["3", "40", "7"], ["3", "80", "7"], ["4", "40", "6"], ["4", "80", "6"]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nope"], "There is no rule set 'nope'"),
        (["uno-400", "--tables-of", "11"], "These rules are for 2 to 10 players, not 11"),
        (["uno-400", "--players", "1"], "A table needs at least 2 players; there are 1"),
        (["uno-400", "--matches", "0"], "A forecast needs at least one match"),
    ],
)
def test_command_reports_invalid_input(arguments: list[str], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("plan_event", *arguments)


@pytest.mark.parametrize("rules", list(rulesets.RULE_SETS))
@pytest.mark.parametrize("seats", [2, 4])
def test_totals_of_a_played_match_are_possible(rules: str, seats: int) -> None:
    rs = rulesets.make(rules)
    for number in range(3):
        played = play_match(rs, seats, f"totals/{number}", hand_limit=3)
        assert explain_impossible_totals(rs, played.totals, Bounds(3)) == ""
