"""Tests of the chances of advancing."""

import json
import sys
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from games.rules.scoring import MatchScore
from tournament.pure.simulation.chances import StageSimulator, Standing, TableProgress
from tournament.pure.simulation.hands import HandPool, play_hand
from tournament.pure.simulation.matches import MatchProgress
from tournament.pure.simulation.scenarios import PlannedEvent, PlannedStage

FIRST_TWO = PlannedStage(rule="number", value=2, ties="lots")


def make_planned_event(*parts: PlannedStage, **settings: Any) -> PlannedEvent:
    fields = {"ruleset": "uno-400", "options": {"target": 100}, "players": 8, **settings}
    return PlannedEvent(name="It", parts=parts or (FIRST_TWO,), **fields)


def compute_chances(standing: Standing, endings: int = 40) -> dict[int, float]:
    rng = Random(1)
    return compute_all_chances(
        StageSimulator(standing, rng, HandPool(standing.course.rules, rng, 20)), endings
    )


def make_standing(points: Mapping[int, int], *parts: PlannedStage, **more: Any) -> Standing:
    options = more.pop("options", {"target": 100})
    played = more.pop("played", dict.fromkeys(points, 1))
    return Standing(make_planned_event(*parts, options=options), points, played, **more)


@pytest.fixture(autouse=True)
def use_small_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.pure.simulation.matches.POOL_SIZE", 20)


def test_points_decide_if_no_matches_are_left() -> None:
    found = compute_chances(make_standing({1: 30, 2: 50, 3: 40}))
    assert found == {1: 0.0, 2: 1.0, 3: 1.0}


def test_average_points_per_match_decide_if_the_lowest_score_wins() -> None:
    low = {"target": 100, "scoring": "lowest"}
    played = {1: 2, 2: 1, 3: 1, 4: 0}
    found = compute_chances(make_standing({1: 60, 2: 40, 3: 50, 4: 0}, options=low, played=played))
    assert found == {1: 1.0, 2: 1.0, 3: 0.0, 4: 0.0}


def test_tied_players_advance_together_or_by_lots() -> None:
    level = {1: 90, 2: 40, 3: 40}
    together = PlannedStage(rule="number", value=2, ties="together")
    assert set(compute_chances(make_standing(level, together)).values()) == {1.0}
    drawn = compute_chances(make_standing(level), 400)
    assert drawn[1] == 1.0
    assert drawn[2] + drawn[3] == 1.0
    assert drawn[2] == pytest.approx(0.5, abs=0.1)


def test_any_player_can_advance_while_hands_remain_to_be_played() -> None:
    table = TableProgress((1, 2, 3, None), MatchProgress(hands=((90, 0, 0, 0),)))
    running = make_standing(
        {1: 0, 2: 0, 3: 0, 4: 95}, tables=(table,), played={1: 0, 2: 0, 3: 0, 4: 1}
    )
    found = compute_chances(running, 200)
    assert found[1] > found[2] > 0
    assert sum(found.values()) == pytest.approx(2)
    more = compute_chances(make_standing({1: 100, 2: 0, 3: 0, 4: 0}, rounds=2), 200)
    assert 0 < more[2] < more[1] < 1


@pytest.mark.parametrize(
    ("scoring", "hand", "best"), [("winner-takes", (99, 1, 0), 2), ("lowest", (1, 99, 50), 3)]
)
def test_player_who_forfeited_gets_no_points_from_that_match(
    scoring: str, hand: tuple[int, ...], best: int
) -> None:
    table = TableProgress((1, 2, 3), MatchProgress((hand,), left=0), lost=(0,))
    options = {"target": 100, "scoring": scoring}
    one = PlannedStage(rule="number", value=1, ties="lots")
    nobody = dict.fromkeys((1, 2, 3), 0)
    found = compute_chances(
        make_standing(nobody, one, options=options, played=nobody, tables=(table,))
    )
    assert found == {**dict.fromkeys((1, 2, 3), 0.0), best: 1.0}


def test_best_player_of_each_table_in_the_last_round_advances() -> None:
    tables = (
        TableProgress((1, 2), MatchProgress(hands=((100, 0),))),
        TableProgress((3, None), MatchProgress(hands=((0, 100),))),
    )
    nobody = dict.fromkeys((1, 2, 3), 0)
    rule = PlannedStage(rule="top_k", value=1, ties="lots")
    assert compute_chances(make_standing(nobody, rule, tables=tables)) == {1: 1.0, 2: 0.0, 3: 1.0}


