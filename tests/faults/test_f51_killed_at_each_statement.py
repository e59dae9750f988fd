"""F51: `kill -9` before and after each statement of an action: all of it or nothing."""

import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from games import services
from games.models import LoggedAction, Match
from tests.faults.logs import check_log
from tests.games.dealing import SHARE, checked, commit, facts
from tests.games.helpers import begin, fresh, make_match
from tests.games.windows import open_window
from tests.live import SiteProcess

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

SCRIPT = Path(__file__).with_name("failpoints.py")
GONE = (ConnectionClosed, OSError, EOFError)


class FragileSite(SiteProcess):
    """The site with fail points; see failpoints.py."""

    def command(self) -> list[str]:
        return [sys.executable, str(SCRIPT), *super().command()[2:]]

    def popen_options(self) -> dict[str, Any]:
        options = super().popen_options()
        options["env"]["FAILPOINTS"] = str(self.folder)
        return options


@pytest.fixture
def fragile_site(transactional_db: None, collected_static: Path) -> Iterator[FragileSite]:
    with FragileSite(collected_static) as site:
        yield site


def attempt(site: FragileSite, match: Match, message: dict[str, Any]) -> int | None:
    """Send it; the version that it was acknowledged with, or None if nobody answered."""
    try:
        with open_window(site, match, match.seats.get(number=0).user) as window:
            window.wait_for("view")
            window.send(message)
            return int(window.answer(message["id"])["version"])
    except GONE:
        return None


def rows(match: Match) -> list[tuple[str, int]]:
    logged = LoggedAction.objects.filter(hand__match=match, client_id__gt="")
    return list(logged.values_list("client_id", "version"))


def test_an_action_that_is_killed_anywhere_is_done_whole_or_not_at_all(
    fragile_site: FragileSite,
) -> None:
    done = 0
    for number in count():
        match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
        message = {
            "type": "action",
            "id": f"die-{number}-here",
            "version": 1,
            "action": {"play": "R1"},
        }
        acked = attempt(fragile_site, match, message)
        if acked is not None:
            break
        fragile_site.stop()
        found = rows(match)
        assert found in ([], [(message["id"], 2)])
        assert Match.objects.get(pk=match.pk).version == 1 + len(found)
        check_log(match)
        done += len(found)
        fragile_site.start()
        # Versions in which the clocks alone were put right lie between.
        again = attempt(fragile_site, match, message)
        assert rows(match) == [(message["id"], again)]
        check_log(match)
    # It died at least before and after the statement that counts, and both have been seen.
    assert number >= 2
    assert 0 < done < number


def test_a_share_that_is_killed_anywhere_is_there_whole_or_not_at_all(
    fragile_site: FragileSite,
) -> None:
    """The last one, which has the hand dealt; sent again to the next process it is taken."""
    for number in count():
        match = make_match(people=1, bots=1)
        commit(match, 0)
        services.start_match(match)
        message = {"type": "open", "id": f"die-{number}-here", "hand": 1, "attempt": 1}
        message |= {"list": facts(match)["digest"], "share": SHARE}
        acked = attempt(fragile_site, match, message)
        if acked is not None:
            break
        fragile_site.stop()
        stored = fresh(match)
        dealt = match.hands.get().dealt_at is not None
        assert (stored.phase, stored.version) == (("playing", 2) if dealt else ("between", 1))
        assert bool(match.hands.get().deals.current.shares) == dealt
        fragile_site.start()
        if not dealt:
            assert attempt(fragile_site, match, message) == 2
        services.play_out(fresh(match), hands=1)
        checked(match.hands.get(number=1))
    assert number >= 4
