"""Startup of a serving process."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from unittest import mock

import pytest

from tournament import asgi


def test_serving_process_tunes_garbage_collection_and_thread_switching(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order = mock.Mock()
    monkeypatch.setattr("tournament.asgi.gc", order.gc)
    monkeypatch.setattr("tournament.asgi.sys.setswitchinterval", order.switch)

    @contextlib.asynccontextmanager
    async def worker() -> AsyncIterator[None]:
        order.worker()
        yield

    monkeypatch.setattr("tournament.serving.worker_process.run_worker", worker)

    async def serve() -> None:
        async with asgi.run_worker():
            order.serves()

    asyncio.run(serve())
    call = mock.call
    looks = [call.gc.freeze(), call.gc.set_threshold(5_000, 4, 100)]
    assert order.mock_calls == [*looks, call.switch(0.0003), call.worker(), call.serves()]
