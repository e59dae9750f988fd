"""Tests that players' shares are not late because the site was slow."""

from datetime import timedelta

import pytest

from games import services
from games.clocks.process_delay import Lateness
from games.models import Match
from games.process import Process
from games.seats import SeatNumber
from tests.games.dealing import commit_to_share, get_deal_facts, get_prepared_hand, open_share
from tests.games.helpers import make_match, reload
from tests.typed import sure

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


def add_lateness(process: Process, seconds: float) -> None:
    process.part(Lateness).record_delay(seconds)


def make_match_with_share_list() -> Match:
    """Start a match in which both players have committed and neither has opened a share."""
    match = services.start_match(make_match(share_seconds=5))
    for seat in (0, 1):
        commit_to_share(match, seat)
    match = reload(match)
    assert get_deal_facts(match)["step"] == "open"
    return match


def test_slow_site_extends_the_time_for_commitments(process: Process) -> None:
    match = services.start_match(make_match(share_seconds=5))
    due = sure(match.due)
    add_lateness(process, 3.0)
    services.tick(due)
    match = reload(match)
    assert (match.phase, get_deal_facts(match)["step"], sure(match.due) - due) == (
        "between",
        "commit",
        timedelta(seconds=3),
    )
    commit_to_share(match, 0)
    services.tick(sure(match.due))
    assert get_deal_facts(reload(match))["step"] == "open"


def test_late_share_on_a_slow_site_does_not_count_as_a_failure(process: Process) -> None:
    match = make_match_with_share_list()
    due = sure(match.due)
    add_lateness(process, 4.0)
    services.tick(due)
    match = reload(match)
    assert sure(match.due) - due == timedelta(seconds=4)
    for seat in (0, 1):
        open_share(match, seat)
    match = reload(match)
    assert match.phase == "playing"
    deals = match.hands.get().deals
    assert deals.current.number == 1
    assert [deals.count_failures(SeatNumber(seat)) for seat in (0, 1)] == [0, 0]


def test_slow_site_waits_only_once_for_a_missing_share(process: Process) -> None:
    match = make_match_with_share_list()
    open_share(match, 0)
    add_lateness(process, 4.0)
    services.tick(sure(match.due))
    services.tick(sure(reload(match).due))
    match = reload(match)
    assert get_prepared_hand(match).deals.current.number == 2
    assert get_prepared_hand(match).deals.count_failures(SeatNumber(1)) == 1


def test_site_without_delay_does_not_extend_the_wait(process: Process) -> None:
    match = make_match_with_share_list()
    add_lateness(process, 0.2)
    services.tick(sure(match.due))
    assert get_prepared_hand(reload(match)).deals.current.number == 2


def test_lateness_does_not_delay_a_complete_deal(process: Process) -> None:
    match = services.start_match(make_match(people=2, share_seconds=5))
    add_lateness(process, 3.0)
    for seat in (0, 1):
        commit_to_share(match, seat)
    assert get_deal_facts(reload(match))["step"] == "open"
