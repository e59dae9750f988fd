"""Tests of the stored round trips of players' connections."""

from datetime import timedelta
from typing import Any

import pytest

from games import facts, services
from games.clocks.lag import Meter
from games.models import RoundTrip
from games.workers import sweep
from tests.games.helpers import begin
from tests.games.windows import open_window, wait_for_condition
from tests.live import LiveSite
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

HANDS = ["R1 R2 R8", "R3 R4 R9"]


def test_smallest_echo_and_smallest_ping_are_separate() -> None:
    meter = Meter()
    assert meter.smallest_round_trips(0) == (None, None)
    for now in (1.0, 2.0):
        meter.record_echo(sure(meter.start_probe(now - now / 10)), now)
        meter.pongs.record(now / 20, now)
    echo, ping = meter.smallest_round_trips(3)
    assert echo == pytest.approx(0.1)
    assert ping == pytest.approx(0.05)
    assert meter.smallest_round_trips(30) == (None, None)


def test_round_trips_are_stored_in_milliseconds(django_assert_num_queries: Any) -> None:
    first, second = begin(HANDS, "R5").seats.order_by("number")
    with django_assert_num_queries(1):
        services.store_round_trips({first.pk: (0.2504, 0.03), second.pk: (None, 0.9)})
    kept = list(RoundTrip.objects.values_list("seat", "echo", "ping"))
    assert kept == [(first.pk, 250, 30), (second.pk, None, 900)]


def test_nothing_is_stored_without_measurements() -> None:
    seat = begin(HANDS, "R5").seats.get(number=0)
    services.store_round_trips({seat.pk: (None, None)})
    assert not RoundTrip.objects.exists()


def test_round_trips_of_a_match_are_listed_by_seat_latest_first(
    django_assert_num_queries: Any,
) -> None:
    match = begin([*HANDS, "Y1 Y2 Y3"], "R5", bots=1)
    other = begin(HANDS, "R5").seats.get(number=0)
    first, second, _ = match.seats.order_by("number")
    for seconds in (0.1, 0.2):
        services.store_round_trips({first.pk: (seconds, None), other.pk: (9.0, None)})
    RoundTrip.objects.filter(echo=100).update(at=RoundTrip.objects.all()[0].at - timedelta(hours=1))
    with django_assert_num_queries(2):
        found = facts.round_trips(match)
    assert {seat.pk: [trip.echo for trip in trips] for seat, trips in found.items()} == {
        first.pk: [200, 100],
        second.pk: [],
    }


@pytest.mark.django_db(transaction=True)
def test_sweep_stores_round_trips_of_open_connections(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep, "LINES_EVERY", 2)
    match = begin(HANDS, "R5")
    seat = match.seats.get(number=0)
    with open_window(live_site, match, seat.user) as window, open_window(live_site, match):
        window.wait_for("view")
        wait_for_condition(lambda: RoundTrip.objects.exclude(ping=None).exists())
    assert set(RoundTrip.objects.values_list("seat", flat=True)) == {seat.pk}
