"""F2: forged sessions give no access."""

import pytest

from tests.games.helpers import begin
from tests.games.windows import open_window
from tests.live import LiveSite

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


@pytest.mark.parametrize("cookie", ["sessionid=forged", "sessionid="])
def test_forged_session_closes_the_socket_and_empty_session_watches_as_a_visitor(
    live_site: LiveSite, cookie: str
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    headers = {"Cookie": cookie}
    with open_window(live_site, match, additional_headers=headers) as window:
        if cookie.endswith("forged"):
            assert window.read_close_code() == 4401
            assert window.heard == []
        else:
            assert window.wait_for("view")["view"]["you"] is None
