"""Tests of simulated events in which each match is one hand and lasts a minute."""

from random import Random
from typing import Any

import pytest

from tournament.pure.simulation.answers import PlanAnswer, summarize_events
from tournament.pure.simulation.events import EventSimulator, SimulatedEvent, measure_pace
from tournament.pure.simulation.hands import HandPool, SimulatedHand
from tournament.pure.simulation.matches import MatchProgress
from tournament.pure.simulation.questions import Planner, Question
from tournament.pure.simulation.rounds import HumanPace
from tournament.pure.simulation.scenarios import PlannedEvent, PlannedStage

PACE = HumanPace(action=6, between=30)
BRACKET = PlannedStage(format="bracket")


@pytest.fixture(autouse=True)
def replace_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use only hands in which the player in seat 0 scores 100 points in ten actions (a minute)."""

    def play(_rules: object, seats: int, _dealer: int, _rng: Random) -> SimulatedHand:
        return SimulatedHand(0, (100, *[0] * (seats - 1)), 10)

    monkeypatch.setattr("tournament.pure.simulation.hands.play_hand", play)
    monkeypatch.setattr("tournament.pure.simulation.matches.POOL_SIZE", 12)


def make_planned_event(players: int, *parts: PlannedStage, **fields: Any) -> PlannedEvent:
    """Return the plan of an event. Its matches have one hand, unless `fields` has another limit."""
    fields = {"hand_limit": 1, **fields}
    return PlannedEvent(name="It", players=players, ruleset="uno-400", parts=parts, **fields)


def simulate_one_event(
    players: int, *parts: PlannedStage, pause: float = 0, **fields: Any
) -> SimulatedEvent:
    stand, done = fields.pop("stand", ()), fields.pop("done", 0)
    whole = make_planned_event(players, *parts, **fields)
    return EventSimulator(
        whole, PACE, Random(3), pause=pause, in_progress=stand, rounds_begun=done
    ).simulate_event()


def count_rounds(players: int, *parts: PlannedStage, **fields: Any) -> float:
    """Return the number of rounds of a simulated event, in which each round takes a minute."""
    return simulate_one_event(players, *parts, **fields).minutes


@pytest.mark.parametrize(
    ("players", "parts", "count"),
    [
        (8, (PlannedStage(rounds=1),), 1),
        (8, (PlannedStage(rounds=3),), 3),
        (2, (PlannedStage(rounds=2),), 2),
        (8, (BRACKET,), 2),  # 8, 4
        (4, (BRACKET,), 1),
        (5, (BRACKET,), 1),
        (16, (BRACKET,), 3),
        (12, (BRACKET,), 3),  # 6 of 12 advance, and 2 more fill the tables. Then 8, 4.
        (16, (PlannedStage(format="bracket", advance=1),), 2),
        (16, (PlannedStage(rounds=2, rule="number", value=8, ties="lots"), BRACKET), 2 + 2),
        (16, (PlannedStage(rounds=2, rule="share", value=25, ties="lots"), BRACKET), 2 + 1),
        (16, (PlannedStage(rule="top_k", value=1, ties="lots"), BRACKET), 1 + 1),
        (16, (PlannedStage(rule="top_k", value=2, ties="lots"), BRACKET), 1 + 2),
        (
            16,
            (PlannedStage(rule="number", value=1, ties="lots"), BRACKET),
            1,
        ),  # a single player has no opponents, so there is no final
        (16, (PlannedStage(rule="thresholds", thresholds="17: 8"), BRACKET), 1),
        (17, (PlannedStage(rule="thresholds", thresholds="17: 8", ties="lots"), BRACKET), 1 + 2),
        (
            16,
            (
                PlannedStage(rounds=2, rule="share", value=50, ties="lots"),
                PlannedStage(rounds=2, by_points=True, rule="number", value=4, ties="lots"),
                BRACKET,
            ),
            2 + 2 + 1,
        ),
    ],
)
def test_event_has_the_rounds_of_its_stages(
    players: int, parts: tuple[PlannedStage, ...], count: int
) -> None:
    assert count_rounds(players, *parts) == count


def test_rounds_of_a_rotation_depend_on_the_number_of_players() -> None:
    partners = {"partners": True, "target": 100_000}
    assert count_rounds(4, PlannedStage(rotation=True, rounds=9), options=partners) == 3
    assert count_rounds(8, PlannedStage(rotation=True, rounds=1), options=partners) == 7


def test_tie_at_the_cut_can_enlarge_the_next_stage() -> None:
    """Check two tables of four. Two players have points, and the other six are tied behind them."""
    three = PlannedStage(rule="number", value=3, ties="lots")
    together = PlannedStage(rule="number", value=3, ties="together")
    assert count_rounds(8, three, BRACKET) == 1 + 1
    assert count_rounds(8, together, BRACKET) == 1 + 2  # all eight players
    assert simulate_one_event(8, together, BRACKET).through


@pytest.mark.parametrize(("value", "level"), [(1, True), (2, False), (3, True), (7, True)])
def test_tie_at_the_cut_is_reported(value: int, level: bool) -> None:
    cut = PlannedStage(rule="number", value=value, ties="lots")
    assert simulate_one_event(8, cut, BRACKET).level is level


@pytest.mark.parametrize(("value", "level"), [(1, False), (2, True), (3, True)])
def test_tie_at_a_table_depends_only_on_the_points_of_the_table(value: int, level: bool) -> None:
    assert (
        simulate_one_event(
            8, PlannedStage(rule="top_k", value=value, ties="lots"), PlannedStage()
        ).level
        is level
    )


def test_no_tie_is_reported_if_all_players_advance() -> None:
    assert not simulate_one_event(
        8, PlannedStage(rule="number", value=8, ties="lots"), PlannedStage()
    ).level


def test_tie_at_a_bracket_table_is_reported() -> None:
    assert simulate_one_event(8, BRACKET).level
    assert not simulate_one_event(8, PlannedStage(format="bracket", advance=1)).level


def test_tie_at_an_earlier_cut_is_reported() -> None:
    level, clear = (PlannedStage(rule="number", value=n, ties="lots") for n in (3, 1))
    two = PlannedStage(rule="number", value=2, ties="lots")
    assert simulate_one_event(8, level, clear, BRACKET).level
    assert not simulate_one_event(8, two, clear, BRACKET).level


def test_last_stage_has_no_cut() -> None:
    whole = simulate_one_event(8, PlannedStage(rule="number", value=3, ties="lots"))
    assert (whole.level, whole.through) == (False, False)


def test_strongest_player_advances_if_all_players_do() -> None:
    everybody = PlannedStage(rule="share", value=100)
    assert {simulate_one_event(6, everybody, PlannedStage()).through for _ in range(3)} == {True}


def test_players_without_points_advance_if_the_lowest_score_wins() -> None:
    """Check a table of four. Only the winner of the hand has points, so the others are ahead."""
    lowest = {"scoring": "lowest"}
    cut = PlannedStage(rule="number", value=3, ties="lots")
    assert not simulate_one_event(4, cut, PlannedStage(), options=lowest).level
    assert simulate_one_event(4, cut, PlannedStage()).level


# -- the strongest player ----------------------------------------------------------------------


@pytest.fixture
def let_strongest_player_always_win(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the strongest player win every hand."""

    def draw_biased_hand(self: HandPool, strong: int, seats: int, _edge: float) -> SimulatedHand:
        return self.list_hands(seats)[0].rotate_seats(strong)

    monkeypatch.setattr(HandPool, "draw_biased_hand", draw_biased_hand)


