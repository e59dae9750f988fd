"""F62: the site, the database or both fail during a turn.

All clocks stop, and the table reports the outage.
"""

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from games import services
from games.client.player import Visitor
from games.client.shares import Shares
from games.models import Match
from tests.faults.cases import TryCounter
from tests.faults.outage_checks import (
    TOLERANCE_SECONDS,
    list_log_lines,
    list_outage_seconds,
    read_time_left,
    read_until_outage_notice,
    request_time_left,
)
from tests.faults.test_f53_postgres_restarted import wait_for_turn
from tests.games.dealing import check_record
from tests.games.helpers import begin, list_log, make_match
from tests.games.sockets.test_consumers_dealing import read_until_step, send_requested_messages
from tests.games.windows import Window, open_window, open_windows
from tests.live import SiteProcess
from tests.migrated import start_postgres
from tests.own_site import OwnSite
from tests.services import Postgres

pytestmark = pytest.mark.slow

OUTAGE_SECONDS = (3, 8, 20, 90)


def iter_durations(tries: TryCounter) -> Iterator[int]:
    """Yield durations of outages in seconds: the shortest, or all in a long run."""
    for n in tries(1, len(OUTAGE_SECONDS)):
        yield OUTAGE_SECONDS[n]


def begin_match() -> Match:
    """Begin a match in which seat 0 is to act."""
    return begin(["R1 R2 R8", "R3 R4 R9"], "G5", "B1 B2 B3", turn_seconds=20)


def test_clocks_stop_while_the_site_is_killed(site_process: SiteProcess, tries: TryCounter) -> None:
    for seconds in iter_durations(tries):
        match = begin_match()
        user = match.seats.get(number=0).user
        with open_window(site_process, match, user) as window:
            window.wait_for("view")
            had = request_time_left(window)
            time.sleep(1.5)
            before = had.get_seconds_left()
            site_process.crash()
        time.sleep(seconds)
        site_process.start()
        with open_window(site_process, match, user) as window:
            window.wait_for("view")
            assert read_time_left(window).seconds == pytest.approx(before, abs=TOLERANCE_SECONDS)
            assert len(list_outage_seconds(window)) == 1
            assert list_outage_seconds(window)[0] >= seconds
            assert list_log(match) == []
            window.act({"draw": True})
            assert list_log(match) == [(0, {"draw": True}, "")]


def test_clocks_stop_while_the_site_hangs(site_process: SiteProcess, tries: TryCounter) -> None:
    for seconds in iter_durations(tries):
        match = begin_match()
        user = match.seats.get(number=0).user
        assert site_process.process is not None
        with open_window(site_process, match, user, ping_interval=None) as window:
            window.wait_for("view")
            before = request_time_left(window).get_seconds_left()
            site_process.process.send_signal(signal.SIGSTOP)
            time.sleep(seconds)
            site_process.process.send_signal(signal.SIGCONT)
        with open_window(site_process, match, user) as window:
            read_until_outage_notice(window)
            assert request_time_left(window).seconds == pytest.approx(before, abs=TOLERANCE_SECONDS)
            assert list_outage_seconds(window) == [pytest.approx(seconds, abs=1)]
            assert list_log(match) == []


@pytest.mark.nightly
def test_two_outages_are_each_compensated_once(site_process: SiteProcess) -> None:
    match = begin_match()
    user = match.seats.get(number=0).user
    with open_window(site_process, match, user) as window:
        window.wait_for("view")
        before = request_time_left(window)
    for _ in range(2):
        site_process.crash()
        time.sleep(3)
        site_process.start()
        time.sleep(1)
    with open_window(site_process, match, user) as window:
        window.wait_for("view")
        assert len(list_outage_seconds(window)) == 2
        # The clock ran for about a second between the outages.
        assert (
            before.seconds - 4 < read_time_left(window).seconds < before.seconds + TOLERANCE_SECONDS
        )


