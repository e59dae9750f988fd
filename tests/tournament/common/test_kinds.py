"""Tests of the check that a mapping has an entry for every kind."""

from enum import StrEnum

import pytest

from tournament.common.kinds import UncoveredKindError, check_complete


class SampleColour(StrEnum):
    RED = "red"
    BLUE = "blue"


def test_complete_mapping_is_returned_unchanged() -> None:
    rows = {SampleColour.RED: 1, SampleColour.BLUE: 2}
    assert check_complete(SampleColour, rows) is rows


def test_error_names_the_missing_kind() -> None:
    with pytest.raises(UncoveredKindError, match=r"^BLUE$"):
        check_complete(SampleColour, {SampleColour.RED: 1})
