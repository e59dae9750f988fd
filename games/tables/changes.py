"""Differences between two views of a match: the one that a window has and the current one.

Keys that differ are sent whole, except for those that grow or change in part. Of `seats`, the
changed keys of each seat are sent, of `log` the new lines, of `own_lines` their texts. A value
that this would not produce from the old one is also sent whole. docs/protocol.md says what
clients do.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from games.protocol.table import LogLine, SeatAtTable, Shared
from games.tables.log import LINES


@dataclass(frozen=True, slots=True)
class SharedChanges:
    """Changes of everyone's part: whole keys, keys of seats by number, and lines of the log."""

    view: dict[str, object]
    seats: dict[str, dict[str, object]]
    log: list[LogLine]


def shared_changes(old: Shared, new: Shared) -> SharedChanges:
    """Return the changes that turn `old` into `new`."""
    before: Mapping[str, object] = old
    view = {key: value for key, value in new.items() if value != before[key]}
    seats = _find_seat_changes(old["seats"], new["seats"]) if "seats" in view else {}
    log = _log(old["log"], new["log"]) if "log" in view else []
    if seats:
        del view["seats"]
    if log:
        del view["log"]
    return SharedChanges(view, seats, log)


def _find_seat_changes(
    old: list[SeatAtTable], new: list[SeatAtTable]
) -> dict[str, dict[str, object]]:
    """By number what is new of each seat; empty where a seat has other keys than before."""
    if [seat.keys() for seat in old] != [seat.keys() for seat in new]:
        return {}
    pairs = ((was, now) for was, now in zip(old, new, strict=True) if was != now)
    return {str(now["seat"]): _select_differing(was, now) for was, now in pairs}


def _select_differing(old: Mapping[str, object], new: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in new.items() if value != old[key]}


def _log(old: list[LogLine], new: list[LogLine]) -> list[LogLine]:
    """Return the new lines of the log.

    There are none if the old lines followed by them are not the lines to show.
    """
    last = old[-1]["n"] if old else -1
    added = [line for line in new if line["n"] > last]
    return added if [*old, *added][-LINES:] == new else []


def own_lines_added(
    old: Mapping[str, str], new: Mapping[str, str], log: list[LogLine]
) -> dict[str, str] | None:
    """Return what is new in a seat's own lines.

    Lines that are gone from `log` are dropped first. The result is None if other lines than `new`
    would remain.
    """
    added = {n: text for n, text in new.items() if old.get(n) != text}
    return added if {**still_shown(old, log), **added} == new else None


def still_shown(lines: Mapping[str, str], log: list[LogLine]) -> dict[str, str]:
    """Own lines without those that are gone from the log."""
    first = log[0]["n"] if log else None
    return {} if first is None else {n: text for n, text in lines.items() if int(n) >= first}
