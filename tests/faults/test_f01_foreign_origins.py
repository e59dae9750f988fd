"""F1: pages of other origins cannot open sockets."""

import pytest
from pytest_django import Settings
from websockets.exceptions import InvalidStatus

from tests.games.helpers import begin
from tests.games.windows import open_window
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://evil.example",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:1",
        "http://127.0.0.1",
        "http://127.0.0.1:{port}.evil.example",
        "http://localhost:{port}",
    ],
)
def test_only_own_pages_may_open_sockets(live_site: LiveSite, origin: str | None) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    origin = origin and origin.format(port=live_site.port)
    with pytest.raises(InvalidStatus) as info:
        open_window(live_site, match, match.seats.get(number=0).user, origin=origin)
    assert info.value.response.status_code == 403


def test_trusted_origins_may_open_sockets(live_site: LiveSite, settings: Settings) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://cards.example.edu"]
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(live_site, match, origin="https://cards.example.edu") as window:
        window.wait_for("view")
