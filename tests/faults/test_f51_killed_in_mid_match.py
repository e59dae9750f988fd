"""F51: after `kill -9` during a match, each acknowledged action is stored exactly once."""

import random
import threading
import time
from functools import partial
from typing import Any

import pytest
from django.db import connection
from websockets.exceptions import ConnectionClosed

from games import queries, services
from games.models import LoggedAction, Match, Seat
from tests.faults.cases import TryCounter, mark_nightly_except
from tests.faults.logs import check_log
from tests.games.helpers import begin, make_match
from tests.games.windows import Window, open_window
from tests.live import SiteProcess
from tests.services import wait_for

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]


LOST_CONNECTION = (ConnectionClosed, OSError, EOFError)


class PersistentPlayer:
    """Player who plays random actions and resends an unanswered one after reconnecting."""

    def __init__(self, site: SiteProcess, match: Match, seat: Seat) -> None:
        self.site, self.match, self.user = site, match, seat.user
        self.acked: dict[str, int] = {}
        self.sent: dict[str, Any] | None = None
        self.number = 0
        self.rng = random.Random(seat.number)

    def play_until_gone(self) -> None:
        try:
            with open_window(self.site, self.match, self.user) as window:
                if self.sent is not None:
                    window.send(self.sent)
                self._play(window)
        except LOST_CONNECTION:
            return
        finally:
            connection.close()  # each thread has its own database connection

    def _play(self, window: Window) -> None:
        while window.view.get("match", {}).get("phase") != "over":
            message = window.read()
            if message["type"] in ("ack", "refused"):
                self._process_answer(message)
            if self.sent is None and window.view.get("turn") == window.view.get("you", -1):
                self._send_random_action(window)

    def _process_answer(self, message: dict[str, Any]) -> None:
        assert self.sent is not None
        assert message["id"] == self.sent["id"]
        if message["type"] == "ack":
            self.acked[message["id"]] = message["version"]
        self.sent = None

    def _send_random_action(self, window: Window) -> None:
        if not window.view["actions"]:
            return
        self.number += 1
        self.sent = {
            "type": "action",
            "id": f"{window.view['you']}-{self.number}",
            "version": window.version,
            "action": self.rng.choice(window.view["actions"]),
        }
        time.sleep(0.02)
        window.send(self.sent)


def begin_long_match(people: int) -> Match:
    match = make_match(people=people, options={"target": 100_000}, between_seconds=0)
    return services.start_match(match)


def has_reached(match: Match, goal: int) -> bool:
    return get_version(match) >= goal


def get_version(match: Match) -> int:
    return Match.objects.values_list("version", flat=True).get(pk=match.pk)


# The test is split into parts for several workers, because each kill restarts the site.
@pytest.mark.parametrize("part", mark_nightly_except(0, range(4)))
def test_acknowledged_action_is_never_lost_or_duplicated(
    site_process: SiteProcess, tries: TryCounter, part: int
) -> None:
    match = begin_long_match(people=2)
    players = [
        PersistentPlayer(site_process, match, seat) for seat in match.seats.order_by("number")
    ]
    rng = random.Random(part)
    for _ in tries(2, 50):
        goal = get_version(match) + rng.randint(8, 20)
        threads = [threading.Thread(target=player.play_until_gone) for player in players]
        for thread in threads:
            thread.start()
        wait_for(partial(has_reached, match, goal), "some play")
        site_process.crash()
        for thread in threads:
            thread.join(timeout=20)
        check_log(match)
        acked = {client_id: v for player in players for client_id, v in player.acked.items()}
        rows = dict(
            LoggedAction.objects.filter(hand__match=match, client_id__gt="").values_list(
                "client_id", "version"
            )
        )
        assert acked.items() <= rows.items()
        site_process.start()
    assert len(acked) >= 4


def test_table_and_hand_are_unchanged_after_a_crash(site_process: SiteProcess) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    user = match.seats.get(number=1).user
    with open_window(site_process, match, match.seats.get(number=0).user) as first:
        first.wait_for("view")
        assert first.act({"play": "R1"})["type"] == "ack"
        site_process.crash()
    site_process.start()
    with open_window(site_process, match, user) as second:
        view = second.wait_for("view")["view"]
        assert (view["match"]["id"], view["match"]["hand"]) == (match.public_id, 1)
        assert [card["card"] for card in view["cards"]] == ["R3", "R4", "R9"]
        assert (view["top"], view["turn"]) == ("R1", 1)
        assert second.act({"play": "R3"})["type"] == "ack"


def test_results_of_a_crashed_match_match_its_log(site_process: SiteProcess) -> None:
    match = begin(["R1 R2", "R3 G9"], "R5", hand_limit=1)
    first, second = (match.seats.get(number=number).user for number in (0, 1))
    with open_window(site_process, match, first) as window:
        window.wait_for("view")
        window.act({"play": "R1", "uno": True})
    site_process.crash()
    site_process.start()
    with open_window(site_process, match, second) as window:
        window.wait_for("view")
        window.act({"play": "R3", "uno": True})
    with open_window(site_process, match, first) as window:
        window.wait_for("view")
        assert window.act({"play": "R2"})["type"] == "ack"
    match.refresh_from_db()
    assert queries.score(match).winners == [0]
    check_log(match)
