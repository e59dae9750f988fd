"""Tests that actions are carried out once, refused with a reason and safe to repeat."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games import services
from games.models import LoggedAction, Match
from tests.games.helpers import act, begin, list_log, stack_deck
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def expect_refusal(
    call: Callable[..., object], *arguments: object, **changes: object
) -> services.RefusedError:
    with pytest.raises(services.RefusedError) as info:
        call(*arguments, **changes)
    return info.value


def test_action_adds_one_log_row_and_one_version() -> None:
    match = begin(["R1 R2 R3", "R4 R5 R6"], "R7")
    ack = act(match, 0, {"play": "R1"}, client_id="mine")
    row = LoggedAction.objects.get()
    stored = Match.objects.get(pk=match.pk)
    assert (ack.version, stored.version, row.version) == (2, 2, 2)
    assert (row.number, row.player, row.client_id, row.auto) == (1, 0, "mine", "")
    assert row.action == {"play": "R1"}
    assert [event["event"] for event in row.events] == ["played"]
    assert sure(stored.state.position)["turn"] == 1


def test_repeated_id_gets_the_stored_answer_without_effect() -> None:
    match = begin(["R1 R2 R3", "R4 R5 R6"], "R7")
    first = act(match, 0, {"play": "R1"}, version=1, client_id="once")
    again = act(match, 0, {"play": "R1"}, version=1, client_id="once")
    act(match, 1, {"play": "R4"})
    much_later = act(match, 0, {"play": "R1"}, version=1, client_id="once")
    assert (first.version, again.version, much_later.version) == (2, 2, 2)
    assert (first.repeated, again.repeated) == (False, True)
    assert len(list_log(match)) == 2


def test_repeat_is_answered_after_the_match_has_advanced() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", hand_limit=1)
    act(match, 0, {"play": "R1", "uno": True}, version=1, client_id="early")
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"}, version=3, client_id="last")
    assert Match.objects.get(pk=match.pk).phase == "over"
    assert act(match, 0, {"play": "R2"}, version=3, client_id="last").version == 4
    assert act(match, 0, {"play": "R1", "uno": True}, version=1, client_id="early").version == 2


def test_id_reused_for_another_action_is_refused() -> None:
    match = begin(["R1 R2 R3", "R4 R5 R6"], "R7")
    act(match, 0, {"play": "R1"}, version=1, client_id="once")
    assert (
        expect_refusal(act, match, 0, {"play": "R2"}, version=1, client_id="once").code
        == "id-reused"
    )
    act(match, 1, {"play": "R4"})
    error = expect_refusal(act, match, 0, {"play": "R2"}, client_id="once")
    assert (error.code, error.version) == ("id-reused", 3)
    assert len(list_log(match)) == 2


def test_two_seats_may_use_the_same_id() -> None:
    match = begin(["R1 R2 R3", "R4 R5 R6"], "R7")
    act(match, 0, {"play": "R1"}, client_id="1")
    act(match, 1, {"play": "R4"}, client_id="1")
    assert len(list_log(match)) == 2


def test_action_on_an_old_version_is_refused_as_stale() -> None:
    match = begin(["R1 R2 R3", "R4 R5 R6"], "R7")
    act(match, 0, {"play": "R1"})
    act(match, 1, {"play": "R4"})
    error = expect_refusal(act, match, 0, {"play": "R2"}, version=1, client_id="old")
    assert (error.code, error.version) == ("stale", 3)
    future = expect_refusal(act, match, 0, {"play": "R2"}, version=99, client_id="new")
    assert future.code == "stale"
    assert len(list_log(match)) == 2


@pytest.mark.parametrize(
    ("seat", "action", "code"),
    [
        (1, {"play": "R4"}, "not-your-turn"),
        (0, {"play": "R4"}, "card-not-held"),
        (0, {"play": "G1"}, "does-not-fit"),
        (0, {"play": "W"}, "color-needed"),
        (0, {"pass": True}, "pass-not-allowed"),
        (0, {"catch": 1}, "nothing-to-catch"),
        (0, {"catch": 7}, "malformed"),
        (0, {"play": "Q9"}, "malformed"),
        (0, {"play": "R1", "draw": True}, "malformed"),
        (0, "draw", "malformed"),
    ],
)
def test_illegal_action_is_refused_with_a_reason_and_no_change(
    seat: int, action: dict[str, Any] | str, code: str
) -> None:
    match = begin(["R1 G1 W", "R4 R5 R6"], "R7")
    before = Match.objects.values().get(pk=match.pk)
    error = expect_refusal(act, match, seat, action)
    assert error.code == code
    assert error.sentence.endswith(".")
    assert Match.objects.values().get(pk=match.pk) == before
    assert list_log(match) == []


def make_match_without_uno_call(**fields: Any) -> Match:
    """Create a match in which seat 0 has one card left and has not called UNO.

    It is seat 1's turn, at version 2.
    """
    match = begin(["R1 R2", "R3 R4", "R6 R8"], "R7", "G1 G2 G3 G4", **fields)
    act(match, 0, {"play": "R1"})
    return match


def test_catch_on_a_slightly_old_version_counts_if_still_correct() -> None:
    match = make_match_without_uno_call()
    ack = act(match, 2, {"catch": 0}, version=1, client_id="quick")
    assert ack.version == 3
    assert sure(Match.objects.get(pk=match.pk).state.position)["hands"][0] == ["R2", "G1", "G2"]


def test_call_on_a_slightly_old_version_counts() -> None:
    match = make_match_without_uno_call()
    act(match, 0, {"call": True}, version=1, client_id="quick")
    error = expect_refusal(act, match, 2, {"catch": 0}, version=1, client_id="late")
    assert error.code == "stale"


def test_late_catch_costs_nothing_even_if_wrong_catches_are_penalized() -> None:
    options = {"wrong_catch_penalty": 2}
    match = make_match_without_uno_call(options=options)
    act(match, 0, {"call": True})
    late = expect_refusal(act, match, 2, {"catch": 0}, version=2, client_id="late")
    assert late.code == "stale"
    act(match, 2, {"catch": 0}, client_id="on purpose")
    assert len(sure(Match.objects.get(pk=match.pk).state.position)["hands"][2]) == 4


def test_catch_from_before_the_deal_is_stale() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", between_seconds=0)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    services.tick(timezone.now())
    assert expect_refusal(act, match, 1, {"catch": 0}, version=3, client_id="old").code == "stale"


def test_call_from_before_the_deal_is_stale_even_if_correct_now() -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", between_seconds=0)
    act(match, 0, {"play": "R1", "uno": True})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2"})
    stack_deck(match, ["R1 R2", "R3 G9"], "R5", "G1 G2")
    services.tick(timezone.now())
    dealt = Match.objects.get(pk=match.pk).state.dealt
    act(match, 0, {"play": "R1"})
    for seat, word in ((1, {"catch": 0}), (0, {"call": True})):
        late = expect_refusal(act, match, seat, word, version=dealt - 1, client_id="old")
        assert late.code == "stale", word
    assert act(match, 1, {"catch": 0}, version=dealt, client_id="new").version == dealt + 2


def test_no_player_is_caught_during_the_respectful_pause() -> None:
    match = begin(["4H 5H", "6H 7H", "8H 9H"], "10H", ruleset="ocho-cards")
    now = timezone.now()
    act(match, 0, {"play": "4H"}, now=now)
    early = now + timedelta(seconds=1.4)
    assert expect_refusal(act, match, 2, {"catch": 0}, now=early).code == "too-early"
    act(match, 2, {"catch": 0}, now=now + timedelta(seconds=1.6), client_id="fair")
    assert list_log(match)[-1] == (2, {"catch": 0}, "")


def test_calls_and_catches_do_not_change_the_turn_clock() -> None:
    match = make_match_without_uno_call()
    until = sure(Match.objects.get(pk=match.pk).turn_until)
    act(match, 2, {"catch": 0})
    delay = sure(Match.objects.get(pk=match.pk).turn_until) - until
    assert 0 < delay.total_seconds() < 0.41, "the time until the catch was decided"
    act(match, 1, {"play": "R3", "uno": True})
    assert sure(Match.objects.get(pk=match.pk).turn_until) > until