def list_strongest_outcomes(
    players: int, *parts: PlannedStage, **fields: Any
) -> set[tuple[bool, bool]]:
    """Return the distinct outcomes (through, first) of the strongest player in thirty events."""
    simulator = EventSimulator(
        make_planned_event(players, *parts, **fields), PACE, Random(3), pause=0
    )
    found = [simulator.simulate_event() for _ in range(30)]
    return {(each.through, each.first) for each in found}


@pytest.mark.usefixtures("let_strongest_player_always_win")
@pytest.mark.parametrize(
    ("players", "parts", "through"),
    [
        (4, (PlannedStage(),), False),  # a single table and no cut
        (16, (PlannedStage(format="bracket", advance=1),), True),
        (16, (PlannedStage(rule="top_k", value=1, ties="lots"), BRACKET), True),
        (
            16,
            (PlannedStage(rounds=2, by_points=True, rule="number", value=1, ties="lots"), BRACKET),
            True,
        ),
        (8, (PlannedStage(rounds=2, by_points=True),), False),
    ],
)
def test_winner_of_every_hand_wins_the_event(
    players: int, parts: tuple[PlannedStage, ...], through: bool
) -> None:
    assert list_strongest_outcomes(players, *parts) == {(through, True)}


@pytest.mark.usefixtures("let_strongest_player_always_win")
def test_players_with_equal_points_must_meet_to_find_a_single_winner() -> None:
    """Check two rounds at two tables.

    If the second round is not seated by points, another player can win the same number of
    hands as the strongest player.
    """
    assert list_strongest_outcomes(8, PlannedStage(rounds=2, by_points=True)) == {(False, True)}
    assert list_strongest_outcomes(8, PlannedStage(rounds=2)) == {(False, True), (False, False)}


