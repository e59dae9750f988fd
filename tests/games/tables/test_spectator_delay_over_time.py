"""Tests of the time that a stream shows, and of its notices."""

from datetime import datetime
from typing import Any

import pytest

from games.models import Match
from games.seats import SeatNumber
from games.tables import spectator_delay
from games.tables.spectator_delay import LIVE_STREAM, Stream
from tests.games.unsaved import NOON, seconds_after_noon

LIVE, DELAYED, HAND = "live", "delayed", "hand"
FROZEN_NOTICE = "Viewers see this table as it was when the leaderboard was frozen."


@pytest.mark.parametrize(
    ("stream", "text"),
    [
        (Stream(), ""),
        (Stream(DELAYED, 45), "You see every move with a delay of 45 seconds."),
        (Stream(DELAYED, 60), "You see every move with a delay of 1 minute."),
        (Stream(HAND), "You see each hand once it’s over."),
        (
            Stream(DELAYED, 30, since=NOON),
            "You see all cards with a delay of 30 seconds. Your visit is logged.",
        ),
        (
            Stream(HAND, since=NOON),
            "You’ll see all the cards once the hand is over. Your visit is logged.",
        ),
        (Stream(until=NOON), FROZEN_NOTICE),
        (Stream(HAND, until=NOON), FROZEN_NOTICE),
        (Stream(DELAYED, 45, until=NOON), FROZEN_NOTICE),
    ],
)
def test_stream_has_a_notice_for_viewers(stream: Stream, text: str) -> None:
    assert stream.text == text


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (1, "1 second"),
        (45, "45 seconds"),
        (59, "59 seconds"),
        (60, "1 minute"),
        (61, "61 seconds"),
        (90, "90 seconds"),
        (120, "2 minutes"),
        (3600, "60 minutes"),
    ],
)
def test_whole_minute_delays_are_given_in_minutes(seconds: int, expected: str) -> None:
    assert spectator_delay.delay_text(seconds) == expected


@pytest.mark.parametrize(
    ("stream", "past", "key", "moment"),
    [
        (Stream(), False, 0, 100),
        (Stream(HAND), False, 0, 100),
        (Stream(DELAYED, 45), True, 45, 55),
        (Stream(DELAYED, 0), True, 0, 100),
        (Stream(until=seconds_after_noon(30)), True, -1, 30),
        (Stream(until=seconds_after_noon(300)), True, -1, 100),
        (Stream(DELAYED, 45, until=seconds_after_noon(80)), True, -1, 55),
        (Stream(DELAYED, 45, until=seconds_after_noon(30)), True, -1, 30),
        (Stream(HAND, until=seconds_after_noon(30)), True, -1, 30),
    ],
)
def test_stream_determines_the_time_that_a_window_shows(
    stream: Stream, past: bool, key: int, moment: float
) -> None:
    assert (stream.past, stream.key, stream.shown_moment(seconds_after_noon(100))) == (
        past,
        key,
        seconds_after_noon(moment),
    )


@pytest.mark.parametrize(("since", "commentary"), [(None, False), (NOON, True)])
def test_only_a_stream_with_a_start_time_is_for_commentary(
    since: datetime | None, commentary: bool
) -> None:
    assert Stream(DELAYED, 30, since=since).commentary is commentary


# --- streams by the settings of a match


@pytest.mark.parametrize(
    ("fields", "stream"),
    [
        ({}, LIVE_STREAM),
        ({"viewer_delay_seconds": 45}, LIVE_STREAM),
        ({"viewers": DELAYED, "viewer_delay_seconds": 45}, Stream(DELAYED, 45)),
        ({"viewers": HAND, "viewer_delay_seconds": 45}, Stream(HAND)),
        ({"viewers_until": NOON}, Stream(until=NOON)),
        (
            {"viewers": DELAYED, "viewer_delay_seconds": 45, "viewers_until": NOON},
            Stream(DELAYED, 45, until=NOON),
        ),
    ],
)
def test_match_settings_apply_to_viewers_but_not_to_seats(
    fields: dict[str, Any], stream: Stream
) -> None:
    match = Match(**fields)
    assert spectator_delay.stream_of(match, None) == stream
    assert spectator_delay.stream_of(match, SeatNumber(0)) is LIVE_STREAM


DELAY_NOTICE = "Commentators can see everyone’s cards with a delay of {}."
COMMENTARY_CASES = [
    ({}, Stream(DELAYED, 30, since=NOON), DELAY_NOTICE.format("30 seconds")),
    (
        {"viewers": DELAYED, "viewer_delay_seconds": 45},
        Stream(DELAYED, 45, since=NOON),
        DELAY_NOTICE.format("45 seconds"),
    ),
    (
        {"viewers": DELAYED, "viewer_delay_seconds": 10},
        Stream(DELAYED, 30, since=NOON),
        DELAY_NOTICE.format("30 seconds"),
    ),
    (
        {"viewer_delay_seconds": 45},
        Stream(DELAYED, 30, since=NOON),
        DELAY_NOTICE.format("30 seconds"),
    ),
    (
        {"viewers": HAND, "viewer_delay_seconds": 45},
        Stream(HAND, since=NOON),
        "Commentators can see everyone’s cards after each hand.",
    ),
]


@pytest.mark.parametrize(("fields", "stream", "expected"), COMMENTARY_CASES)
def test_commentary_delay_is_half_a_minute_or_a_longer_viewer_delay(
    fields: dict[str, Any], stream: Stream, expected: str
) -> None:
    match = Match(**fields)
    assert spectator_delay.commentary_stream(match, NOON) == stream
    assert spectator_delay.describe_open_cards(match) == ""
    match.commentary = True
    assert spectator_delay.describe_open_cards(match) == expected


def test_match_without_a_start_time_has_no_commentary_stream() -> None:
    assert not spectator_delay.commentary_stream(Match(), None).commentary
