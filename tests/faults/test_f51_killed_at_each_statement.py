"""F51: an action interrupted by `kill -9` at any statement is stored completely or not at all."""

import pytest

from games.models import LoggedAction, Match
from tests.faults.cases import TryCounter
from tests.faults.fragile import LOST_CONNECTION, FragileSite, choose_failpoints
from tests.faults.logs import check_log
from tests.games.helpers import begin
from tests.games.windows import open_window

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]

MESSAGE = {"type": "action", "id": "once", "version": 1, "action": {"play": "R1"}}


def send_action(site: FragileSite, match: Match) -> int | None:
    """Send the action and return the acknowledged version, or None without a response."""
    try:
        with open_window(site, match, match.seats.get(number=0).user) as window:
            window.wait_for("view")
            window.send(MESSAGE)
            return int(window.read_answer("once")["version"])
    except LOST_CONNECTION:
        return None


def list_rows(match: Match) -> list[tuple[str, int]]:
    logged = LoggedAction.objects.filter(hand__match=match, client_id__gt="")
    return list(logged.values_list("client_id", "version"))


def begin_match() -> Match:
    return begin(["R1 R2 R8", "R3 R4 R9"], "R5")


def count_failpoints(site: FragileSite) -> int:
    """Return the number of failpoints that an action passes."""
    site.plan_death("act")
    assert send_action(site, begin_match()) == 2
    return site.count_passed_points()


def kill_at(site: FragileSite, number: int) -> bool:
    """Kill the site at a failpoint, check the stored data and resend the action.

    Return whether the action was stored before the kill.
    """
    match = begin_match()
    site.plan_death("act", number)
    assert send_action(site, match) is None
    found = list_rows(match)
    assert found in ([], [("once", 2)])
    assert Match.objects.get(pk=match.pk).version == 1 + len(found)
    check_log(match)
    site.restart_after_death()
    # The version may be higher, because correcting the clocks adds a version.
    again = send_action(site, match)
    assert list_rows(match) == [("once", again)]
    check_log(match)
    return bool(found)


def test_action_killed_at_any_statement_is_all_or_nothing(
    fragile_site: FragileSite, tries: TryCounter
) -> None:
    count = count_failpoints(fragile_site)
    done = [kill_at(fragile_site, number) for number in choose_failpoints(tries, 2, count)]
    # The first kill comes before the action is stored, the last one after that.
    assert done == sorted(done)
    assert {*done, kill_at(fragile_site, 0), kill_at(fragile_site, count - 1)} == {True, False}
