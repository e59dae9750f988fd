"""F10: an action on a table that is no longer so."""

import pytest

from tests.games.helpers import begin
from tests.games.windows import windows
from tests.live import LiveSite

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_stale_action_is_refused_and_the_new_view_is_there(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with windows(live_site, match) as (first, second):
        first.act({"play": "R1"})
        answer = second.act({"play": "R3"}, version=1)
        assert (answer["code"], answer["version"]) == ("stale", 2)
        assert second.wait_until(top="R1")["turn"] == 1