def test_players_of_a_dead_process_are_given_time_to_reconnect(
    site_process: SiteProcess, collected_static: Path
) -> None:
    match = begin_match()
    first, second = (match.seats.get(number=number).user for number in (0, 1))
    with (
        SiteProcess(collected_static) as other,
        open_window(other, match, second) as opponent,
    ):
        with open_window(site_process, match, first) as window:
            window.wait_for("view")
            before = request_time_left(window)
            time.sleep(1)
            had = before.get_seconds_left()
            site_process.crash()
        time.sleep(4)
        with open_window(other, match, first) as window:
            window.wait_for("view")
            assert read_time_left(window).seconds == pytest.approx(had, abs=TOLERANCE_SECONDS)
            assert list_outage_seconds(window) == []
            name = match.seats.get(number=0).said
            text = f"{name} was disconnected because of a problem with the site."
            assert f"{text} The clock will wait up to 15 s." in list_log_lines(window)
            opponent.send({"type": "sync"})
            opponent.wait_for("view")
            assert window.act({"draw": True})["type"] == "ack"
        site_process.start()


def test_shares_can_be_opened_after_an_outage(site_process: SiteProcess, tries: TryCounter) -> None:
    """Check that an outage longer than the deadline for shares voids no attempt."""
    for seconds in iter_durations(tries):
        match = make_match(share_seconds=5, turn_seconds=20)
        shares = [Shares(), Shares()]
        with open_windows(site_process, match) as pair:
            for window, mine in zip(pair, shares, strict=True):
                send_requested_messages(window, mine)
            services.start_match(match)
            read_until_step(pair[0], "open")
            send_requested_messages(pair[0], shares[0])
            site_process.crash()
        time.sleep(max(6, seconds))
        site_process.start()
        with open_windows(site_process, match) as pair:
            read_until_step(pair[1], "open")
            send_requested_messages(pair[1], shares[1])
            assert read_until_step(pair[1], "dealt")["void"] == []
            time.sleep(1)
            # The remaining time includes the unused time bank.
            assert request_time_left(pair[1]).seconds < 20 + match.bank_seconds
        assert [mine.complaints for mine in shares] == [[], []]
        check_record(match.hands.get())


@pytest.fixture
def database() -> Iterator[Postgres]:
    with start_postgres() as service:
        yield service


class PracticeTable:
    """Practice match against a bot, on a site that the test can only use from outside."""

    def __init__(self, site: OwnSite) -> None:
        visitor = Visitor(site.url)
        visitor.sign_in("p@college.example", "only for this test")
        self.site, self.cookies = site, visitor.cookies
        self.match = visitor.practice("uno-400", 2)

    def open(self) -> Window:
        address = f"{self.site.url.replace('http', 'ws')}/ws/match/{self.match}/"
        headers = {"Cookie": self.cookies}
        return Window(connect(address, origin=Origin(self.site.url), additional_headers=headers))


def test_clocks_stop_while_the_database_is_killed(database: Postgres, tries: TryCounter) -> None:
    site = OwnSite(database.url)
    site.make_user()
    with site:
        for seconds in iter_durations(tries):
            with PracticeTable(site).open() as window:
                wait_for_turn(window)
                before = request_time_left(window).get_seconds_left()
                database.stop(signal.SIGQUIT)
                time.sleep(seconds)
                database.start()
                read_until_outage_notice(window)
                assert request_time_left(window).seconds == pytest.approx(
                    before, abs=TOLERANCE_SECONDS
                )
                # The outage ends when the site reaches the database again.
                assert seconds - 1 <= list_outage_seconds(window)[0] < seconds + 15
                assert window.act(wait_for_turn(window))["type"] == "ack"


@pytest.mark.nightly
def test_clocks_stop_while_site_and_database_are_killed(
    database: Postgres, tries: TryCounter
) -> None:
    """Restart the site before the database."""
    site = OwnSite(database.url)
    site.make_user()
    with site:
        for seconds in iter_durations(tries):
            practice = PracticeTable(site)
            with practice.open() as window:
                wait_for_turn(window)
                before = request_time_left(window).get_seconds_left()
                database.stop(signal.SIGQUIT)
                site.stop(signal.SIGKILL)
            time.sleep(seconds)
            site.start()
            database.start()
            time.sleep(2.5)
            with practice.open() as window:
                read_until_outage_notice(window)
                assert request_time_left(window).seconds == pytest.approx(
                    before, abs=TOLERANCE_SECONDS
                )
                assert window.act(wait_for_turn(window))["type"] == "ack"
