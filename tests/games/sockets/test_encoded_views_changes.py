"""Tests of the changes between two views, and of the keys that are sent whole."""

from typing import Any, cast

import pytest

from games.protocol.table import LogLine, Shared
from games.sockets.encoded_views import find_added_lines, find_shared_changes
from games.tables.log import LINES


def make_line(n: int, text: str = "told") -> LogLine:
    return {"n": n, "seat": None, "text": text, "auto": "", "more": False}


def make_seat(number: int, **keys: Any) -> dict[str, Any]:
    return {"seat": number, "count": 7, "score": 0} | keys


def make_shared_view(seats: list[dict[str, Any]] | None = None, **keys: Any) -> Shared:
    parts = {
        "top": "R5",
        "turn": 0,
        "seats": seats or [make_seat(0), make_seat(1)],
        "log": [make_line(1)],
    }
    return cast(Shared, parts | keys)


def test_identical_views_have_no_changes() -> None:
    found = find_shared_changes(make_shared_view(), make_shared_view())
    assert (found.view, found.seats, found.log) == ({}, {}, [])


def test_changed_keys_are_sent_whole_and_seats_key_by_key() -> None:
    found = find_shared_changes(
        make_shared_view(),
        make_shared_view([make_seat(0), make_seat(1, count=6)], top="R7", turn=1),
    )
    assert found.view == {"top": "R7", "turn": 1}
    assert found.seats == {"1": {"count": 6}}


def test_seats_with_different_keys_are_sent_whole() -> None:
    coming = [make_seat(0), make_seat(1, coming_ms=900)]
    assert find_shared_changes(make_shared_view(), make_shared_view(coming)).view == {
        "seats": coming
    }
    gone = find_shared_changes(make_shared_view(coming), make_shared_view())
    assert (gone.view, gone.seats) == ({"seats": [make_seat(0), make_seat(1)]}, {})


OLD_LINES = [make_line(n) for n in range(1, LINES + 1)]


@pytest.mark.parametrize(
    ("new", "log_lines", "is_whole"),
    [
        ([*OLD_LINES[2:], make_line(40), make_line(41)], [make_line(40), make_line(41)], False),
        ([*OLD_LINES[:-1], make_line(LINES, "otherwise")], [], True),
        ([make_line(90)], [], True),
        ([], [], True),
        ([*OLD_LINES[1:14], make_line(14, "between"), *OLD_LINES[14:]], [], True),
    ],
)
def test_extended_log_sends_new_lines_and_any_other_log_is_sent_whole(
    new: list[LogLine], log_lines: list[LogLine], is_whole: bool
) -> None:
    found = find_shared_changes(make_shared_view(log=OLD_LINES), make_shared_view(log=new))
    assert (found.log, "log" in found.view) == (log_lines, is_whole)


def test_own_lines_are_sent_with_their_log_lines() -> None:
    log = [make_line(5), make_line(6)]
    assert find_added_lines({"4": "old", "5": "yours"}, {"5": "yours"}, log) == {}
    assert find_added_lines({"5": "yours"}, {"5": "yours", "6": "new"}, log) == {"6": "new"}
    assert find_added_lines({"5": "yours"}, {"6": "new"}, log) is None
    assert find_added_lines({"5": "yours"}, {}, []) == {}
