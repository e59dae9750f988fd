"""F54: the Redis of two processes is killed, restarted, or idle for a long time."""

import asyncio
import json
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.request import Request

import pytest
from channels.layers import get_channel_layer
from django.conf import settings
from django.core.cache import cache
from pytest_django import Settings
from redis import Redis as Client

from games import services
from games.models import Match
from games.process.hub import GROUP, Relay
from tests.games.helpers import make_match
from tests.games.windows import Window, open_window
from tests.live import SiteProcess
from tests.own_site import fetch_response
from tests.services import Redis, wait_for
from tests.typed import sure
from tournament.settings import SITE_PREFIX, cache_settings
from tournament.site import caches

# The sweep looks for changes only while the file exists.
SWEEPING_SITE_SCRIPT = """
import sys
from pathlib import Path

sys.path.insert(0, "{base}")
import django

django.setup()
from django.core.management import call_command
from games.workers import sweep

look = sweep._check_versions


async def look_when_told(process):
    if Path("{flag}").exists():
        await look(process)


sweep._check_versions = look_when_told
call_command("serve", port={port})
"""

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow, pytest.mark.sql]


@pytest.fixture
def redis(monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    """Provide a Redis that only this test and its processes use."""
    with Redis() as service:
        monkeypatch.setenv("REDIS_URL", service.url)
        yield service


@pytest.fixture
def sweep_file(tmp_path: Path) -> Path:
    """Provide the path of the file that enables sweeps in both processes."""
    return tmp_path / "sweep"


@pytest.fixture
def two_sites(
    redis: Redis, transactional_db: None, collected_static: Path, sweep_file: Path
) -> Iterator[list[SiteProcess]]:
    with ExitStack() as stack:
        yield [stack.enter_context(SweepingSite(collected_static, sweep_file)) for _ in range(2)]


class SweepingSite(SiteProcess):
    def __init__(self, collected_static: Path, path: Path) -> None:
        super().__init__(collected_static)
        self.flag = path

    def command(self) -> list[str]:
        found = {"base": settings.BASE_DIR, "flag": self.flag, "port": self.port}
        return [sys.executable, "-c", SWEEPING_SITE_SCRIPT.format(**found)]


class PlayerPair:
    """The two players of a match, each connected to a different process."""

    def __init__(self, match: Match, windows: list[Window], path: Path) -> None:
        self.match, self.windows, self.flag = match, windows, path

    def take_turn(self, *, sweep: bool) -> bool:
        """Act for the player to act, and return whether the other window receives the change.

        With `sweep`, both processes sweep. Otherwise, only a poke can announce the change.
        """
        seat = sure(Match.objects.get(pk=self.match.pk).state.turn_seat)
        actor, other = self.windows[seat], self.windows[1 - seat]
        actor.wait_for_view(turn=seat)
        answer = actor.act(actor.view["actions"][0])
        assert answer["type"] == "ack"
        if sweep:
            self.flag.touch()
        return self.wait_for_version(other, answer["version"], 20.0 if sweep else 3.0)

    def wait_for_version(self, window: Window, version: int, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while window.version < version:
            try:
                window.read(max(0.01, end - time.monotonic()))
            except TimeoutError:
                return False
        return True

    def have_pokes_arrived(self) -> bool:
        """Return whether four turns in a row reach the other process without a sweep."""
        self.flag.unlink(missing_ok=True)
        if all(self.take_turn(sweep=False) for _ in range(4)):
            return True
        self.flag.touch()
        newest = Match.objects.get(pk=self.match.pk).version
        assert all(self.wait_for_version(window, newest, 20.0) for window in self.windows)
        return False


@pytest.fixture
def pair(two_sites: list[SiteProcess], sweep_file: Path) -> Iterator[PlayerPair]:
    options = {"target": 10_000, "hand_size": 25}  # no hand ends during the test
    match = services.start_match(make_match(options=options, turn_seconds=300, between_seconds=600))
    with ExitStack() as stack:
        windows = [
            stack.enter_context(open_window(site, match, seat.user))
            for site, seat in zip(two_sites, match.seats.order_by("number"), strict=True)
        ]
        yield PlayerPair(match, windows, sweep_file)


def test_tables_use_sweeps_without_redis_and_pokes_once_it_returns(
    pair: PlayerPair, redis: Redis
) -> None:
    wait_for(pair.have_pokes_arrived, "pokes")
    redis.stop(signal.SIGKILL)
    assert not pair.take_turn(sweep=False)
    pair.flag.touch()
    assert [pair.take_turn(sweep=True) for _ in range(4)] == [True] * 4
    redis.start()
    wait_for(pair.have_pokes_arrived, "pokes again")


def test_long_silent_subscription_still_receives_messages(settings: Settings, redis: Redis) -> None:
    """Guard against Redis clients that lose the first message after a long silence."""
    settings.CHANNEL_LAYERS = make_layer_settings(redis)
    heard = []

    async def listen() -> None:
        relay = Relay()
        task = asyncio.create_task(relay.run(lambda *poke: heard.append(poke)))
        await asyncio.sleep(8)
        poke = {"type": "pokes", "from": "another process", "pokes": [["match:7", 12]]}
        await get_channel_layer().group_send(GROUP, poke)
        await asyncio.sleep(0.5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(listen())
    assert heard == [("match:7", 12)]


def test_one_message_carries_the_latest_pokes_to_other_processes(
    settings: Settings, redis: Redis
) -> None:
    settings.CHANNEL_LAYERS = make_layer_settings(redis)
    heard, sent = [], []

    async def listen() -> None:
        relay = Relay()
        task = asyncio.create_task(relay.run(lambda *poke: heard.append(poke)))
        await asyncio.sleep(0.5)
        layer = get_channel_layer()
        channel = await layer.new_channel()
        await layer.group_add(GROUP, channel)
        for version in range(1, 100):
            relay.publish("match:7", version)
        relay.publish("event:1", None)
        sent.append(await layer.receive(channel))
        await asyncio.sleep(0.2)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(listen())
    assert sent[0]["pokes"] == [["match:7", 99], ["event:1", None]]
    assert heard == []


def test_process_without_an_event_loop_also_sends_pokes(settings: Settings, redis: Redis) -> None:
    """Change a match without an event loop, as a management command does."""
    settings.CHANNEL_LAYERS = make_layer_settings(redis)
    match = services.start_match(make_match())
    with Client.from_url(redis.url) as client, client.pubsub() as listener:
        listener.subscribe(f"asgi__group__{GROUP}")
        assert listener.get_message(timeout=5)["type"] == "subscribe"
        services.pause_match(match)
        heard = listener.get_message(timeout=5)
    assert f"match:{match.pk}".encode() in heard["data"]


def test_poke_without_redis_logs_a_warning(
    settings: Settings, redis: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    settings.CHANNEL_LAYERS = make_layer_settings(redis)
    redis.stop()
    assert services.start_match(make_match()).version == 1
    assert "Poke for match:" in caplog.text


def test_limits_are_per_process_without_redis_and_shared_once_it_returns(
    settings: Settings,
    redis: Redis,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(caches, "RETRY_SECONDS", 0)
    settings.CACHES = {"default": cache_settings(redis.url)}
    cache.set("tries", "together", 60)
    redis.stop(signal.SIGKILL)
    assert cache.get("tries") is None
    cache.set("tries", "alone")
    assert cache.get("tries") == "alone"
    redis.start()
    assert cache.get("tries") is None
    cache.set("tries", "together")
    with Client.from_url(redis.url) as client:
        assert client.keys("*tries") == [f"{SITE_PREFIX}:1:tries".encode()]
    assert caplog.messages == [
        "Redis is away (ConnectionError): this process counts its limits alone.",
        "Redis is back.",
    ]


def test_redis_outage_logs_one_line_and_warns_monitors(
    redis: Redis, transactional_db: None, collected_static: Path
) -> None:
    with SiteProcess(collected_static) as site:
        status, text = fetch_response(Request(f"{site.url}/readyz"))
        assert (status, text) == (200, '{"wrong": []}\n')
        redis.stop(signal.SIGKILL)
        time.sleep(5)
        status, text = fetch_response(Request(f"{site.url}/readyz"))
        assert (status, [each["code"] for each in json.loads(text)["warnings"]]) == (200, ["redis"])
        lines = [line for line in site.log.read_text().splitlines() if "channels_redis" in line]
        assert len(lines) == 1
        assert "Redis is away: " in lines[0]
        assert "Traceback" not in site.log.read_text()


def make_layer_settings(redis: Redis) -> dict[str, Any]:
    backend = "channels_redis.pubsub.RedisPubSubChannelLayer"
    return {"default": {"BACKEND": backend, "CONFIG": {"hosts": [redis.url]}}}
