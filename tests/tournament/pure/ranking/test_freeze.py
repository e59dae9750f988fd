"""The stored value of a frozen leaderboard."""

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest

from tournament.pure.ranking.freeze import NOT_FROZEN, Freeze

AT = datetime(2026, 11, 28, 9, 30, 0, 250_000, tzinfo=UTC)
FROZEN = Freeze(AT, frozenset({12, 3}), frozenset({5}))


def test_what_is_stored_is_in_order_so_that_equal_values_are_equal_texts() -> None:
    assert FROZEN.to_json() == {
        "at": "2026-11-28T09:30:00.250000+00:00",
        "results": [3, 12],
        "qualifiers": [5],
        "shown_from": None,
    }


@pytest.mark.parametrize(
    "freeze", [NOT_FROZEN, FROZEN, Freeze(AT), Freeze(AT, frozenset({1}), shown_from=3)]
)
def test_it_comes_back_from_json_as_it_was(freeze: Freeze) -> None:
    assert Freeze.from_json(json.loads(json.dumps(freeze.to_json()))) == freeze


@pytest.mark.parametrize("nothing", [None, {}, [], ""])
def test_nothing_stored_is_not_frozen(nothing: object) -> None:
    assert Freeze.from_json(nothing) == NOT_FROZEN
    assert NOT_FROZEN.to_json() == {}


def test_it_is_frozen_from_a_moment_on() -> None:
    assert not NOT_FROZEN
    assert FROZEN
    assert Freeze(AT.astimezone(timezone(timedelta(hours=5)))) == Freeze(AT)


@pytest.mark.parametrize(("shown_from", "revealing"), [(None, False), (8, True), (1, True)])
def test_places_are_being_revealed_once_one_is_shown(
    shown_from: int | None, revealing: bool
) -> None:
    assert Freeze(AT, shown_from=shown_from).revealing is revealing
