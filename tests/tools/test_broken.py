"""What `make nightly` breaks of each fault stands where it says, and breaks it."""

import pytest

from tests.check import ROOT
from tests.faults.broken import BREAKS, Break, broken_text


@pytest.mark.parametrize("broken", BREAKS, ids=lambda broken: f"F{broken.number}")
def test_what_is_broken_is_there_once_and_has_tests(broken: Break) -> None:
    text = (ROOT / broken.file).read_text()
    assert broken_text(broken, text) != text
    assert list((ROOT / "tests/faults").glob(f"test_f{broken.number:02}_*.py"))


def test_what_stands_elsewhere_by_now_is_said() -> None:
    with pytest.raises(ValueError, match="F20: 'MOST' stands not once in places"):
        broken_text(Break(20, "places.py", "MOST", "LEAST"), "MOST = MOST + 1")
