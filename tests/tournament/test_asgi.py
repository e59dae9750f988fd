"""What stands beside a process that serves."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from unittest import mock

import pytest

from tournament import asgi


def test_what_is_loaded_is_never_looked_through_for_garbage_and_threads_change_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    collecting = mock.Mock()
    monkeypatch.setattr("tournament.asgi.gc", collecting)
    monkeypatch.setattr("tournament.asgi.sys.setswitchinterval", collecting.switch)

    @contextlib.asynccontextmanager
    async def worker() -> AsyncIterator[None]:
        collecting.worker()
        yield

    monkeypatch.setattr("tournament.live.worker.beside", worker)

    async def serve() -> None:
        async with asgi.beside():
            collecting.serves()

    asyncio.run(serve())
    names = [call[0] for call in collecting.mock_calls]
    assert names == ["collect", "freeze", "set_threshold", "switch", "worker", "serves"]
    assert collecting.switch.mock_calls == [mock.call(0.0003)]
