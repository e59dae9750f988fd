"""F3: a sign-out, a locked account or a reassigned seat while a socket is open."""

import threading
import time
from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from games import store
from games.models import Seat
from tests.factories import make_user
from tests.games.helpers import begin, list_log
from tests.games.windows import open_window
from tests.live import SESSION_COOKIE, LiveSite
from tests.typed import sure
from tournament.models import User

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (lambda user: Session.objects.all().delete(), 4401),
        (lambda user: type(user).objects.filter(pk=user.pk).update(is_active=False), 4401),
        (lambda user: type(user).objects.filter(pk=user.pk).update(password="another"), 4401),
        (lambda user: Seat.objects.filter(user=user).update(user=make_user()), 4403),
    ],
    ids=["signed out", "locked", "new password", "seat given away"],
)
def test_ended_session_closes_the_socket_and_refuses_further_commands(
    live_site: LiveSite, end: Callable[[User], object], code: int
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    user = match.seats.get(number=0).user
    with open_window(live_site, match, user) as acting, open_window(live_site, match, user) as idle:
        acting.wait_for("view")
        idle.wait_for("view")
        end(sure(user))
        acting.send({"type": "action", "id": "x", "version": 1, "action": {"play": "R1"}})
        start = time.monotonic()
        assert acting.read_close_code() == 4401
        assert idle.read_close_code() == code
        assert time.monotonic() - start < 5
        assert [m for m in acting.heard if m["type"] == "ack"] == []
    assert list_log(match) == []


class PausedCommand:
    """Command that pauses before its commit: it sets `begun` and waits for `go`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self.go = threading.Event(), threading.Event()
        self._commit = store.commit
        monkeypatch.setattr(store, "commit", self.commit)

    def commit(self, change: store.MatchChange) -> store.Snapshot:
        self.begun.set()
        assert self.go.wait(20)
        return self._commit(change)


def test_command_pending_at_sign_out_is_not_executed(
    live_site: LiveSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    phone, held = Client(), PausedCommand(monkeypatch)
    phone.force_login(sure(match.seats.get(number=0).user))
    cookie = f"{SESSION_COOKIE}={phone.cookies[SESSION_COOKIE].value}"
    with open_window(live_site, match, additional_headers={"Cookie": cookie}) as window:
        window.wait_for("view")
        window.send({"type": "action", "id": "x", "version": 1, "action": {"play": "R1"}})
        assert held.begun.wait(20)
        phone.post(reverse("account_logout"))
        held.go.set()
        assert window.read_close_code() == 4401
        assert [m for m in window.heard if m["type"] in ("ack", "refused")] == []
    assert list_log(match) == []


def test_sign_out_on_one_phone_leaves_the_other_at_the_table(live_site: LiveSite) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    user = sure(match.seats.get(number=0).user)
    phone = Client()
    phone.force_login(user)
    with open_window(live_site, match, user) as other:
        other.wait_for("view")
        phone.post(reverse("account_logout"))
        assert other.act({"play": "R1"})["type"] == "ack"
