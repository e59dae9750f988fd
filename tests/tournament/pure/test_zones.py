"""Tests of the current and old names of time zones."""

import subprocess
import sys

import pytest

from tournament.pure.zones import canonical_zone, find_zone, zone_names


@pytest.mark.parametrize(
    ("name", "current"),
    [
        ("Asia/Calcutta", "Asia/Kolkata"),
        ("Asia/Katmandu", "Asia/Kathmandu"),
        ("US/Eastern", "America/New_York"),
        ("Europe/Amsterdam", "Europe/Amsterdam"),  # the same time as Brussels, but another place
        ("Asia/Kolkata", "Asia/Kolkata"),
        ("UTC", "UTC"),
        ("Nowhere/Place", "Nowhere/Place"),
    ],
)
def test_old_name_of_a_zone_is_replaced_with_the_current_name(name: str, current: str) -> None:
    assert canonical_zone(name) == current


def test_every_listed_name_has_a_zone() -> None:
    assert [name for name in zone_names() if find_zone(name) is None] == []


@pytest.mark.parametrize("name", ["Nowhere/Place", "IST", "", "../etc/passwd", "Asia"])
def test_unknown_name_has_no_zone(name: str) -> None:
    assert find_zone(name) is None


def test_old_names_are_known_without_system_zone_data() -> None:
    code = (
        "from tournament.pure.zones import find_zone, zone_names; "
        "print(find_zone('Asia/Calcutta'), 'Asia/Calcutta' in zone_names())"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONTZPATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == "Asia/Kolkata True\n"
