"""F14: messages over 8 KiB, and binary messages."""

import pytest

from tests.games.helpers import begin
from tests.games.windows import open_window, open_windows
from tests.live import LiveSite, SiteProcess

pytestmark = pytest.mark.django_db(transaction=True)


def test_binary_message_is_refused(live_site: LiveSite) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    with open_window(live_site, match) as window:
        window.wait_for("view")
        window.send(b"\x00\x01")
        assert window.read_close_code() == 1003


@pytest.mark.parametrize(("size", "code"), [(8192, None), (8193, 1009), (200_000, 1009)])
def test_message_over_8_kib_is_refused(live_site: LiveSite, size: int, code: int | None) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    with open_window(live_site, match) as window:
        window.wait_for("view")
        window.send('{"type":"sync"}'.ljust(size))
        if code is None:
            window.wait_for("view")
        else:
            assert window.read_close_code() == code


@pytest.mark.slow
def test_big_message_is_refused_before_it_is_complete(site_process: SiteProcess) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_window(site_process, match) as window:
        window.wait_for("view")
        window.send(" " * 1_000_000)
        assert window.read_close_code() == 1009


def test_size_limit_counts_bytes_not_characters(live_site: LiveSite) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    with open_window(live_site, match) as window:
        window.wait_for("view")
        window.send('{"type":"sync"}' + "\N{BLACK HEART SUIT}" * 2700)
        assert window.wait_for("refused")["code"] == "malformed"
        window.send('{"type":"sync"}' + "\N{BLACK HEART SUIT}" * 2730)
        assert window.read_close_code() == 1009


def test_fragments_of_a_message_count_towards_one_size_limit(live_site: LiveSite) -> None:
    match = begin(["R1 R2", "R3 R4"], "R5")
    with open_window(live_site, match) as window:
        window.wait_for("view")
        window.socket.send(['{"type":', '"sync"', "}"])
        window.wait_for("view")
        window.socket.send(["x" * 100] * 90)
        assert window.read_close_code() == 1009


@pytest.mark.parametrize("message", [b"\x00", b"", b"x" * 9000, [b"\x00", b"\x01"]])
def test_binary_message_closes_only_its_own_socket(
    live_site: LiveSite, message: bytes | list[bytes]
) -> None:
    match = begin(["R1 R2 R8", "R3 R4 R9"], "R5")
    with open_windows(live_site, match) as (first, second):
        second.socket.send(message)
        assert second.read_close_code() == 1003
        assert first.act({"play": "R1"})["type"] == "ack"
