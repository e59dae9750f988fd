"""Flood gate, which queues posts from an address that sends too many."""

import asyncio
import time
from typing import Any

import pytest
from django.core import signing

from games.process import Process
from tournament.people.accounts import devices
from tournament.serving import flood_gate
from tournament.serving.flood_gate import FloodGate

LOGIN, PRACTICE = "/accounts/login/", "/practice/"


class GatedApp:
    """App behind the gate. It records the accounts whose requests reach it."""

    def __init__(self) -> None:
        self.reached: list[str] = []
        self.gate = FloodGate(self._respond)

    async def _respond(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached.append(scope["who"])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def request(
        self,
        account: str,
        path: str = LOGIN,
        address: str = "203.0.113.9",
        method: str = "POST",
        cookies: str = "",
    ) -> int:
        """Send a request and return its status."""
        sent: list[Any] = []

        async def send(event: Any) -> None:
            sent.append(event)

        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "client": (address, 4),
            "headers": [(b"cookie", cookies.encode())],
            "who": account,
        }
        await self.gate(scope, None, send)
        return int(sent[0]["status"])

    async def post_together(self, *whom: str, **where: str) -> list[int]:
        return list(await asyncio.gather(*(self.request(who, **where) for who in whom)))


async def release_queue() -> None:
    for _step in range(3):
        await asyncio.sleep(0)


@pytest.fixture
def gated_app(monkeypatch: pytest.MonkeyPatch) -> GatedApp:
    monkeypatch.setattr(flood_gate, "GAP", 0.01)
    monkeypatch.setattr(flood_gate, "current_minute", lambda: 7)
    monkeypatch.setitem(flood_gate.IMMEDIATE_POSTS, "account_login", 2)
    return GatedApp()


def test_flooding_posts_are_admitted_in_order_of_arrival(gated_app: GatedApp) -> None:
    async def post_flood() -> list[int]:
        started = time.monotonic()
        answers = await gated_app.post_together(*"abcdefg")
        assert time.monotonic() - started >= 0.05
        return answers

    with Process().enter():
        assert asyncio.run(post_flood()) == [200] * 7
    assert gated_app.reached == list("abcdefg")


@pytest.mark.parametrize(
    "other",
    [{"address": "192.0.2.1"}, {"path": PRACTICE}, {"method": "GET"}, {"path": "/nowhere/"}],
    ids=["another address", "another page", "GET request", "unknown page"],
)
def test_other_clients_do_not_wait_for_a_flood(gated_app: GatedApp, other: dict[str, str]) -> None:
    async def post_flood() -> None:
        flood = asyncio.create_task(gated_app.post_together(*"abcdefg"))
        await release_queue()
        await gated_app.request("other", **other)
        await flood

    with Process().enter():
        asyncio.run(post_flood())
    assert gated_app.reached == ["a", "b", "other", *"cdefg"]


def test_ipv6_addresses_of_one_household_share_a_queue(gated_app: GatedApp) -> None:
    async def post_flood() -> None:
        posts = [gated_app.request(who, address=f"2001:db8::{who}") for who in "abcd"]
        await asyncio.gather(*posts, gated_app.request("other", address="2001:db9::1"))

    with Process().enter():
        asyncio.run(post_flood())
    assert gated_app.reached == ["a", "b", "other", "c", "d"]


def test_posts_beyond_the_queue_limit_are_refused(
    gated_app: GatedApp, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(flood_gate, "MAX_WAITING", 3)
    with Process().enter():
        assert asyncio.run(gated_app.post_together(*"abcdefg")) == [200] * 5 + [429] * 2
    assert gated_app.reached == list("abcde")
    assert caplog.messages == ["refused 429 POST: from 203.0.113.9 at /accounts/login/"] * 2


def make_device_cookie(account: str) -> str:
    return "device=" + signing.dumps(["number", {account: "mark"}], salt=devices.SALT)


@pytest.mark.parametrize(
    ("flood", "other"),
    [
        ("", "csrftoken=one"),
        ("csrftoken=one", "csrftoken=two"),
        ("sessionid=one; csrftoken=one", "sessionid=one; device=forged"),
        ("device=forged; csrftoken=one", make_device_cookie("1")),
        (make_device_cookie("1"), make_device_cookie("2")),
    ],
    ids=["no cookies", "one browser", "no device", "unknown browser", "known browser"],
)
def test_browsers_take_turns(
    gated_app: GatedApp, monkeypatch: pytest.MonkeyPatch, flood: str, other: str
) -> None:
    monkeypatch.setattr(flood_gate, "MAX_WAITING", 3)
    is_same = "device=forged" in other

    async def post() -> list[int]:
        posts = asyncio.create_task(gated_app.post_together(*"abcdefg", cookies=flood))
        await release_queue()
        answer = await gated_app.request("other", cookies=other)
        return [answer, *await posts]

    with Process().enter():
        answer, *answers = asyncio.run(post())
    assert answer == (429 if is_same else 200)
    assert answers[:4] == [200] * 4
    assert ("other" in gated_app.reached[:4]) is not is_same


def test_forged_cookies_do_not_delay_known_browsers(
    gated_app: GatedApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flood_gate, "MAX_WAITING", 5)

    async def post() -> int:
        posts = [gated_app.request(who, cookies=f"csrftoken={who}") for who in "abcdefghij"]
        flood = asyncio.gather(*posts)
        await release_queue()
        answer = await gated_app.request("other", cookies=make_device_cookie("1"))
        assert (await flood).count(429) == 3
        return answer

    with Process().enter():
        assert asyncio.run(post()) == 200
    assert gated_app.reached.index("other") <= 3


def test_limit_resets_every_minute(gated_app: GatedApp, monkeypatch: pytest.MonkeyPatch) -> None:
    async def flood() -> None:
        await gated_app.post_together(*"abc")
        monkeypatch.setattr(flood_gate, "current_minute", lambda: 8)
        started = asyncio.create_task(gated_app.post_together(*"de"))
        await release_queue()
        assert gated_app.reached == list("abcde")
        await started

    with Process().enter():
        asyncio.run(flood())
