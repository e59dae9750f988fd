"""Tests of lookup tables that need an entry for every kind."""

from enum import StrEnum

import pytest

from tournament.common.kinds import UncoveredKindError, check_complete


class SampleColour(StrEnum):
    RED = "red"
    BLUE = "blue"


def test_complete_table_is_returned_unchanged() -> None:
    rows = {SampleColour.RED: 1, SampleColour.BLUE: 2}
    assert check_complete(SampleColour, rows) is rows


def test_a_missing_kind_is_named() -> None:
    with pytest.raises(UncoveredKindError, match=r"^BLUE$"):
        check_complete(SampleColour, {SampleColour.RED: 1})
