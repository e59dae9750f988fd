"""Tests of the seats of a table as list items."""

import re
from dataclasses import replace
from typing import cast

import pytest
from django.utils import translation

from tournament.hall.table_views import PublicTable, SeatView
from tournament.models import Event, Registration
from tournament.templatetags.tables import seats

EVENT = Event(pk=1, slug="cup")
ASHA = Registration(pk=5, queue_number=3, user_id=9, name="Asha")
SEAT_VIEW = SeatView(
    number=1, name="Asha", registration=ASHA, points=None, place=None, through=False
)


def render_seat_line(seat: SeatView, mine: Registration | None = None) -> str:
    """Return the seat's list item without its avatar, and with whitespace collapsed."""
    table = cast(PublicTable, type("Alone", (), {"standing": [seat]}))
    text = re.sub(r"<svg.*?</svg>|<img[^>]*>", "", seats(table, EVENT, mine), flags=re.DOTALL)
    return " ".join(text.split())


def test_seat_number_is_shown_before_places_are_known() -> None:
    message = render_seat_line(SEAT_VIEW)
    assert message.startswith(
        '<li class=""><span class="chair" title="Seat 2">'
        '<span class="visually-hidden">Seat </span>2</span>'
    )
    assert 'href="/e/cup/players/3/"' in message
    assert "figures" not in message


def test_winner_row_shows_place_and_points() -> None:
    message = render_seat_line(replace(SEAT_VIEW, place=1, points=0))
    assert message.startswith('<li class="through"><span class="chair place" title="1st place">')
    assert message.endswith(
        '<span class="badge">won</span> <span class="figures points">0</span></li>'
    )


def test_mark_for_advancing_is_visible_and_read_aloud() -> None:
    message = render_seat_line(replace(SEAT_VIEW, place=1, through=True))
    assert message.count("advances") == 2
    assert "won" not in message


@pytest.mark.parametrize(("mine", "is_own"), [(ASHA, True), (Registration(pk=6), False)])
def test_only_the_viewers_own_seat_is_marked(mine: Registration, is_own: bool) -> None:
    message = render_seat_line(SEAT_VIEW, mine)
    assert (' you"' in message, "<small>(you)</small>" in message) == (is_own, is_own)


def test_bot_seat_has_no_link_and_is_never_marked_as_own() -> None:
    message = render_seat_line(replace(SEAT_VIEW, registration=None, name="Bot 2"), ASHA)
    assert ("href" in message, "(you)" in message) == (False, False)


def test_user_input_is_escaped() -> None:
    message = render_seat_line(replace(SEAT_VIEW, name="<b>", partner="<i>", why="<u>"))
    assert [message.count(f"&lt;{tag}&gt;") for tag in "biu"] == [1, 1, 1]
    assert '<small class="muted">with <bdi>&lt;i&gt;</bdi></small>' in message
    assert '<small class="muted why-on">&lt;u&gt;</small>' in message


def test_seat_labels_follow_the_active_language() -> None:
    message = render_seat_line(SEAT_VIEW)
    with translation.override("hi"):
        assert render_seat_line(SEAT_VIEW) != message
    assert render_seat_line(SEAT_VIEW) == message
