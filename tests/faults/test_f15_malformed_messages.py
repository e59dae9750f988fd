"""F15: JSON that is broken, nested deep or not ours."""

import pytest

from tests.games.helpers import begin
from tests.games.windows import windows
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"type":"sync","type":"sync"}', '{"type":"\\ud800"}', "[" * 5000],
)
def test_malformed_messages_are_refused_and_the_socket_lives(
    live_site: LiveSite, text: str
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, _):
        first.send(text)
        refused = first.wait_for("refused")
        assert (refused["code"], refused["id"]) == ("malformed", None)
        assert first.act({"play": "R1"})["type"] == "ack"
