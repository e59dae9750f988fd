"""What stands beside a process that serves."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from unittest import mock

import pytest

from games.process import here
from tournament import asgi
from tournament.live.garbage import Making


def test_a_process_that_serves_looks_at_little_garbage_and_its_threads_change_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order = mock.Mock()
    monkeypatch.setattr("tournament.live.garbage.look_at_little", order.look_at_little)
    monkeypatch.setattr("tournament.asgi.sys.setswitchinterval", order.switch)

    @contextlib.asynccontextmanager
    async def worker() -> AsyncIterator[None]:
        order.worker()
        yield

    monkeypatch.setattr("tournament.live.worker.beside", worker)

    async def serve() -> None:
        async with asgi.beside():
            order.serves()

    asyncio.run(serve())
    call = mock.call
    looks = call.look_at_little(here().part(Making))
    assert order.mock_calls == [looks, call.switch(0.0003), call.worker(), call.serves()]
