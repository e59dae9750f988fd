"""Tests of hands that are dealt again: the old hand is kept as void, and no one loses time."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games import queries, services
from games.models import Match
from tests.factories import make_user
from tests.games.helpers import act, begin, get_time_after_due, reload
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def expect_redo_refusal(match: Match, number: int | None = None) -> str:
    with pytest.raises(services.RefusedError) as refusal:
        services.redo_hand(match, "A card was shown.", number)
    return refusal.value.code


def test_redealt_hand_keeps_the_old_hand_as_void() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5", between_seconds=5)
    act(match, 0, {"play": "R1"})
    services.redo_hand(match, "A card was shown")
    services.tick(get_time_after_due(match, 1))
    hands = list(match.hands.order_by("number"))
    assert [(hand.void, hand.void_reason) for hand in hands] == [
        (True, "A card was shown."),
        (False, ""),
    ]
    assert hands[0].dealer == hands[1].dealer
    assert hands[0].points is None
    assert reload(match).phase == "playing"
    assert queries.score(match).hands_played == 0


def test_every_player_at_the_table_sees_the_redeal_reason() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    services.redo_hand(match, "A card was shown.")
    view = queries.match_view(reload(match), match.seats.get(number=0).user)
    assert view["log"][-1]["text"] == "An organizer had hand 1 dealt again: A card was shown."
    assert view["prompt"] == "Hand 1 will be dealt again in a moment."
    viewer = queries.match_view(reload(match), make_user())
    assert viewer["prompt"] == view["prompt"]


def test_only_the_specified_hand_is_redealt() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    assert expect_redo_refusal(match, 2) == "other-hand"
    services.redo_hand(match, "A card was shown.", 1)
    assert expect_redo_refusal(match, 1) == "not-playing"
    services.tick(get_time_after_due(match, 0))
    assert expect_redo_refusal(match, 1) == "other-hand"
    assert match.hands.count() == 2


@pytest.fixture
def stop_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], datetime]:
    """Provide a function that sets the clock to `seconds` from now and stops it."""
    start = timezone.now()

    def set_time(seconds: float) -> datetime:
        moment = start + timedelta(seconds=seconds)
        monkeypatch.setattr("games.matches.lifecycle.timezone.now", lambda: moment)
        return moment

    return set_time


def test_paused_match_stays_paused_and_redeals_after_the_pause(
    stop_clock: Callable[[float], datetime],
) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5", between_seconds=5)
    stop_clock(0)
    services.pause_match(match)
    stop_clock(300)
    assert services.redo_hand(match, "A card was shown.").paused
    assert services.tick(stop_clock(400)) == 0
    resumed = stop_clock(600)
    assert services.resume_match(match).due == resumed + timedelta(seconds=4)
    assert services.tick(resumed + timedelta(seconds=3.9)) == 0
    assert services.tick(resumed + timedelta(seconds=4)) == 1
    assert reload(match).state.hand == 2


def test_player_returning_to_a_deserted_table_gets_the_new_deal() -> None:
    match = begin(["R1 R2", "R3 R4"], "R5", between_seconds=5, absence_seconds=10)
    while not reload(match).paused:
        services.tick(reload(match).due)
    deserted_at = sure(reload(match).paused_at)
    services.redo_hand(match, "A card was shown.")
    back = deserted_at + timedelta(minutes=5)
    match.seats.filter(number=0).update(seen_at=back)
    services.resume_deserted_table(match.pk, back)
    resumed = reload(match)
    assert (resumed.paused, resumed.due) == (False, back + timedelta(seconds=4))


def test_hand_started_in_time_is_redealt_after_time_is_up() -> None:
    ends_at = timezone.now() + timedelta(seconds=3)
    match = begin(["R1 R2", "R3 R4"], "R5", between_seconds=5, ends_at=ends_at)
    services.redo_hand(match, "A card was shown.")
    services.tick(get_time_after_due(match, 0))
    assert (reload(match).phase, reload(match).state.hand) == ("playing", 2)
