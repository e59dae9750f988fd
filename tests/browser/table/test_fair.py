"""Browser tests of races between calls and catches, and of measuring lag."""

import re
import time
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from games import services
from games.models import Match
from games.seats import SeatNumber
from tests.browser.conftest import Windows
from tests.browser.tables import deal, locate_card, open_seat
from tests.games.windows import list_table_sockets
from tests.services import wait_for

pytestmark = pytest.mark.browser

HANDS = ["R7 G4", "Y1 G1", "B1 B2"]


def test_u44_page_echoes_the_probes_of_the_server(open_page: Windows) -> None:
    open_seat(open_page, deal(HANDS))
    meters = [one.line for one in list_table_sockets() if one.seat == 0]
    wait_for(lambda: meters[0].echoes.estimate.known, "the echo")
    wait_for(lambda: meters[0].pongs.estimate.known, "the browser's own answer")
    lag = meters[0].lag(time.monotonic())
    assert 0 <= lag.usual < 7
    assert 0 < lag.smallest < 7


def test_u46_pending_catch_is_hidden_and_an_earlier_call_beats_it(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.clocks.races.WINDOW_MS", 4000)
    match = deal(HANDS)
    asha, ben = open_seat(open_page, match, 0), open_seat(open_page, match, 1)
    locate_card(asha, "Red 7").click()
    wait_for(lambda: Match.objects.get(pk=match.pk).version == 2, "the play")
    played = timezone.now()
    catch = ben.get_by_role("button", name="Catch Asha")
    expect(catch).to_be_visible()
    ben.wait_for_timeout(1000)  # longer than the lag of a busy machine
    catch.click()
    expect(ben.locator("#prompt")).to_have_text("Sending …")
    wait_for(lambda: has_undecided_race(match), "the claim")
    expect(asha.locator(".ticker")).to_have_text("You play Red 7.")
    expect(asha.locator(".action-call")).to_be_enabled()
    call: dict[str, Any] = {"version": 2, "client_id": "slow", "received": played}
    with pytest.raises(services.UndecidedError):
        services.act(match.pk, SeatNumber(0), {"call": True}, **call)
    expect(ben.locator("#prompt")).to_have_text(
        re.compile(r"Asha said UNO \d\.\d\d s before you\.")
    )
    expect(asha.locator(".ticker")).to_have_text(
        re.compile(r"You say UNO\. Ben’s catch came \d\.\d\d s later\.")
    )


def test_u46_catch_without_an_earlier_call_counts(open_page: Windows) -> None:
    match = deal(HANDS)
    asha, ben = open_seat(open_page, match, 0), open_seat(open_page, match, 1)
    locate_card(asha, "Red 7").click()
    ben.get_by_role("button", name="Catch Asha").click()
    expect(asha.locator(".card-button")).to_have_count(3)
    expect(ben.locator(".action-catch")).to_have_count(0)


def has_undecided_race(match: Match) -> bool:
    match.refresh_from_db()
    return bool(match.race)