def test_round_seated_by_points_is_simulated() -> None:
    part = PlannedStage(rule="number", value=1, by_points=True)
    found = compute_chances(make_standing({n: 50 - n for n in range(8)}, part, rounds=1), 60)
    assert sum(found.values()) >= 1


def compute_bracket_chances(*tables: TableProgress, **part: Any) -> dict[int, float]:
    """Return the chances of the players at these tables to advance from a bracket round."""
    byes = part.pop("byes", 0)
    here = dict.fromkeys([player for table in tables for player in table.players if player], 0)
    rule = PlannedStage(format="bracket", ties="lots", **part)
    return compute_chances(make_standing(here, rule, tables=tables, played=here, byes=byes), 60)


def make_finished_table(players: tuple[int, ...], *points: int) -> TableProgress:
    return TableProgress(players, MatchProgress((points,), left=0))


def test_best_players_of_finished_and_simulated_tables_advance() -> None:
    over = make_finished_table((1, 2, 3, 4), 90, 80, 70, 0)
    playing = TableProgress((5, 6, 7, 8), MatchProgress(hands=((95, 0, 0, 0),)))
    found = compute_bracket_chances(over, playing, advance=2)
    assert [found[player] for player in (1, 2, 3, 4)] == [1.0, 1.0, 0.0, 0.0]
    assert found[5] > found[6] > 0
    assert sum(found.values()) == pytest.approx(4)


def test_best_shares_of_bracket_tables_fill_the_next_round() -> None:
    tables = [make_finished_table((n, n + 1, n + 2), 60, 30 + n, 10 - n) for n in (1, 4, 7)]
    found = compute_bracket_chances(*tables, advance=1)
    assert [player for player, share in found.items() if share] == [1, 4, 7, 8]


def test_bye_takes_a_spot_in_the_next_round() -> None:
    tables = [make_finished_table((n, n + 1, n + 2), 60, 30 + n, 10 - n) for n in (1, 4, 7)]
    found = compute_bracket_chances(*tables, advance=1, byes=1)
    assert [player for player, share in found.items() if share] == [1, 4, 7]


def test_drawn_round_is_simulated_with_its_seats() -> None:
    coming = (((1, 2, 3, 4),), ((1, 3, 2, 4),))
    points = {1: 10_000, 2: 0, 3: 0, 4: 0, 5: 50, 6: 10_000}
    found = compute_chances(
        make_standing(points, options={"partners": True, "target": 100}, coming=coming), 60
    )
    assert (found[1], found[6], found[5]) == (1.0, 1.0, 0.0)
    level = compute_chances(make_standing(dict.fromkeys(range(1, 5), 0), coming=coming[:1]), 100)
    assert sum(level.values()) == pytest.approx(2)


def test_player_without_a_match_ranks_behind_a_player_without_points() -> None:
    first = PlannedStage(rule="number", value=1, ties="lots")
    assert compute_chances(make_standing({1: 0, 2: 0}, first, played={1: 1, 2: 0})) == {
        1: 1.0,
        2: 0.0,
    }


def test_tied_players_at_a_table_advance_together_or_by_lots() -> None:
    table = TableProgress((1, 2, 3), MatchProgress(hands=((100, 0, 0),)))
    found = {}
    for ties in ("together", "lots"):
        rule = PlannedStage(rule="top_k", value=2, ties=ties)
        found[ties] = compute_chances(make_standing({1: 0, 2: 0, 3: 0}, rule, tables=(table,)))
    assert found["together"] == {1: 1.0, 2: 1.0, 3: 1.0}
    assert found["lots"][2] + found["lots"][3] == 1.0


@pytest.mark.parametrize(("value", "through"), [(1, 1), (25, 1), (26, 2), (50, 2), (100, 4)])
def test_share_of_players_is_rounded_up(value: int, through: int) -> None:
    rule = PlannedStage(rule="share", value=value, ties="lots")
    played = {1: 1, 2: 1, 3: 1, 4: 2, 5: 0}
    found = compute_chances(make_standing({1: 4, 2: 3, 3: 2, 4: 1, 5: 0}, rule, played=played))
    assert [player for player, share in found.items() if share == 1.0] == [1, 2, 3, 4][:through]
    assert set(found.values()) <= {0.0, 1.0}


