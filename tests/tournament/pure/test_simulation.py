"""Tests of simulated hands, matches, cuts and events."""

import json
from random import Random
from typing import Any

import pytest

from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import OptionError
from tournament.pure.arrangement import SeatingError
from tournament.pure.simulation.answers import PlanAnswer, summarize_events
from tournament.pure.simulation.events import EventSimulator, SimulatedEvent, measure_pace
from tournament.pure.simulation.hands import HandPool, SimulatedHand, play_hand
from tournament.pure.simulation.matches import MatchProgress, MatchSampler, PlannedLimits
from tournament.pure.simulation.places import select_best
from tournament.pure.simulation.questions import Planner, Question
from tournament.pure.simulation.rounds import HumanPace
from tournament.pure.simulation.scenarios import PlannedEvent, PlannedStage

SHORT_MATCH = {"target": 60}


@pytest.fixture(autouse=True)
def use_small_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.pure.simulation.matches.POOL_SIZE", 12)


def make_hands(count: int = 12, **options: Any) -> HandPool:
    return HandPool(rulesets.make("uno-400", SHORT_MATCH | options), Random(1), count)


def make_sampler(limits: PlannedLimits | None = None, **options: Any) -> MatchSampler:
    return MatchSampler(make_hands(**options), HumanPace(), limits or PlannedLimits(), Random(2))


def make_planned_event(players: int, *parts: PlannedStage, **settings: Any) -> PlannedEvent:
    fields = {"ruleset": "uno-400", "options": SHORT_MATCH, **settings}
    return PlannedEvent(name="It", players=players, parts=parts or (PlannedStage(),), **fields)


def make_simulator(players: int, *parts: PlannedStage, **settings: Any) -> EventSimulator:
    return EventSimulator(make_planned_event(players, *parts, **settings), HumanPace(), Random(3))


def test_rotation_moves_points_and_winner_to_the_next_seat() -> None:
    hand = SimulatedHand(2, (0, 0, 40), 9)
    assert hand.rotate_seats(1) == SimulatedHand(0, (40, 0, 0), 9)
    assert SimulatedHand(None, (0, 0), 9).rotate_seats(1) == SimulatedHand(None, (0, 0), 9)


def test_hand_of_every_rule_set_is_played_to_its_end() -> None:
    for key in rulesets.RULE_SETS:
        hand = play_hand(rulesets.make(key), 3, 0, Random(4))
        assert (len(hand.points), hand.actions > 3) == (3, True)


def test_hand_with_too_many_seats_is_refused() -> None:
    with pytest.raises(OptionError, match="These rules are for 2 to 10 players, not 11"):
        make_hands().list_hands(11)


def test_hands_are_simulated_once_for_each_number_of_seats() -> None:
    pool = make_hands()
    assert pool.list_hands(3) is pool.list_hands(3)
    assert pool.average_actions(3) == sum(hand.actions for hand in pool.list_hands(3)) / 12


def test_strongest_player_wins_in_proportion_to_their_edge() -> None:
    pool = make_hands(40)
    won = [pool.draw_biased_hand(1, 4, 3.0).winner for _ in range(4000)]
    assert won.count(1) / 4000 == pytest.approx(0.5, abs=0.04)
    assert won.count(0) / 4000 == pytest.approx(1 / 6, abs=0.04)


def test_match_ends_at_the_target_the_hand_limit_or_the_end_of_the_round() -> None:
    assert max(make_sampler().sample_match(4).totals) >= 60
    two = make_sampler(PlannedLimits(hands=2), target=100_000).sample_match(4)
    one = make_sampler(PlannedLimits(minutes=0.01), target=100_000).sample_match(4)
    assert two.minutes > one.minutes > 0
    assert make_sampler().play_to_end(4, MatchProgress(left=0.0)).minutes == 0


def test_match_continues_from_its_current_points() -> None:
    started = MatchProgress(hands=((59, 0, 0, 0), (0, 59, 0, 0)))
    ended = make_sampler().play_to_end(4, started)
    assert sum(ended.totals) > 118
    over = MatchProgress(hands=((60, 0, 0, 0),))
    assert make_sampler().play_to_end(4, over).totals == (60, 0, 0, 0)


def test_eliminated_player_plays_no_further_hand() -> None:
    found = make_sampler(scoring="elimination")
    ended = found.play_to_end(3, MatchProgress(hands=((60, 0, 1),)))
    assert ended.totals[0] == 60
    assert sum(total >= 60 for total in ended.totals) == 2


@pytest.mark.parametrize(
    ("places", "together", "count", "level"),
    [(1, False, 1, False), (2, False, 2, True), (2, True, 3, True), (4, False, 4, False)],
)
def test_tie_at_the_cut_is_reported(places: int, together: bool, count: int, level: bool) -> None:
    found = select_best({1: 50, 2: 30, 3: 30, 4: 10}, places, Random(5), together=together)
    assert (len(found[0]), found[0][0], found[1]) == (count, 1, level)


def test_no_player_is_selected_if_there_are_no_spots() -> None:
    assert select_best({1: 50}, 0, Random(5)) == ([], False)


def test_pauses_occur_only_between_rounds() -> None:
    one, two = (
        EventSimulator(make_planned_event(8, PlannedStage(rounds=n)), HumanPace(0, 0), Random(3))
        for n in (1, 2)
    )
    assert (one.simulate_event().minutes, two.simulate_event().minutes) == (0, 10)


