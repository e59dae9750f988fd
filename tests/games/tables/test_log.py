"""Tests that the log describes each action only once."""

from dataclasses import replace
from typing import Any

import pytest
from django.utils import timezone, translation

from games import services, store
from games.models import Match
from games.process import here
from games.process.lru import LruCache
from games.rules.ruleset import rulesets
from games.seats import SeatNumber
from games.store import Snapshot
from games.tables import log
from games.tables.log import LogCaches
from games.tables.spectator_delay import shown_now, stream_of
from tests.games.helpers import act, begin, make_match
from tests.games.viewing import get_view

pytestmark = pytest.mark.django_db

HANDS = ["R1 R2 R3 R8", "R4 R5 R6 R9"]


@pytest.fixture
def described_actions(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Provide the numbers of the actions that were described."""
    numbers: list[int] = []
    action_lines = log.action_lines

    def record_and_describe(action: Any, *arguments: Any) -> Any:
        numbers.append(action.number)
        return action_lines(action, *arguments)

    monkeypatch.setattr(log, "action_lines", record_and_describe)
    return numbers


def test_action_is_described_once_for_all_and_once_for_those_involved(
    described_actions: list[int],
) -> None:
    match = begin(HANDS, "R7")
    for seat, card in enumerate(["R1", "R4", "R2"]):
        act(match, seat % 2, {"play": card})
        for reader in (None, 0, 1, None):
            get_view(match, reader)
    assert sorted(described_actions) == [1, 1, 2, 2, 3, 3]


def test_each_language_has_its_own_log(described_actions: list[int]) -> None:
    match = begin(HANDS, "R7")
    act(match, 0, {"play": "R1"})
    for language in ("en", "bn", "en"):
        with translation.override(language):
            get_view(match)
    assert described_actions == [1, 1]


def test_renaming_a_player_changes_the_log() -> None:
    match = begin(HANDS, "R7")
    act(match, 0, {"play": "R1"})
    get_view(match)
    match.seats.filter(number=0).update(name="Asha")
    store.forget(match.pk)
    assert get_view(match)["log"][-1]["text"] == "Asha plays Red 1."


def test_opening_hidden_from_viewers_is_logged_for_players() -> None:
    match = begin(HANDS, "R7", viewers=Match.Viewers.HAND)
    live = store.load(match.pk)
    for_viewers = shown_now(live, stream_of(live.match, None), timezone.now()).snapshot
    for _ in range(2):
        hidden, found = (
            [line["text"] for line in log.log_lines(one)] for one in (for_viewers, live)
        )
        assert found == [*hidden, "Red 7 is turned up."]


def read_log_lines(snapshot: Snapshot) -> list[Any]:
    """Return the log, and the lines that are worded differently for each seat."""
    seats = range(len(snapshot.seats))
    return [log.log_lines(snapshot), [log.own_lines(snapshot, SeatNumber(seat)) for seat in seats]]


@pytest.mark.parametrize("ruleset", rulesets.RULE_SETS)
def test_log_from_the_cache_equals_a_new_log(ruleset: str) -> None:
    match = services.start_match(make_match(ruleset, people=0, bots=3))
    services.play_out(match, hands=1)
    whole = store.load(match.pk)
    for done in range(0, len(whole.actions), 9):
        snapshot = replace(whole, actions=whole.actions[:done])
        known = read_log_lines(snapshot)
        here().part(LogCaches).known = LruCache(1)
        assert read_log_lines(replace(snapshot)) == known