@pytest.mark.usefixtures("let_strongest_player_always_win")
def test_winner_of_every_hand_loses_if_the_lowest_score_wins() -> None:
    lowest = {"scoring": "lowest"}
    assert list_strongest_outcomes(4, PlannedStage(), options=lowest) == {(False, False)}
    assert list_strongest_outcomes(16, BRACKET, options=lowest) == {(False, False)}


def test_any_player_can_finish_first() -> None:
    assert list_strongest_outcomes(4, PlannedStage()) == {(False, True), (False, False)}


def test_two_advancing_players_play_a_final() -> None:
    assert count_rounds(8, PlannedStage(rule="number", value=2, ties="lots"), BRACKET) == 1 + 1


# -- duration ----------------------------------------------------------------------------------


def test_round_lasts_as_long_as_its_slowest_table() -> None:
    stand = [(4, MatchProgress(hands=((0, 0, 0, 0),) * n)) for n in (0, 1, 2)]
    # Hands still to play: three at the first table (1 + 1.5 + 1.5 minutes), two, and one.
    assert count_rounds(12, PlannedStage(), stand=stand, done=1, hand_limit=3) == 4
    assert count_rounds(12, PlannedStage(), stand=stand[1:], done=1, hand_limit=3) == 3


@pytest.mark.parametrize(
    ("done", "stand", "minutes"),
    [
        (0, [], 3 + 2 * 100),
        (1, [], 2 + 1 * 100),
        (1, [(4, MatchProgress())], 1 + 2 + 2 * 100),
        (3, [(4, MatchProgress())], 1),
        (3, [(4, MatchProgress(hands=((0, 0, 0, 0),)))], 0),
    ],
)
def test_rounds_are_separated_by_a_pause(
    done: int, stand: list[tuple[int, MatchProgress]], minutes: float
) -> None:
    assert count_rounds(8, PlannedStage(rounds=3), pause=100, done=done, stand=stand) == minutes


def test_started_rounds_count_toward_the_first_stage() -> None:
    parts = PlannedStage(rounds=2, rule="number", value=4, ties="lots"), PlannedStage(rounds=2)
    assert count_rounds(8, *parts, stand=[(4, MatchProgress())], done=1) == 1 + 1 + 2


