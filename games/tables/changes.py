"""What differs between two views of one match: the one that a window has, and the one of now.

Keys that differ are told whole, but for those that grow or change in part: of `seats` the keys of
each seat, of `log` the lines that are new, of `own_lines` their texts. Where that would not make
the new value out of the old one it is told whole as well. docs/protocol.md says what clients do.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from games.protocol.table import LogLine, SeatAtTable, Shared
from games.tables.log import LINES


@dataclass(frozen=True, slots=True)
class SharedChanges:
    """What everybody's part has new: whole keys, keys of seats by number, and lines of the log."""

    view: dict[str, object]
    seats: dict[str, dict[str, object]]
    log: list[LogLine]


def shared_changes(old: Shared, new: Shared) -> SharedChanges:
    """What makes `new` out of `old`."""
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
    """The new lines; none where the old ones with them are not what is to be seen."""
    last = old[-1]["n"] if old else -1
    added = [line for line in new if line["n"] > last]
    return added if [*old, *added][-LINES:] == new else []


def own_lines_added(
    old: Mapping[str, str], new: Mapping[str, str], log: list[LogLine]
) -> dict[str, str] | None:
    """What is new of a seat's own lines, once those of lines that are gone from `log` are dropped;
    None where that would leave others."""
    added = {n: text for n, text in new.items() if old.get(n) != text}
    return added if {**still_shown(old, log), **added} == new else None


def still_shown(lines: Mapping[str, str], log: list[LogLine]) -> dict[str, str]:
    """Own lines without those that are gone from the log."""
    first = log[0]["n"] if log else None
    return {} if first is None else {n: text for n, text in lines.items() if int(n) >= first}
