"""F57: a player's network fails or is slow. The match does not change, and no turn is lost."""

import time
from contextlib import ExitStack

import pytest

from games.models import LoggedAction, Match
from tests.faults.cases import TryCounter
from tests.faults.outage_checks import (
    TOLERANCE_SECONDS,
    get_compensated_seconds,
    list_outage_seconds,
    request_time_left,
)
from tests.games.helpers import begin, reload
from tests.games.windows import Window, open_window
from tests.live import SiteProcess
from tests.network import Network, Quality

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

# A delay of 100 to 500 ms in each direction, and one chunk in twenty lost.
BAD_NETWORK = Quality(delay=(0.1, 0.5), loss=0.05)
FIRST_CARDS = " ".join(f"R{number}" for number in range(1, 8))
SECOND_CARDS = " ".join(f"R{number}" for number in range(1, 8))


def begin_match(turn_seconds: int = 60) -> Match:
    return begin([FIRST_CARDS, SECOND_CARDS], "R9", "G1 G2", turn_seconds=turn_seconds)


def view_without_times(window: Window) -> dict[str, object]:
    """Return the view without clocks, presence and outage messages, which depend on time."""
    others = ("clock", "seats", "last", "log")
    kept = {key: value for key, value in window.view.items() if key not in others}
    lines = [line["text"] for line in window.view["log"]]
    found = [text for text in lines if not text.startswith("The site was down for")]
    return kept | {"counts": [seat["count"] for seat in window.view["seats"]], "told": found}


# A window can wait only briefly, because the site drops a silent connection after at most 19 s.
@pytest.mark.parametrize(("way", "longest"), [("waits", 7), ("opens a new window", 30)])
def test_table_is_unchanged_after_a_network_outage(
    way: str, longest: int, site_process: SiteProcess, tries: TryCounter
) -> None:
    for seconds in [(3, longest)[n] for n in tries(1, 2)]:
        match = begin_match()
        user = match.seats.get(number=0).user
        with Network(site_process.port) as network, ExitStack() as stack:
            window = stack.enter_context(open_window(network, match, user, ping_interval=None))
            window.wait_for("view")
            before, had = request_time_left(window), view_without_times(window)
            with network.outage():
                time.sleep(seconds)
            if way == "opens a new window":
                network.cut_connections()
                window = stack.enter_context(open_window(network, match, user))
                window.wait_for("view")
            left = request_time_left(window)
            assert view_without_times(window) == had
            # The clock kept running, because only this player's connection failed.
            assert left.seconds == pytest.approx(
                before.get_seconds_left() + get_compensated_seconds(), abs=TOLERANCE_SECONDS
            )
            assert bool(list_outage_seconds(window)) == bool(get_compensated_seconds())
            assert window.act({"play": "R1"})["type"] == "ack"


def test_every_turn_is_played_once_on_a_bad_network(
    site_process: SiteProcess, tries: TryCounter
) -> None:
    for _ in tries(1, 10):
        match = begin_match(turn_seconds=15)
        people = [seat.user for seat in match.seats.order_by("number")]
        with Network(site_process.port, BAD_NETWORK) as network, ExitStack() as stack:
            windows = [
                stack.enter_context(open_window(network, match, user, ping_interval=None))
                for user in people
            ]
            for number in range(1, 6):
                for seat, window in enumerate(windows):
                    window.wait_for_view(turn=seat)
                    assert window.act({"play": f"R{number}"})["type"] == "ack"
        played = LoggedAction.objects.filter(hand__match=match).order_by("number")
        assert [(row.player, row.auto) for row in played] == [(0, ""), (1, "")] * 5
        assert reload(match).state.banks == {}
