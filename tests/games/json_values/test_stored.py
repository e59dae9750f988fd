"""Tests that values of JSON columns survive a round trip, and that old rows remain readable."""

from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from games.json_values.event_context import ROUND_LABELS, Occasion
from games.json_values.race import Claim, Race, Races, TimedClaim, Timing
from games.json_values.state import LiveState, LogNote
from games.json_values.submitted_action import SubmittedAction
from games.models import Match
from games.process import here
from games.rules.actions.actions import CALL, Action
from games.seats import PlayerIndex, SeatNumber
from tests.games.helpers import act, begin

times = st.dictionaries(st.integers(0, 9), st.integers(0, 10**6))
states = st.builds(
    LiveState,
    position=st.none() | st.just({"turn": 1}),
    hand=st.none() | st.integers(1, 99),
    dealt=st.integers(0, 999),
    turn_seat=st.none() | st.integers(0, 9),
    banks=times,
    away=times,
    lag=times,
    resumed=st.none() | st.integers(0, 10**13),
    deserted=st.booleans(),
    lost=times,
    quiet=st.lists(st.integers(0, 999)).map(tuple),
    notes=st.lists(
        st.builds(
            LogNote,
            st.integers(0, 9),
            st.integers(0, 9),
            st.text(),
            st.dictionaries(st.text(), st.integers(0, 999) | st.text()),
        )
    ).map(tuple),
)


@given(states)
def test_state_survives_a_round_trip(state: LiveState) -> None:
    assert LiveState.from_json(state.to_json()) == state


def test_state_stored_before_version_numbers_is_read() -> None:
    old = {
        "position": {"turn": 1},
        "hand": 2,
        "dealt": 7,
        "turn_seat": 3,
        "banks": {"3": 1500},
        "deserted": True,
        "notes": [{"after": 1, "place": 0, "text": "Dealt again."}],
    }
    assert LiveState.from_json(old) == LiveState(
        position={"turn": 1},
        hand=2,
        dealt=7,
        turn_seat=SeatNumber(3),
        banks={SeatNumber(3): 1500},
        deserted=True,
        notes=(LogNote(1, 0, "said", {"text": "Dealt again."}),),
    )
    assert LiveState.from_json({}) == LiveState()


def test_state_of_a_later_version_is_refused() -> None:
    with pytest.raises(ValueError, match="version 3"):
        LiveState.from_json(LiveState().to_json() | {"version": 3})


numbers = st.none() | st.integers(1, 99)


@given(st.builds(Occasion, numbers, numbers, st.sampled_from(sorted(ROUND_LABELS))))
def test_occasion_survives_a_round_trip(occasion: Occasion) -> None:
    read = Occasion.from_json(occasion.to_json())
    assert read == (occasion if occasion else Occasion())


def test_unknown_field_is_an_error() -> None:
    with pytest.raises(TypeError):
        replace(LiveState(), bank={})  # type: ignore[call-arg]


@pytest.mark.django_db
def test_running_match_of_an_earlier_version_continues() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5", "G1 G2", bank_seconds=20)
    kept = LiveState.to_json(Match.objects.get(pk=match.pk).state)
    old = {name: kept[name] for name in ("position", "hand", "dealt", "turn_seat")}
    store_old_json(match, "state", old)
    act(match, 0, {"draw": True})
    state = Match.objects.get(pk=match.pk).state
    assert (state.hand, state.dealt, state.turn_seat, sorted(state.lag)) == (1, 1, 1, [0])


def store_old_json(match: Match, column: str, data: Any) -> None:
    """Store this JSON in a column of the match, as an old version of the site could have done."""
    field = connection.ops.adapt_json_value(data, None)
    with connection.cursor() as cursor:
        cursor.execute(f'UPDATE games_match SET "{column}" = %s WHERE id = %s', [field, match.pk])
    here().close()


players = st.integers(0, 9).map(PlayerIndex)
moves = st.sampled_from([CALL, Action("catch", seat=3), Action.play("R5", uno=True)])
moments = st.integers(0, 2**42)
submitted_actions = st.builds(
    SubmittedAction, players, moves, st.text(), st.sampled_from(["", "bot"])
)
claims = st.builds(Claim, submitted_actions, moments, moments)
races = st.builds(Race, players, moments, moments, moments, moments, st.lists(claims).map(tuple))
timings = st.builds(
    Timing, players, moments, st.lists(st.builds(TimedClaim, claims, moments)).map(tuple)
)


@given(st.lists(races, unique_by=lambda race: race.of))
def test_races_survive_a_round_trip(running: list[Race]) -> None:
    stored = Races(tuple(running))
    assert Races.from_json(stored.to_json()) == stored
    assert bool(stored) == bool(stored.to_json())


@given(st.just(Timing()) | timings)
def test_race_timing_survives_a_round_trip(timing: Timing) -> None:
    assert Timing.from_json(timing.to_json()) == timing


def test_new_race_replaces_only_the_earlier_race_of_the_same_player() -> None:
    first, other = (Race(PlayerIndex(n), since=n, until=9, played=0, catchable=0) for n in (1, 2))
    later = replace(first, until=12)
    both = Races().put(other).put(first)
    assert (both.running, both.until) == ((first, other), 9)
    assert both.put(later).running == (later, other)
    assert both.remove(first.of).running == (other,)
    assert (both.find(other.of), both.find(PlayerIndex(7))) == (other, None)


def test_state_stored_before_outages_existed_is_read() -> None:
    new = ("lost", "quiet")
    before = {key: value for key, value in LiveState().to_json().items() if key not in new}
    assert LiveState.from_json(before) == LiveState()
