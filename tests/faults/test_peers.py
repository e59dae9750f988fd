"""Peers that misbehave: do not read, do not answer, offer compression."""

import pytest

from tests.games.helpers import begin
from tests.games.windows import open_window
from tests.live import SiteProcess

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def test_compression_is_declined(site_process: SiteProcess) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(site_process, match, compression="deflate") as window:
        window.wait_for("view")
        assert window.socket.protocol.extensions == []
