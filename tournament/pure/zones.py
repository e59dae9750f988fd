"""Names of time zones, including old names.

Zones that the machine lacks are taken from the package tzdata. Debian 13 omits old names such as
"Asia/Calcutta", but browsers in India still send them.
"""

from functools import cache
from importlib import resources
from zoneinfo import ZoneInfo, available_timezones

ZONES = resources.files("tzdata") / "zoneinfo"


@cache
def zone_names() -> frozenset[str]:
    """Return the names of all time zones, including old names. They are read from disk once."""
    return frozenset(available_timezones())


def canonical_zone(name: str) -> str:
    """Return the current name of a zone, such as "Asia/Kolkata" for "Asia/Calcutta"."""
    return _load_renamed_zones().get(name, name)


def find_zone(name: str) -> ZoneInfo | None:
    """Return the zone with this name, or None if there is none."""
    return ZoneInfo(canonical_zone(name)) if name in zone_names() else None


@cache
def _load_renamed_zones() -> dict[str, str]:
    """Return the current name of each renamed zone, by old name.

    tzdata has links from old to current names. Links between different places with the same time
    are ignored.
    """
    places = {line.split("\t")[2] for line in _read_lines("zone.tab") if not line.startswith("#")}
    links = (line.split() for line in _read_lines("tzdata.zi") if line.startswith("L "))
    return {old: new for _mark, new, old in links if old not in places and old != "UTC"}


def _read_lines(name: str) -> list[str]:
    return (ZONES / name).read_text("utf-8").splitlines()
