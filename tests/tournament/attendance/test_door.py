"""Tests of check-in codes at the door: they change and cannot be forged."""

import pytest

from tests.factories import make_event, make_players
from tournament.attendance.door import (
    CODE_LENGTH,
    door_code,
    find_player_by_code,
    is_valid_code,
    player_code,
)
from tournament.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.sql, pytest.mark.event()]
NOW = 1_800_000_000.0


def test_door_code_is_valid_for_its_minute_and_the_next(event: Event) -> None:
    code = door_code(event, NOW)
    assert len(code) == CODE_LENGTH
    assert [is_valid_code(event, code, NOW + seconds) for seconds in (0, 59, 60, 119, 120)] == [
        True,
        True,
        True,
        True,
        False,
    ]


def test_future_door_code_is_invalid(event: Event) -> None:
    assert not is_valid_code(event, door_code(event, NOW + 60), NOW)


def test_each_event_has_its_own_door_code(event: Event) -> None:
    assert not is_valid_code(make_event(), door_code(event, NOW), NOW)


def test_current_door_code_is_valid(event: Event) -> None:
    assert is_valid_code(event, door_code(event))


def test_player_code_identifies_its_player_in_one_event_only(event: Event) -> None:
    player = make_players(event, 1)[0]
    assert find_player_by_code(event, player_code(player)) == player
    assert find_player_by_code(make_event(), player_code(player)) is None


@pytest.mark.parametrize("code", ["", "1", "1:forged"])
def test_forged_player_code_identifies_no_player(event: Event, code: str) -> None:
    make_players(event, 1)
    assert find_player_by_code(event, code) is None
