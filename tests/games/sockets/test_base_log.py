"""Tests of log lines about sockets that were closed because of an invalid message."""

import pytest

from tests.games.helpers import begin
from tests.games.windows import open_window
from tests.live import LiveSite
from tests.typed import sure

pytestmark = pytest.mark.django_db(transaction=True)


def list_log_messages(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.name == "games.sockets.base"]


def test_invalid_message_from_a_player_is_logged_with_the_account(
    live_site: LiveSite, caplog: pytest.LogCaptureFixture
) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    user = sure(match.seats.get(number=0).user)
    with open_window(live_site, match, user) as window:
        window.wait_for("view")
        window.send(b"\x00")
        assert window.read_close_code() == 1003
    where = f"/ws/match/{match.public_id}/"
    assert list_log_messages(caplog) == [
        f"Socket closed with 1003: account {user.pk} from 127.0.0.1 at {where}"
    ]


def test_invalid_message_from_a_visitor_is_logged_with_the_address(
    live_site: LiveSite, caplog: pytest.LogCaptureFixture
) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    with open_window(live_site, match) as window:
        window.wait_for("view")
        window.send(" " * 9000)
        assert window.read_close_code() == 1009
    where = f"/ws/match/{match.public_id}/"
    assert list_log_messages(caplog) == [
        f"Socket closed with 1009: account - from 127.0.0.1 at {where}"
    ]


def test_closing_the_socket_of_a_signed_out_player_is_not_logged(
    live_site: LiveSite, caplog: pytest.LogCaptureFixture
) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    user = sure(match.seats.get(number=0).user)
    with open_window(live_site, match, user) as window:
        window.wait_for("view")
        type(user).objects.filter(pk=user.pk).update(password="another")
        assert window.read_close_code() == 4401
    assert list_log_messages(caplog) == []
