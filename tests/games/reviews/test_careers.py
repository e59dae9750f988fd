"""Tests of the career figures of an account: hands, catches and luck."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.json_values.race import Claim, TimedClaim, Timing
from games.json_values.seat_history import Sitter, Sitters
from games.json_values.submitted_action import SubmittedAction
from games.models import LoggedAction, Match
from games.queries import CareerFigures, career_figures
from games.rules.actions.actions import Action
from games.seats import PlayerIndex
from tests.games.helpers import act, begin, reload
from tests.games.reviewing import (
    MOVES,
    make_reviewed_hand,
    play_short_match,
    store_completed_review,
)
from tests.typed import sure

pytestmark = pytest.mark.django_db


def get_account(match: Match, seat: int) -> int:
    return sure(match.seats.get(number=seat).user_id)


def get_figures(match: Match, seat: int) -> CareerFigures:
    return career_figures(Match.objects.all(), get_account(match, seat))


def play_match_with_catch(**fields: Any) -> Match:
    """Play a hand in which seat 1 catches seat 0 after two seconds, and then wins."""
    match = begin(["R1 R2", "R3 R4"], "R5", **{"hand_limit": 1} | fields)
    act(match, 0, {"play": "R1"})
    act(match, 1, {"catch": 0})
    act(match, 1, {"play": "R3", "uno": True})
    act(match, 0, {"play": "R2", "uno": True})
    act(match, 1, {"play": "R4"})
    first = timezone.now() - timedelta(minutes=1)
    for action in LoggedAction.objects.filter(hand__match=match):
        at = first + timedelta(seconds=2 * action.number)
        LoggedAction.objects.filter(pk=action.pk).update(at=at)
    LoggedAction.objects.filter(hand__match=match).update(timing=Timing())
    return reload(match)


def test_account_without_matches_has_no_figures() -> None:
    play_short_match()
    assert career_figures(Match.objects.all(), 99_999) == CareerFigures()


def test_hands_and_hands_won_are_counted() -> None:
    match = play_short_match()
    counts = [(get_figures(match, seat).hands, get_figures(match, seat).won) for seat in (0, 1)]
    assert counts == [(1, 1), (1, 0)]


def test_fastest_catch_is_measured_from_the_forgetful_players_card() -> None:
    match = play_match_with_catch()
    figures = get_figures(match, 1)
    fastest = sure(figures.fastest)
    assert figures.catches == 1
    assert fastest.seconds == pytest.approx(2)
    assert f"/{match.public_id}/" in fastest.replay
    assert (get_figures(match, 0).catches, get_figures(match, 0).fastest) == (0, None)


def test_catch_has_no_replay_if_cards_are_never_public() -> None:
    match = play_match_with_catch(replays=Match.Replays.NEVER)
    assert sure(get_figures(match, 1).fastest).replay == ""


def test_luck_is_the_sum_over_reviewed_hands() -> None:
    match = play_short_match()
    assert get_figures(match, 0).luck is None
    store_completed_review(match, make_reviewed_hand(*MOVES), make_reviewed_hand())
    luck = sure(get_figures(match, 0).luck)
    assert luck.hands == 2
    assert luck.luck == pytest.approx(1.2)
    assert luck.error > 0


def test_luck_is_hidden_if_cards_are_never_public() -> None:
    match = play_short_match(replays=Match.Replays.NEVER)
    store_completed_review(match, make_reviewed_hand(*MOVES))
    assert get_figures(match, 0).luck is None


def test_match_in_which_the_seat_changed_holders_does_not_count() -> None:
    match = play_short_match()
    seat = match.seats.get(number=0)
    seat.sitters = Sitters((Sitter("Asha", "", 1, 0), Sitter("Ben", "", 1, 1)))
    seat.save(update_fields=["sitters"])
    assert get_figures(match, 0) == CareerFigures()


def test_void_hand_does_not_count() -> None:
    match = play_short_match()
    match.hands.update(void=True)
    assert get_figures(match, 0).hands == 0


def test_catch_in_a_race_is_measured_by_compensated_time() -> None:
    match = play_match_with_catch()
    catch = LoggedAction.objects.get(hand__match=match, action__catch__isnull=False)
    card = sure(LoggedAction.objects.filter(hand=catch.hand, number__lt=catch.number).last())
    moment = round((card.at.timestamp() + 1.25) * 1000)
    claim = Claim(SubmittedAction(PlayerIndex(1), Action("catch", seat=0), "", ""), moment, 0)
    timing = Timing(PlayerIndex(0), 300, (TimedClaim(claim, moment),))
    LoggedAction.objects.filter(pk=catch.pk).update(timing=timing)
    assert sure(get_figures(match, 1).fastest).seconds == pytest.approx(1.25, abs=0.01)
