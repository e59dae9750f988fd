"""F16: more messages than anybody needs."""

import pytest

from tests.games.helpers import begin
from tests.games.windows import open_window
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_more_than_100_messages_in_20_seconds_are_too_many(live_site: LiveSite) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    with open_window(live_site, match) as window:
        window.wait_for("view")
        for _ in range(100):
            window.send({"type": "ping", "version": 1})
        for _ in range(100):
            window.wait_for("pong")
        window.send({"type": "ping", "version": 1})
        assert window.closed() == 1008