def test_time_limit_ends_a_simulated_match() -> None:
    """Check that no player has more points than one hand can give."""
    running = make_planned_event(options={"target": 100_000}, round_minutes=0.01)
    work = StageSimulator(Standing(running, {1: 0, 2: 5000}, {1: 1, 2: 1}, rounds=1), Random(1))
    work.matches.hands = HandPool(running.rules, Random(1), 5)
    assert compute_all_chances(work, 20) == {1: 1.0, 2: 1.0}
    assert max(max(work.matches.sample_match(2).totals) for _ in range(20)) < 1000


def test_player_who_cannot_advance_takes_no_spot() -> None:
    table = TableProgress((1, 7), MatchProgress(hands=((0, 100),)))
    first = PlannedStage(rule="number", value=1, ties="lots")
    found = compute_chances(
        make_standing({1: 0, 2: 0}, first, tables=(table,), played={1: 0, 2: 0})
    )
    assert found == {1: 1.0, 2: 0.0}


def test_standing_survives_a_json_round_trip() -> None:
    table = TableProgress((1, None), MatchProgress(hands=((5, 0),), minutes=2.0))
    standing = make_standing({1: 4, 3: 5}, tables=(table,), rounds=1, coming=(((1, 3),),), byes=2)
    assert Standing.from_json(json.loads(json.dumps(standing.to_json()))) == standing


def simulate_two_rounds(rng: Random, players: int) -> tuple[Standing, set[int]]:
    """Simulate two rounds at tables of four.

    Returns the standing at a random moment of the second round, and the players who advance after
    that round.
    """
    before, tables = ([play_real_match(rng) for _ in range(players // 4)] for _ in range(2))
    moment, best = rng.randrange(7), rng.randrange(players // 4, players * 2 // 3)
    stand = tuple(
        TableProgress(tuple(range(4 * n, 4 * n + 4)), MatchProgress(tuple(hands[:moment])))
        for n, hands in enumerate(tables)
    )
    points = rng.sample(sum_hands(before), players)
    rule = PlannedStage(rule="number", value=best, ties="lots")
    end = [first + second for first, second in zip(points, sum_hands(tables), strict=True)]
    ranked = sorted(range(players), key=lambda player: (-end[player], rng.random()))
    once = dict.fromkeys(range(players), 1)
    return Standing(make_real_course(rule), dict(enumerate(points)), once, stand), set(
        ranked[:best]
    )


def sum_hands(tables: list[list[tuple[int, ...]]]) -> list[int]:
    return [sum(seat) for hands in tables for seat in zip(*hands, strict=True)]


def make_real_course(part: PlannedStage) -> PlannedEvent:
    return make_planned_event(part, options={"target": 400})


def play_real_match(rng: Random) -> list[tuple[int, ...]]:
    """Play a match, and return the points of its hands."""
    hands: list[tuple[int, ...]] = []
    score = MatchScore(make_real_course(FIRST_TWO).rules, 4)
    while not score.over:
        hands.append(play_hand(score.rs, 4, rng.randrange(4), rng).points)
        score.add(hands[-1])
    return hands


def group_by_tenths(rounds: int, endings: int) -> list[tuple[int, float, float]]:
    """Group players by their chance of advancing, in steps of one tenth.

    For each group, returns the number of players, their mean chance and the share who advanced.
    """
    rng = Random(20)
    hands = HandPool(make_real_course(FIRST_TWO).rules, rng)
    found: list[list[tuple[float, bool]]] = [[] for _ in range(10)]
    for _ in range(rounds):
        standing, through = simulate_two_rounds(rng, 40)
        work = StageSimulator(standing, rng, hands)
        for player, share in compute_all_chances(work, endings).items():
            found[min(9, int(share * 10))].append((share, player in through))
    return [
        (len(part), *(sum(each) / len(part) for each in zip(*part, strict=True))) for part in found
    ]


def compute_all_chances(work: StageSimulator, endings: int) -> dict[int, float]:
    assert list(work.simulate(endings))[-1] == endings
    return work.compute_shares()


@pytest.mark.slow
@pytest.mark.patient
def test_predicted_chances_are_well_calibrated(
    request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    long = request.config.getoption("--long")
    found = group_by_tenths(500, 150) if long else group_by_tenths(12, 40)
    with capsys.disabled():
        for players, result, true in found:
            sys.stdout.write(f"{players:6} {result:6.1%} {true:6.1%}\n")
    assert max(abs(result - true) for _players, result, true in found) < (0.05 if long else 0.35)
