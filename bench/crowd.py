"""Time that a whole hall takes to sign in and register at the same time.

    python -m bench.crowd [--people 300] [--workers 1]

Creates accounts with passwords and an open event in a temporary SQLite file, or on DATABASE_URL and
REDIS_URL. Each visitor has a separate connection from the same address. Visitors load the sign-in
page, sign in, load the registration page and register. Prints how long visitors wait, and when the
last one has finished.
"""

import argparse
import asyncio
import os
import re
import shutil
import signal
import sys
import tempfile
import time
from urllib.parse import urlencode

from bench import machine
from bench.live import ROOT, free_port, serve
from bench.scale import find_serving_pids, percentile, prepare_site, run_python_in
from bench.screens import read_processor_seconds

PASSWORD = "seven-lucky-cards"
MAKE = """
import sys
import django
django.setup()
from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.db import transaction
from tournament.models import Event

people, password = int(sys.argv[1]), make_password(sys.argv[2])
with transaction.atomic():
    Event.objects.create(title="Bench cup", slug="bench-cup", ruleset="uno-500", state="open",
        eligibility_required=False)
    users = get_user_model().objects.bulk_create([get_user_model()(username=f"p{n}",
        email=f"p{n}@bench.invalid", display_name=f"Player {n}", password=password)
        for n in range(people)])
    EmailAddress.objects.bulk_create([EmailAddress(user=user, email=user.email, verified=True,
        primary=True) for user in users])
"""
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="([^"]+)"')


class Visitor:
    """Minimal browser with cookies."""

    def __init__(self, port: int, number: int) -> None:
        self.port, self.number = port, number
        self.cookies: dict[str, str] = {}

    async def sign_in_and_register(self) -> tuple[float, float]:
        """Sign in and register. Returns the seconds until each of the two steps is done."""
        start = time.monotonic()
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        login = {"login": f"p{self.number}@bench.invalid", "password": PASSWORD}
        await self._fill_in("/accounts/login/", login)
        signed_in = time.monotonic() - start
        await self._fill_in("/e/bench-cup/register/", {"name": f"Player {self.number}"})
        self.writer.close()
        return signed_in, time.monotonic() - start

    async def _fill_in(self, path: str, fields: dict[str, str]) -> None:
        _, page = await self._send_request("GET", path)
        token = TOKEN.findall(page)[0].decode()
        status, answer = await self._send_request(
            "POST", path, {**fields, "csrfmiddlewaretoken": token}
        )
        assert status == 302, (path, status, answer[:2000])

    async def _send_request(
        self, method: str, path: str, fields: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        body = urlencode(fields or {}).encode()
        origin = f"127.0.0.1:{self.port}"
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {origin}",
            f"Origin: http://{origin}",
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body)}",
            f"Cookie: {'; '.join(f'{name}={value}' for name, value in self.cookies.items())}",
        ]
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        for name, value in re.findall(r"(?im)^set-cookie: ([^=]+)=([^;\r]*)", head):
            self.cookies[name] = value
        [length] = re.findall(r"(?im)^content-length: (\d+)", head)
        return int(head.split(" ", 2)[1]), await self.reader.readexactly(int(length))


def main(options: argparse.Namespace) -> int:
    print(machine.describe_machine(), flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        shutil.copytree(prepare_site(ROOT), scratch, dirs_exist_ok=True)
        os.environ["LASTCARD_VAR"] = scratch
        if "DATABASE_URL" in os.environ:
            run_python_in(ROOT, "manage.py", "migrate", "-v0")
        run_python_in(ROOT, "-c", MAKE, str(options.people), PASSWORD)
        port = free_port()
        site = serve(port, options.workers, ROOT)
        try:
            pids = find_serving_pids(site.pid, options.workers)
            used, start = sum(map(read_processor_seconds, pids)), time.monotonic()
            waits = asyncio.run(_run_visitors(port, options.people))
            duration, used = time.monotonic() - start, sum(map(read_processor_seconds, pids)) - used
        finally:
            site.send_signal(signal.SIGINT)
            site.wait(timeout=60)
    print(describe_waits(waits, duration, used))
    return 0


async def _run_visitors(port: int, people: int) -> list[tuple[float, float]]:
    visitors = [Visitor(port, number) for number in range(people)]
    return await asyncio.gather(*(visitor.sign_in_and_register() for visitor in visitors))


def describe_waits(waits: list[tuple[float, float]], duration: float, used: float) -> str:
    """Return the crowd's waiting times and processor time in one line."""
    parts = []
    for name, place in (("signed in", 0), ("registered", 1)):
        times = [wait[place] for wait in waits]
        parts.append(
            f"{name} p50 {percentile(times, 0.5):.1f} s, the last after {max(times):.1f} s"
        )
    cost = f"{1000 * used / len(waits):.0f} ms of processor each"
    return f"{len(waits)} at once: {'; '.join(parts)}; all in {duration:.1f} s, {cost}"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--workers", type=int, default=1, help="processes; needs REDIS_URL")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main(parse_arguments()))