def test_bracket_continues_after_the_round_in_progress() -> None:
    stand = [(4, MatchProgress())] * 4
    assert count_rounds(16, BRACKET, stand=stand, done=1) == 1 + 2
    assert count_rounds(4, BRACKET, stand=stand[:1], done=1) == 1  # this round is the final


# -- the pace ----------------------------------------------------------------------------------


def make_progress(hands: int, minutes: float) -> MatchProgress:
    return MatchProgress(hands=((0, 0, 0, 0),) * hands, minutes=minutes)


@pytest.mark.parametrize(
    ("stand", "action"),
    [
        ([], 6),
        ([(4, make_progress(0, 3.0))], 6),
        ([(4, make_progress(1, 0.0))], 6),
        ([(4, make_progress(1, 2.0))], 12),
        ([(4, make_progress(3, 6.0))], (360 - 60) / 30),
        (
            [(4, make_progress(1, 2.0)), (4, make_progress(0, 50.0)), (3, make_progress(1, 1.0))],
            (120 + 60) / 20,
        ),
        ([(4, make_progress(3, 1.0))], 0.5),  # at least half a second, because a clock was wrong
    ],
)
def test_pace_is_measured_without_the_pauses_between_hands(
    stand: list[tuple[int, MatchProgress]], action: float
) -> None:
    assert measure_pace(PACE, make_planned_event(8, PlannedStage()), stand, Random(1)) == HumanPace(
        action, 30
    )


# -- answers -----------------------------------------------------------------------------------


def make_simulated_event(
    minutes: float, *, level: bool = False, through: bool = False, first: bool = False
) -> SimulatedEvent:
    return SimulatedEvent(minutes, level, through, first)


def test_answer_has_the_percentiles_and_shares_of_the_events() -> None:
    days = [
        make_simulated_event(minutes, level=minutes > 90, first=minutes < 30)
        for minutes in range(100, -1, -5)
    ]
    found = summarize_events("It", days, 50)
    assert found == PlanAnswer(
        name="It",
        median=50,
        most=90,
        late=10 / 21,
        level=2 / 21,
        through=0,
        first=6 / 21,
        bars=tuple((start, 1) for start in range(0, 101, 5)),
    )


def test_event_that_ends_exactly_on_time_is_not_late() -> None:
    assert summarize_events("It", [make_simulated_event(60)], 60).late == 0
    assert summarize_events("It", [make_simulated_event(60.5)], 60).late == 1


@pytest.mark.parametrize(("minutes", "bar"), [(0, 0), (4.99, 0), (5, 5), (9.5, 5), (10, 10)])
def test_each_bar_covers_five_minutes(minutes: float, bar: int) -> None:
    assert summarize_events("It", [make_simulated_event(minutes)] * 2, 60).bars == ((bar, 2),)


def test_each_course_of_a_question_gets_an_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tournament.pure.simulation.questions.EVENTS", 2)
    short, long = (make_planned_event(8, PlannedStage(rounds=n)) for n in (1, 4))
    asked = Question((short, long), minutes=30, pace=PACE, pause=10)
    assert asked.total == 4
    work = Planner(asked, Random(1))
    assert list(work.simulate()) == [1, 2, 3, 4]
    assert [(each.median, each.late) for each in work.answers] == [(1, 0), (34, 1)]


def test_forecast_during_an_event_uses_the_measured_pace(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tournament.pure.simulation.questions.EVENTS", 1)
    whole = make_planned_event(4, PlannedStage(rounds=2), hand_limit=2)
    asked = Question((whole,), 30, PACE, 10, stand=((4, make_progress(1, 3.0)),), begun=1)
    work = Planner(asked, Random(1))
    list(work.simulate())
    # At three minutes per hand: the second hand, the pause, and another match of two hands.
    assert work.answers[0].median == (0.5 + 3) + 10 + (3 + 0.5 + 3)
