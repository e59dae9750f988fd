"""F6: an action out of turn."""

import pytest

from tests.games.helpers import begin
from tests.games.windows import windows
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_refused_action_is_answered_to_its_sender_alone(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, second):
        answer = second.act({"play": "R3"})
        assert answer == {
            "type": "refused",
            "id": answer["id"],
            "code": "not-your-turn",
            "message": "It is not your turn.",
            "version": 1,
        }
        first.send({"type": "ping", "version": 1})
        assert first.wait_for("pong")["version"] == 1
        assert [message["type"] for message in first.heard].count("refused") == 0
