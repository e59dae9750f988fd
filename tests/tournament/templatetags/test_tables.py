"""The lines of a table's seats, as templates write them."""

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
SEAT = SeatView(number=1, name="Asha", registration=ASHA, points=None, place=None, through=False)


def line(seat: SeatView, mine: Registration | None = None) -> str:
    """Return the seat's line without the face and with whitespace collapsed."""
    table = cast(PublicTable, type("Alone", (), {"standing": [seat]}))
    text = re.sub(r"<svg.*?</svg>|<img[^>]*>", "", seats(table, EVENT, mine), flags=re.DOTALL)
    return " ".join(text.split())


def test_before_there_are_places_a_line_has_the_number_of_its_seat() -> None:
    told = line(SEAT)
    assert told.startswith(
        '<li class=""><span class="chair" title="Seat 2">'
        '<span class="visually-hidden">Seat </span>2</span>'
    )
    assert 'href="/e/cup/players/3/"' in told
    assert "figures" not in told


def test_the_winner_s_line_says_so_with_place_and_points() -> None:
    told = line(replace(SEAT, place=1, points=0))
    assert told.startswith('<li class="through"><span class="chair place" title="1st place">')
    assert told.endswith(
        '<span class="badge">won</span> <span class="figures points">0</span></li>'
    )


def test_who_goes_through_is_marked_for_eyes_and_ears_alone() -> None:
    told = line(replace(SEAT, place=1, through=True))
    assert told.count("advances") == 2
    assert "won" not in told


@pytest.mark.parametrize(("mine", "own"), [(ASHA, True), (Registration(pk=6), False)])
def test_the_reader_s_own_line_is_marked(mine: Registration, own: bool) -> None:
    told = line(SEAT, mine)
    assert (' you"' in told, "<small>(you)</small>" in told) == (own, own)


def test_a_bot_has_no_page_and_is_nobody_s_own() -> None:
    told = line(replace(SEAT, registration=None, name="Bot 2"), ASHA)
    assert ("href" in told, "(you)" in told) == (False, False)


def test_what_people_have_typed_is_no_markup() -> None:
    told = line(replace(SEAT, name="<b>", partner="<i>", why="<u>"))
    assert [told.count(f"&lt;{tag}&gt;") for tag in "biu"] == [1, 1, 1]
    assert '<small class="muted">with <bdi>&lt;i&gt;</bdi></small>' in told
    assert '<small class="muted why-on">&lt;u&gt;</small>' in told


def test_each_language_has_its_own_chairs() -> None:
    told = line(SEAT)
    with translation.override("hi"):
        assert line(SEAT) != told
    assert line(SEAT) == told
