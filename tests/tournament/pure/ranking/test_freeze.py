"""Tests of the stored freeze of a leaderboard."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from tournament.pure.ranking.freeze import NOT_FROZEN, Freeze

FROZEN_AT = datetime(2026, 11, 28, 9, 30, 0, 250_000, tzinfo=UTC)
FREEZE = Freeze(FROZEN_AT, frozenset({12, 3}), frozenset({5}))


def test_keys_of_a_stored_freeze_are_sorted() -> None:
    assert FREEZE.to_json() == {
        "at": "2026-11-28T09:30:00.250000+00:00",
        "results": [3, 12],
        "qualifiers": [5],
        "shown_from": None,
    }


@pytest.mark.parametrize(
    "freeze",
    [NOT_FROZEN, FREEZE, Freeze(FROZEN_AT), Freeze(FROZEN_AT, frozenset({1}), shown_from=3)],
)
def test_freeze_survives_a_json_round_trip(freeze: Freeze) -> None:
    assert Freeze.from_json(json.loads(json.dumps(freeze.to_json()))) == freeze


@pytest.mark.parametrize("nothing", [None, {}, [], ""])
def test_empty_value_means_not_frozen(nothing: object) -> None:
    assert Freeze.from_json(nothing) == NOT_FROZEN
    assert NOT_FROZEN.to_json() == {}


def test_freeze_without_a_time_is_false() -> None:
    assert not NOT_FROZEN
    assert FREEZE
    assert Freeze(FROZEN_AT.astimezone(timezone(timedelta(hours=5)))) == Freeze(FROZEN_AT)


@pytest.mark.parametrize(("shown_from", "revealing"), [(None, False), (8, True), (1, True)])
def test_reveal_has_begun_once_a_place_is_shown(shown_from: int | None, revealing: bool) -> None:
    assert Freeze(FROZEN_AT, shown_from=shown_from).revealing is revealing
