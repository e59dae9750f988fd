"""F9: the same id again, with the same action and with another."""

import pytest

from tests.games.helpers import begin, log
from tests.games.windows import windows
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_the_same_id_again_gets_the_same_answer(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, _):
        one = first.act({"play": "R1"}, id="same", version=1)
        two = first.act({"play": "R1"}, id="same", version=1)
        other = first.act({"play": "R2"}, id="same", version=1)
        assert one == two == {"type": "ack", "id": "same", "version": 2}
        assert other["code"] == "id-reused"
    assert len(log(match)) == 1
