"""Tests of absence (U41, U42): the absence limit, automatic actions and deserted tables."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from pytest_django import Settings

from games import queries, services, store
from games.clocks import presence
from games.models import Match
from games.seats import SeatNumber
from tests.factories import make_user
from tests.games.helpers import act, begin, list_log, reload
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("remove_grace_period")]

HANDS = ["R1 R2 R6", "R3 R4 R9", "Y1 Y2 Y3"]


def begin_match(**fields: Any) -> tuple[Match, datetime]:
    defaults = {"turn_seconds": 20, "bank_seconds": 0, "absence_seconds": 50}
    match = begin(HANDS, "R5", "B1 B2 B3 B4 B6 B7 B8 B9 G1 G2 G3 G4", **defaults | fields)
    return match, get_turn_start(match)


def get_turn_start(match: Match) -> datetime:
    match = reload(match)
    return sure(match.turn_until) - timedelta(seconds=match.turn_seconds + match.bank_seconds)


def mark_seen(match: Match, seat: int, moment: datetime) -> None:
    match.seats.filter(number=seat).update(seen_at=moment)


def get_remaining_absence_ms(match: Match, seat: int, now: datetime) -> int | None:
    people = presence.load_people([match.pk])[match.pk]
    shown = queries.table_view(store.load(match.pk), SeatNumber(0), people, now, controls=True)
    left: int | None = shown["seats"][seat]["away_left_ms"]
    return left


def spend_absence_budget(match: Match, now: datetime) -> datetime:
    """Let seat 0 use up its 50 s absence budget in three turns, while seats 1 and 2 play.

    The turns use up 20 s, 20 s and 10 s. Return the time at which the last one ends.
    """
    for turn in range(3):
        mark_seen(match, 1, now + timedelta(seconds=21))
        now += timedelta(seconds=20 if turn < 2 else 10)
        services.tick(now)
        if turn < 2:
            act(match, 1, {"draw": True}, now=now)
            act(match, 2, {"draw": True}, now=now)
    return now


def list_automatic_draws(match: Match) -> list[tuple[int, str]]:
    return [(seat, auto) for seat, action, auto in list_log(match) if "draw" in action]


def test_turns_of_an_absent_player_use_the_absence_budget_of_the_hand() -> None:
    match, start = begin_match()
    spend_absence_budget(match, start)
    mine = [auto for seat, auto in list_automatic_draws(match) if seat == 0]
    assert mine == ["timeout", "timeout", "away"]
    assert reload(match).state.away == {0: 50_000}


def test_log_names_the_absent_player_and_the_reason() -> None:
    match, start = begin_match()
    spend_absence_budget(match, start)
    name = match.seats.get(number=0).name
    lines = queries.match_view(reload(match), match.seats.get(number=1).user)["log"]
    found = [line["text"] for line in lines if line["seat"] == 0 and "draws" in line["text"]]
    assert found == [
        f"{name} ran out of time. {name} draws 1 card.",
        f"{name} ran out of time. {name} draws 1 card.",
        f"{name} is away. {name} draws 1 card.",
    ]


def begin_turn_after_spent_budget() -> tuple[Match, datetime]:
    """Begin a turn of seat 0 after its absence budget was used up.

    Return the match and the time at which the turn begins.
    """
    match, start = begin_match()
    now = spend_absence_budget(match, start)
    for seat in (1, 2):
        act(match, seat, {"draw": True}, now=now)
    assert reload(match).state.turn_seat == 0
    return match, now


def test_table_acts_after_a_short_delay_once_the_budget_is_used() -> None:
    match, now = begin_turn_after_spent_budget()
    before = len(list_log(match))
    services.tick(now + timedelta(seconds=0.9))
    assert len(list_log(match)) == before
    services.tick(now + timedelta(seconds=1))
    assert [auto for _, _, auto in list_log(match)[before:]] == ["away"]
    assert reload(match).state.turn_seat == 1


def test_player_returning_during_the_delay_keeps_the_turn() -> None:
    match, now = begin_turn_after_spent_budget()
    before = len(list_log(match))
    mark_seen(match, 0, now + timedelta(seconds=0.5))
    services.tick(now + timedelta(seconds=1))
    assert len(list_log(match)) == before
    assert reload(match).due == now + timedelta(seconds=9.5), (
        "the table checks again when the player may be gone"
    )
    mark_seen(match, 0, now + timedelta(seconds=15))
    services.tick(now + timedelta(seconds=19.9))
    assert len(list_log(match)) == before
    services.tick(now + timedelta(seconds=20))
    assert list_log(match)[-1][2] == "timeout", "the turn has its full time"


def test_table_acts_as_soon_as_a_returned_player_leaves_again() -> None:
    match, now = begin_turn_after_spent_budget()
    mark_seen(match, 0, now)
    before = len(list_log(match))
    services.tick(now + timedelta(seconds=1))
    services.tick(now + timedelta(seconds=8.9))
    assert len(list_log(match)) == before
    services.tick(now + timedelta(seconds=9.1))
    assert list_log(match)[-1][2] == "away"


def test_only_the_absent_part_of_a_turn_counts_as_absence() -> None:
    match, start = begin_match()
    mark_seen(match, 0, start + timedelta(seconds=3))
    services.tick(start + timedelta(seconds=20))
    assert list_log(match)[0] == (0, {"draw": True}, "timeout")
    assert reload(match).state.away == {0: 8_000}, (
        "a player is absent 9 s after the last sign of life"
    )


def test_turn_with_a_returning_player_costs_no_budget() -> None:
    match, start = begin_match()
    act(match, 0, {"play": "R1"}, now=start + timedelta(seconds=19))
    assert reload(match).state.away == {}


def test_absence_budget_is_renewed_for_each_hand() -> None:
    match, start = begin_match()
    spend_absence_budget(match, start)
    services.redo_hand(match, "A card fell to the floor.")
    services.tick(reload(match).due)
    assert reload(match).state.away == {}
    assert get_remaining_absence_ms(match, 0, get_turn_start(match)) == 50_000


def test_absent_player_keeps_the_turn_time_without_an_absence_limit() -> None:
    match, start = begin_match(absence_seconds=0)
    services.tick(start + timedelta(seconds=20))
    assert list_log(match)[0] == (0, {"draw": True}, "timeout")
    assert reload(match).state.away == {}
    assert get_remaining_absence_ms(match, 1, start) is None


def test_long_turn_ends_when_the_absence_budget_is_used_up() -> None:
    match, start = begin_match(turn_seconds=300, bank_seconds=100)
    mark_seen(match, 1, start + timedelta(seconds=50))
    services.tick(start + timedelta(seconds=49))
    assert list_log(match) == []
    services.tick(start + timedelta(seconds=50))
    assert list_log(match)[0] == (0, {"draw": True}, "away")


def test_pause_does_not_count_as_absence(settings: Settings) -> None:
    match, start = begin_match(turn_seconds=300)
    services.pause_match(match)
    resumed = services.resume_match(match)
    assert resumed.paused is False
    mark_seen(match, 1, start + timedelta(seconds=90))
    again = sure(store.load(match.pk).match.state.resumed) / 1000
    due = start + timedelta(seconds=again - start.timestamp() + 50)
    services.tick(due - timedelta(seconds=1))
    assert list_log(match) == []
    services.tick(due + timedelta(seconds=0.1))
    assert list_log(match) != []


def test_every_player_sees_the_remaining_absence_time() -> None:
    match, start = begin_match()
    mark_seen(match, 1, start)
    shown = [
        get_remaining_absence_ms(match, seat, start + timedelta(seconds=8)) for seat in range(3)
    ]
    assert shown == [42_000, None, 50_000], "only turns count, and seat 1 is present"


# Deserted tables


def make_deserted_match() -> tuple[Match, datetime]:
    match, _ = begin_match()
    for _ in range(12):
        if reload(match).paused:
            return reload(match), sure(reload(match).paused_at)
        services.tick(reload(match).due)
    raise AssertionError("the table does not pause")


def test_deserted_table_pauses() -> None:
    match, paused_at = make_deserted_match()
    assert {auto for _, _, auto in list_log(match)} == {"timeout"}
    view = queries.match_view(match, match.seats.get(number=0).user)
    words = "No one is here. The table is paused until someone comes back."
    assert (view["prompt"], view["log"][-1]["text"]) == (words, words)
    assert services.tick(paused_at + timedelta(hours=1)) == 0


def test_deserted_hand_that_must_be_played_pauses() -> None:
    match = begin(HANDS, "B5", ruleset="uno-assignment", turn_seconds=5, absence_seconds=10)
    for _ in range(60):
        match = reload(match)
        if match.paused:
            break
        services.tick(match.due)
    assert match.paused
    assert len(list_log(match)) < 40


def test_deserted_table_resumes_with_a_full_turn_when_a_player_returns() -> None:
    match, paused = make_deserted_match()
    back = paused + timedelta(minutes=5)
    services.resume_deserted_table(match.pk, back)
    assert reload(match).paused, "no player is present yet"
    mark_seen(match, 1, back)
    services.resume_deserted_table(match.pk, back)
    match = reload(match)
    assert match.paused is False
    assert match.turn_until == back + timedelta(seconds=20)
    mark_seen(match, 1, back)
    services.tick(back + timedelta(seconds=1))
    assert list_log(match)[-1][2] == "away", "the table acts immediately"
    services.resume_deserted_table(match.pk, back)
    view = queries.match_view(reload(match), match.seats.get(number=0).user)
    texts = [line["text"] for line in view["log"]]
    assert texts.count("Someone is back. Play continues.") == 1


def test_player_who_was_not_dealt_in_does_not_resume_a_deserted_table() -> None:
    match, paused = make_deserted_match()
    hand = match.hands.get()
    hand.players = [SeatNumber(0), SeatNumber(1)]
    hand.save()
    store.forget(match.pk)
    mark_seen(match, 2, paused)
    services.resume_deserted_table(match.pk, paused)
    assert reload(match).paused


def test_organizer_can_resume_a_deserted_table() -> None:
    match, _ = make_deserted_match()
    resumed = services.resume_match(match)
    assert resumed.paused is False
    assert not resumed.state.deserted


def test_organizer_pause_is_ended_only_by_an_organizer() -> None:
    match, paused = make_deserted_match()
    services.pause_match(match)
    mark_seen(match, 0, paused)
    services.resume_deserted_table(match.pk, paused)
    assert reload(match).paused
    with pytest.raises(services.RefusedError) as refused:
        services.pause_match(match)
    assert refused.value.code == "paused"


def test_practice_match_waits_for_its_player() -> None:
    match = services.start_practice(make_user("Asha"), "uno-400", 3)
    assert match.turn_seconds == 120
    for _ in range(20):
        match = reload(match)
        if match.paused:
            break
        services.tick(match.due)
    assert match.paused
    assert {auto for _, _, auto in list_log(match)} <= {"bot"}, (
        "the table does not act for the player"
    )
