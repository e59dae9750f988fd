from datetime import UTC, datetime

import pytest
from django.utils import timezone

from tournament.common.moments import moment_text, second_text

MOMENT = datetime(2026, 11, 28, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("UTC", "Sat 28 November 2026, 09:30 UTC"),
        ("Asia/Kolkata", "Sat 28 November 2026, 15:00 IST"),
        ("Asia/Kathmandu", "Sat 28 November 2026, 15:15 UTC+05:45"),
    ],
)
def test_a_moment_is_never_without_its_zone(zone: str, text: str) -> None:
    with timezone.override(zone):
        assert moment_text(MOMENT) == text


def test_a_log_tells_the_second() -> None:
    with timezone.override("Asia/Kolkata"):
        assert second_text(MOMENT.replace(second=7)) == "Sat 28 November 2026, 15:00:07 IST"
