"""The site's worker: a single low-priority process for each machine.

All serving processes of a machine compete for a lock on a file in var/, and the holder of the lock
starts and monitors the worker. When that process ends, the kernel releases the lock and another
process takes over.
"""

import asyncio
import contextlib
import fcntl
import logging
import os
import socket
import sys
from asyncio.subprocess import Process as Child
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from django.conf import settings

logger = logging.getLogger(__name__)

# Seconds until the worker starts. Starting it takes a second of processor time, which pages and
# tables need first.
START_AFTER = 1.0
LOCK_SECONDS = RETRY_SECONDS = 5.0
END_SECONDS = 8.0


@contextlib.asynccontextmanager
async def run_worker() -> AsyncIterator[None]:
    """Keep a worker running on this machine while the site runs."""
    task = asyncio.create_task(_keep_worker_running())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _keep_worker_running() -> None:
    await asyncio.sleep(START_AFTER)
    while True:
        try:
            with try_lock(Path(settings.VAR_DIR) / "worker.lock") as is_held:
                if is_held:
                    await _run_worker()
        except OSError as error:
            logger.error("There is no worker: %s", error)
        await asyncio.sleep(LOCK_SECONDS)


@contextlib.contextmanager
def try_lock(path: Path) -> Iterator[bool]:
    """Try to acquire the lock, and yield whether this process holds it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        yield False
    else:
        yield True
    finally:
        os.close(descriptor)


async def _run_worker() -> None:
    """Run a worker as long as this process runs. If the worker ends, start a new one."""
    slot = f"{socket.gethostname()} {settings.VAR_DIR}"
    while True:
        child = await asyncio.create_subprocess_exec(
            *[sys.executable, "manage.py", "work", "--beside", "--slot", slot],
            stdin=asyncio.subprocess.PIPE,
            cwd=settings.BASE_DIR,
        )
        try:
            code = await child.wait()
        except asyncio.CancelledError:
            await _stop_worker(child)
            raise
        logger.error("The worker has ended (%s) and starts again.", code)
        await asyncio.sleep(RETRY_SECONDS)


async def _stop_worker(child: Child) -> None:
    """Let the worker finish its current job, then end it.

    The wait is limited, because the server's process manager does not wait longer.
    """
    assert child.stdin is not None
    child.stdin.close()
    try:
        await asyncio.wait_for(child.wait(), END_SECONDS)
    except TimeoutError:
        child.kill()
        await child.wait()
