"""F12: two windows or phones of one player. Only one of them controls the seat."""

import pytest

from tests.games.helpers import begin, list_log
from tests.games.windows import open_window
from tests.live import LiveSite

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


def test_newest_window_controls_the_seat_until_the_other_takes_over(
    live_site: LiveSite,
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    user = match.seats.get(number=0).user
    with open_window(live_site, match, user) as first:
        first.wait_for_view(controls=True)
        with open_window(live_site, match, user) as second:
            second.wait_for_view(controls=True)
            assert first.wait_for("notice")["code"] == "other_tab"
            first.wait_for_view(controls=False)
            first.send({"type": "take_over"})
            first.wait_for_view(controls=True)
            assert second.wait_for("notice")["code"] == "other_tab"
            second.wait_for_view(controls=False)
            assert second.act({"play": "R1"})["type"] == "ack"
            second.wait_for_view(controls=True)
            first.wait_for_view(controls=False)


def test_two_phones_acting_simultaneously_play_once(live_site: LiveSite) -> None:
    """Send an action from each of two phones at the same time."""
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    user = match.seats.get(number=0).user
    with (
        open_window(live_site, match, user) as one,
        open_window(live_site, match, user) as two,
    ):
        for phone, card in ((one, "R1"), (two, "R2")):
            phone.wait_for("view")
            phone.send({"type": "action", "id": card, "version": 1, "action": {"play": card}})
        answers = {one.read_answer("R1")["type"], two.read_answer("R2")["type"]}
        assert answers == {"ack", "refused"}
        played = list_log(match)[0][1]["play"]
        assert {phone.wait_for_view(top=played)["turn"] for phone in (one, two)} == {1}
    assert len(list_log(match)) == 1


def test_both_phones_see_the_same_cards_and_only_one_controls(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    user = match.seats.get(number=0).user
    with open_window(live_site, match, user) as one:
        one.wait_for_view(controls=True)
        with open_window(live_site, match, user) as two:
            views = [two.wait_for_view(controls=True), one.wait_for_view(controls=False)]
        held = [[card["card"] for card in view["cards"]] for view in views]
        assert held == [["R1", "R2", "R8"]] * 2


def test_remaining_phone_takes_over_by_acting(
    live_site: LiveSite,
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    user = match.seats.get(number=0).user
    with open_window(live_site, match, user) as one:
        one.wait_for_view(controls=True)
        with open_window(live_site, match, user) as two:
            two.wait_for_view(controls=True)
            one.wait_for_view(controls=False)
        assert one.act({"play": "R1"})["type"] == "ack"
        one.wait_for_view(controls=True)
