"""F3: sign-out, ban or a seat given away, with the socket open."""

import time
from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session

from games.models import Seat
from tests.factories import make_user
from tests.games.helpers import begin, log
from tests.games.windows import open_window
from tests.live import LiveSite
from tests.typed import sure
from tournament.models import User

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    "end",
    [
        lambda user: Session.objects.all().delete(),
        lambda user: type(user).objects.filter(pk=user.pk).update(is_active=False),
        lambda user: type(user).objects.filter(pk=user.pk).update(password="another"),
        lambda user: Seat.objects.filter(user=user).update(user=make_user()),
    ],
    ids=["signed out", "locked", "new password", "seat given away"],
)
def test_a_sign_in_that_ends_closes_the_socket_and_refuses_at_once(
    live_site: LiveSite, end: Callable[[User], object]
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    user = match.seats.get(number=0).user
    with open_window(live_site, match, user) as acting, open_window(live_site, match, user) as idle:
        acting.wait_for("view")
        idle.wait_for("view")
        end(sure(user))
        acting.send({"type": "action", "id": "x", "version": 1, "action": {"play": "R1"}})
        start = time.monotonic()
        assert acting.closed() == 4401
        assert idle.closed() == 4401
        assert time.monotonic() - start < 5
        assert [m for m in acting.heard if m["type"] == "ack"] == []
    assert log(match) == []
