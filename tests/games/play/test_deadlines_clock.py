"""Tests of turn clocks (U43, U45): turn time, time bank and extra time."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.utils import timezone

from games import queries, services, store
from games.models import Match
from games.play.deadlines import vary_bot_time
from games.seats import SeatNumber
from tests.games.helpers import act, begin, create_match, list_log, make_match, reload, seat_number
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("remove_grace_period")]

MINE, THEIRS = "R1 R2 R6", "R3 R4 R9"


def begin_match(**fields: Any) -> Match:
    return begin([MINE, THEIRS], "R5", **{"turn_seconds": 20, "bank_seconds": 30} | fields)


def get_turn_start(match: Match) -> datetime:
    """Return the start of the first turn, in a match with 20 s of turn time and a 30 s bank."""
    return sure(reload(match).turn_until) - timedelta(seconds=50)


def get_clock(match: Match, now: datetime) -> Any:
    snapshot = store.load(match.pk)
    return queries.table_view(snapshot, SeatNumber(0), {}, now, controls=True)["clock"]


def get_clock_seconds(clock: Mapping[str, Any]) -> dict[str, int]:
    return {name: value // 1000 for name, value in clock.items() if name.endswith("_ms")}


def test_turn_time_runs_before_the_bank() -> None:
    match = begin_match()
    start = get_turn_start(match)
    early, late = (get_clock(match, start + timedelta(seconds=s)) for s in (5, 32))
    assert get_clock_seconds(early) == {
        "left_ms": 15,
        "total_ms": 20,
        "bank_ms": 30,
        "bank_total_ms": 30,
    }
    assert early["in_bank"] is False
    assert get_clock_seconds(late) == {
        "left_ms": 0,
        "total_ms": 20,
        "bank_ms": 18,
        "bank_total_ms": 30,
    }
    assert late["in_bank"] is True


def test_table_acts_only_when_the_bank_is_empty() -> None:
    match = begin_match()
    start = get_turn_start(match)
    services.tick(start + timedelta(seconds=49.999))
    assert list_log(match) == []
    services.tick(start + timedelta(seconds=50))
    assert [auto for _, _, auto in list_log(match)] == ["timeout", "timeout"]


@pytest.mark.parametrize(
    ("seconds_taken", "bank_left"), [(19.5, 30), (20, 30), (27.5, 22.5), (49, 1), (51, 0)]
)
def test_bank_pays_for_time_beyond_the_turn_time(seconds_taken: float, bank_left: float) -> None:
    match = begin_match()
    start = get_turn_start(match)
    act(match, 0, {"play": "R1"}, now=start + timedelta(seconds=seconds_taken))
    second = start + timedelta(seconds=seconds_taken)
    assert reload(match).turn_until == second + timedelta(seconds=50), "the other bank is full"
    act(match, 1, {"play": "R3"}, now=second + timedelta(seconds=1))
    third = second + timedelta(seconds=1)
    assert reload(match).turn_until == third + timedelta(seconds=20 + bank_left)


def test_decision_on_a_drawn_card_gets_new_turn_time() -> None:
    match = begin_match()
    start = get_turn_start(match)
    act(match, 0, {"draw": True}, now=start + timedelta(seconds=30))
    state = get_clock(match, start + timedelta(seconds=31))
    assert (state["seat"], state["left_ms"], state["bank_ms"]) == (0, 19_000, 20_000)


def test_calls_and_catches_by_the_player_to_act_give_no_new_turn_time() -> None:
    match = begin(["R1 R2", "R3 R4", "Y1 Y2"], "R5", turn_seconds=20)
    act(match, 0, {"play": "R1"})
    until = sure(reload(match).turn_until)
    act(match, 1, {"catch": 0}, now=until - timedelta(seconds=3))
    delay = sure(reload(match).turn_until) - until
    assert delay < timedelta(seconds=0.5), "only the time until the catch was decided"


def test_banks_are_refilled_for_each_hand() -> None:
    match = begin(["R1", "R3 R4"], "R5", turn_seconds=20, bank_seconds=30, options={"target": 500})
    act(match, 0, {"play": "R1"}, now=get_turn_start(match) + timedelta(seconds=45))
    services.tick(reload(match).due)
    match = reload(match)
    dealt = match.hands.get(number=2).dealt_at
    assert sure(match.turn_until) - sure(dealt) == timedelta(seconds=50)
    assert match.state.banks == {}


def test_pause_preserves_turn_time_and_bank() -> None:
    match = begin_match()
    before = timezone.now()
    stored = reload(match)
    # 10 s of the bank have been used
    stored.turn_until = stored.due = before + timedelta(seconds=20)
    stored.save()
    services.pause_match(match)
    paused = get_clock(match, timezone.now() + timedelta(hours=1))
    services.resume_match(match)
    after = get_clock(match, timezone.now())
    for shown in (paused, after):
        assert shown["in_bank"] is True
        assert 19_000 < shown["bank_ms"] <= 20_000


def test_bots_have_no_bank_and_no_visible_clock() -> None:
    match = begin([MINE, THEIRS], "R5", bots=1, turn_seconds=20, bank_seconds=30, bot_seconds=2)
    now = timezone.now()
    act(match, 0, {"play": "R1"}, now=now)
    assert sure(reload(match).turn_until) - now < 2 * timedelta(seconds=2)
    assert get_clock(match, now) is None


def test_bot_delays_vary_around_the_configured_average() -> None:
    paces = [vary_bot_time(version) for version in range(200)]
    assert min(paces) < 0.45
    assert max(paces) > 1.55
    assert sum(paces) / len(paces) == pytest.approx(1, abs=0.01)
    assert all(abs(one - other) > 0.2 for one, other in pairwise(paces))


# Extra time (U45)


def make_match_with_extra_time(extra: Sequence[int], **fields: Any) -> Match:
    seats = [services.SeatSpec(f"P{n}", extra_seconds=more) for n, more in enumerate(extra)]
    return create_match(ruleset="uno-400", options={}, seats=seats, **fields)


def test_seat_with_extra_time_has_it_in_every_turn() -> None:
    match = services.start_match(
        make_match_with_extra_time([15, 15], turn_seconds=20, bank_seconds=30)
    )
    match = reload(match)
    assert sure(match.turn_until) - sure(match.started_at) == timedelta(seconds=65)
    assert get_clock(match, sure(match.started_at))["total_ms"] == 35_000


def test_extra_time_given_during_a_turn_extends_this_and_all_later_turns() -> None:
    match = begin_match()
    until = sure(reload(match).turn_until)
    services.give_time(match, SeatNumber(0), 15)
    match = reload(match)
    assert match.turn_until == match.due == until + timedelta(seconds=15)
    assert list(match.seats.values_list("extra_seconds", flat=True)) == [15, 0]
    act(match, 0, {"play": "R1"})
    now = timezone.now()
    act(match, 1, {"play": "R3"}, now=now)
    assert reload(match).turn_until == now + timedelta(seconds=20 + 15 + 30)


def test_extra_time_for_another_seat_does_not_change_the_current_turn() -> None:
    match = begin_match()
    until = sure(reload(match).turn_until)
    services.give_time(match, SeatNumber(1), 15)
    assert reload(match).turn_until == until
    now = timezone.now()
    act(match, 0, {"play": "R1"}, now=now)
    assert reload(match).turn_until == now + timedelta(seconds=65)


def test_extra_time_for_the_table_applies_only_to_people_and_accumulates() -> None:
    match = begin([MINE, THEIRS, "Y1 Y2 Y3"], "R5", bots=1, turn_seconds=20)
    services.give_time(match, SeatNumber(0), 10)
    services.give_time(match, None, 20)
    assert list(match.seats.values_list("extra_seconds", flat=True)) == [30, 20, 0]


def test_extra_time_given_to_a_paused_or_waiting_match_is_kept() -> None:
    match = make_match(turn_seconds=20)
    services.give_time(match, None, 10)
    started = services.start_match(match)
    assert sure(started.turn_until) - sure(started.started_at) == timedelta(seconds=30)
    paused = services.pause_match(match)
    given = services.give_time(match, None, 10)
    assert given.turn_until == sure(paused.turn_until) + timedelta(seconds=10)


def test_extra_time_is_logged() -> None:
    match = begin_match()
    name = match.seats.get(number=1).name
    services.give_time(match, SeatNumber(1), 15)
    act(match, 0, {"play": "R1"})
    services.give_time(match, None, 20)
    lines = queries.match_view(reload(match), match.seats.get(number=0).user)["log"]
    numbers = [line["n"] for line in lines]
    assert numbers == sorted(set(numbers))
    texts = [line["text"] for line in lines]
    assert texts[-1] == "An organizer gave everyone 20 s extra per turn."
    assert texts[-3] == f"An organizer gave {name} 15 s extra per turn."


@pytest.mark.parametrize(
    ("seat", "extra", "code"),
    [
        (0, 4, "seconds-range"),
        (0, 601, "seconds-range"),
        (0, -30, "seconds-range"),
        (3, 10, "unknown-seat"),
        (-1, 10, "unknown-seat"),
        (1, 10, "bot-seat"),
        (0, 595, "too-much-time"),
        (None, 595, "too-much-time"),
    ],
)
def test_invalid_extra_time_is_refused(seat: int | None, extra: int, code: str) -> None:
    match = begin([MINE, THEIRS], "R5", bots=1)
    services.give_time(match, SeatNumber(0), 10)
    version = reload(match).version
    with pytest.raises(services.RefusedError) as refused:
        services.give_time(match, seat_number(seat), extra)
    assert refused.value.code == code
    assert refused.value.sentence.endswith(".")
    assert reload(match).version == version


def test_extra_time_is_refused_after_the_match() -> None:
    match = begin_match()
    services.abandon_match(match, "Rain.")
    with pytest.raises(services.RefusedError) as refused:
        services.give_time(match, SeatNumber(0), 10)
    assert refused.value.code == "over"