@pytest.mark.parametrize(
    "parts",
    [
        (PlannedStage(rounds=2, rule="number", value=4), PlannedStage(format="bracket")),
        (PlannedStage(rule="share", value=50, ties="lots"), PlannedStage(by_points=True, rounds=2)),
        (PlannedStage(rule="top_k", value=1), PlannedStage(format="bracket")),
        (PlannedStage(format="bracket", advance=1),),
        (PlannedStage(rule="thresholds", thresholds="10: 5"), PlannedStage()),
    ],
)
def test_event_of_every_format_ends(parts: tuple[PlannedStage, ...]) -> None:
    found = [make_simulator(11, *parts).simulate_event() for _ in range(3)]
    assert all(day.minutes > 0 for day in found)


def test_event_without_a_cut_has_a_winner() -> None:
    played = make_simulator(6, PlannedStage(rounds=1))
    found = [played.simulate_event() for _ in range(300)]
    assert sum(day.first for day in found) / 300 == pytest.approx(0.2, abs=0.12)
    assert not any(day.through or day.level for day in found)


def test_standings_decide_if_turnout_is_too_low() -> None:
    played = make_simulator(6, PlannedStage(thresholds="17: 8"), PlannedStage(format="bracket"))
    found = [played.simulate_event() for _ in range(300)]
    assert sum(day.first for day in found) / 300 == pytest.approx(0.2, abs=0.12)
    assert not any(day.through for day in found)


def test_rotation_of_four_players_has_three_rounds() -> None:
    rotation = make_simulator(
        4, PlannedStage(rotation=True), options={"partners": True, "target": 1}, hand_limit=1
    )
    rotation.pause = 1000
    assert 2000 < rotation.simulate_event().minutes < 3000


def test_rotation_of_too_many_players_is_refused() -> None:
    with pytest.raises(SeatingError, match="here are 30"):
        make_simulator(30, PlannedStage(rotation=True)).simulate_event()


def test_duration_during_an_event_counts_only_future_play() -> None:
    slow = MatchProgress(hands=(), minutes=0)
    rest = EventSimulator(
        make_planned_event(4, PlannedStage(rounds=2)),
        HumanPace(),
        Random(3),
        in_progress=[(4, slow)],
        rounds_begun=2,
        pause=7,
    )
    assert 0 < rest.simulate_event().minutes < 60
    more = EventSimulator(
        make_planned_event(4, PlannedStage(rounds=3)),
        HumanPace(0, 0),
        Random(3),
        in_progress=[(4, slow)],
        rounds_begun=2,
        pause=7,
    )
    assert more.simulate_event().minutes == 7


def test_bracket_in_progress_continues_with_the_advancing_players() -> None:
    part = PlannedStage(format="bracket", advance=2)
    stand = [(4, MatchProgress())] * 4
    rest = EventSimulator(
        make_planned_event(16, part),
        HumanPace(0, 0),
        Random(3),
        in_progress=stand,
        rounds_begun=1,
        pause=1,
    )
    assert rest.simulate_event().minutes == 2


def test_pace_is_measured_at_tables_with_finished_hands() -> None:
    asked, usual = make_planned_event(4), HumanPace()
    assert measure_pace(usual, asked, [(4, MatchProgress())], Random(1)) == usual
    fast = measure_pace(
        usual, asked, [(4, MatchProgress(hands=((1, 0, 0, 0),), minutes=1.0))], Random(1)
    )
    slow = measure_pace(
        usual, asked, [(4, MatchProgress(hands=((1, 0, 0, 0),), minutes=2.0))], Random(1)
    )
    assert slow.action == pytest.approx(2 * fast.action)
    assert slow.between == usual.between


def test_answer_summarizes_the_simulated_events() -> None:
    found = summarize_events(
        "It", [SimulatedEvent(11, True, True, False), SimulatedEvent(19, False, True, True)], 15
    )
    assert (found.median, found.late, found.level) == (15, 0.5, 0.5)
    assert (found.through, found.first) == (1.0, 0.5)
    assert found.bars == ((10, 1), (15, 1))
    assert PlanAnswer.from_json(found.to_json() | {"bars": [[10, 1], [15, 1]]}) == found


def test_same_key_gives_the_same_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tournament.pure.simulation.questions.EVENTS", 3)
    stand = ((4, MatchProgress(hands=((5, 0, 0, 0),), minutes=3.0, left=10.0)),)
    asked = Question((make_planned_event(8), make_planned_event(5)), 60, stand=stand, begun=1)
    first, again = Planner(asked, Random(6)), Planner(asked, Random(6))
    assert list(first.simulate()) == [1, 2, 3, 4, 5, 6]
    assert list(again.simulate())[-1] == asked.total
    assert first.answers == again.answers
    assert len(first.answers) == 2


def test_question_survives_a_json_round_trip() -> None:
    stand = ((4, MatchProgress(hands=((5, 0, 0, 0),), minutes=3.0, left=10.0)),)
    asked = Question(
        (make_planned_event(8, PlannedStage(), PlannedStage(format="bracket")),),
        60,
        stand=stand,
        begun=1,
    )
    assert Question.from_json(json.loads(json.dumps(asked.to_json()))) == asked
