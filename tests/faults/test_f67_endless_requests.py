"""F67: endless request bodies and headers, sent to the site without a proxy."""

import http.client
import json
import socket
import time
from collections.abc import Iterator

import pytest

from tests.faults.cases import TryCounter
from tests.own_site import OwnSite

pytestmark = pytest.mark.slow
PIECE = b"x" * 65_536


@pytest.fixture(scope="module")
def site() -> Iterator[OwnSite]:
    with OwnSite() as site:
        yield site


def connect(site: OwnSite) -> socket.socket:
    return socket.create_connection(("127.0.0.1", site.port), timeout=20)


def read_answer(line: socket.socket) -> str:
    """Return all data received until the site closes the connection."""
    heard = b""
    while piece := line.recv(65_536):
        heard += piece
    return heard.decode()


def make_request_head(path: str, *headers: str) -> bytes:
    return "\r\n".join([f"POST {path} HTTP/1.1", "Host: localhost", *headers, "", ""]).encode()


def test_upload_of_400_megabytes_is_refused_before_it_is_sent(site: OwnSite) -> None:
    with connect(site) as line:
        line.sendall(make_request_head("/accounts/login/", "Content-Length: 400000000"))
        line.shutdown(socket.SHUT_WR)
        heard = read_answer(line)
    assert heard.startswith("HTTP/1.1 413 ")
    assert "The data you sent is larger than this page accepts" in heard


def test_endless_body_is_not_read_to_the_end(site: OwnSite) -> None:
    sent = 0
    with connect(site) as line:
        line.sendall(make_request_head("/accounts/login/", "Transfer-Encoding: chunked"))
        line.settimeout(20)
        try:
            while sent < 400_000_000:
                line.sendall(b"10000\r\n" + PIECE + b"\r\n")
                sent += len(PIECE)
        except OSError:
            pass  # the site has closed the connection
    assert sent < 100_000_000
    assert site.get("/livez")[0] == 200


def test_endless_headers_are_cut_off_within_ten_seconds_without_delaying_others(
    site: OwnSite, tries: TryCounter
) -> None:
    lines = [connect(site) for _ in tries(50, 500)]
    begun = time.monotonic()
    for number, line in enumerate(lines):
        line.sendall(b"GET / HTTP/1.1\r\nHost: localh"[: number % 30])
    before = time.monotonic()
    assert site.get("/accounts/login/")[0] == 200
    assert time.monotonic() - before < 5
    for line in lines:
        with line:
            assert read_answer_or_nothing(line) == ""
    assert 8 < time.monotonic() - begun < 15


def test_second_request_on_a_connection_gets_no_extra_time(site: OwnSite) -> None:
    with connect(site) as line:
        line.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        first = http.client.HTTPResponse(line)
        first.begin()
        # The site waits for the next request only after the response has been read.
        assert json.loads(first.read()) == {"wrong": []}
        begun = time.monotonic()
        line.sendall(b"GET /livez HTTP/1.1\r\nHo")
        assert read_answer_or_nothing(line) == ""
    assert 8 < time.monotonic() - begun < 15


def read_answer_or_nothing(line: socket.socket) -> str:
    try:
        return read_answer(line)
    except ConnectionResetError:
        return ""


def test_request_with_two_lengths_is_not_split_in_two(site: OwnSite) -> None:
    """Guard against request smuggling.

    If the proxy used one length and the site the other, they would disagree about where the request
    ends.
    """
    inner = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
    lengths = [f"Content-Length: {5 + len(inner)}", "Transfer-Encoding: chunked"]
    with connect(site) as line:
        line.sendall(
            make_request_head("/accounts/login/", *lengths, "Connection: close")
            + b"0\r\n\r\n"
            + inner
        )
        heard = read_answer(line)
    assert heard.count("HTTP/1.1 ") == 1


def test_conflicting_lengths_are_refused(site: OwnSite) -> None:
    with connect(site) as line:
        line.sendall(
            make_request_head("/accounts/login/", "Content-Length: 5", "Content-Length: 6")
            + b"login="
        )
        heard = read_answer(line)
    assert heard.startswith("HTTP/1.1 400 ")


def test_slowly_dripping_body_is_cut_off(site: OwnSite) -> None:
    with connect(site) as line:
        line.sendall(make_request_head("/accounts/login/", "Content-Length: 100") + b"login=")
        heard = read_answer(line)
    assert heard.startswith("HTTP/1.1 408 ")
