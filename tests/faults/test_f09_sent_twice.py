"""F9: an action id that is sent twice, with the same action or a different one."""

from typing import Any

import pytest

from tests.games.helpers import begin, list_log
from tests.games.windows import open_window, open_windows
from tests.live import LiveSite

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


def test_repeated_id_gets_the_same_answer(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, _):
        one = first.act({"play": "R1"}, id="same", version=1)
        two = first.act({"play": "R1"}, id="same", version=1)
        other = first.act({"play": "R2"}, id="same", version=1)
        assert one == two == {"type": "ack", "id": "same", "version": 2}
        assert other["code"] == "id-reused"
    assert len(list_log(match)) == 1


def test_repeated_action_from_a_new_window_gets_the_same_answer(
    live_site: LiveSite,
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second):
        answer = first.act({"play": "R1"}, id="once", version=1)
        second.catch_up(2)
        second.act({"play": "R3"})
    with open_window(live_site, match, match.seats.get(number=0).user) as again:
        again.wait_for("view")
        assert again.act({"play": "R1"}, id="once", version=1) == answer
        assert again.act({"play": "R1"}, id="once", version=3) == answer
    assert len(list_log(match)) == 2


@pytest.mark.parametrize(
    "other", [{"play": "R8"}, {"draw": True}, {"play": "R1", "uno": True}, {"call": True}]
)
def test_different_action_with_a_used_id_is_refused(
    live_site: LiveSite, other: dict[str, Any]
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second):
        first.act({"play": "R1"}, id="once")
        second.catch_up(2)
        second.act({"play": "R3"})
        first.catch_up(3)
        assert first.act(other, id="once", version=3)["code"] == "id-reused"
    assert len(list_log(match)) == 2


def test_ids_are_separate_for_each_seat(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second):
        assert first.act({"play": "R1"}, id="1")["type"] == "ack"
        second.catch_up(2)
        assert second.act({"play": "R3"}, id="1")["type"] == "ack"


def test_refused_id_may_be_used_again(live_site: LiveSite) -> None:
    """Reuse an id whose action was refused and therefore not stored."""
    match = begin(["R1 R2 G8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, _):
        assert first.act({"play": "G8"}, id="1")["code"] == "does-not-fit"
        assert first.act({"play": "R1"}, id="1")["type"] == "ack"
