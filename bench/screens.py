"""Simulation of many screens in one process.

    python -m bench.screens

Reads a `Plan` as JSON from standard input. Each screen is a socket that behaves like a browser: it
sends pings every 2.5 s (as a viewer, every 10 s), answers probes and pings immediately, and
contributes shares to deals. The seat to act sends the table's next action. Each screen measures the
delay from this moment until it receives the new view. Prints a JSON object for each phase.
"""

import asyncio
import gc
import os
import random
import re
import secrets
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any, TypedDict
from urllib.parse import urlsplit

import orjson
import uvloop

from games.client.shares import Shares
from games.client.views import Views

PING_SECONDS, WATCH_SECONDS = 2.5, 10.0
PING_STEP = 0.05
# An action without an answer counts as lost after this many seconds.
LOST_SECONDS = 10.0
TEXT, CLOSE, PING = 1, 8, 9
VERSION = re.compile(rb'"version":(\d+)')
TICKS = os.sysconf("SC_CLK_TCK")


class Phase(TypedDict):
    """Phase of `seconds` seconds with an action at each table every `period` seconds.

    If the period is 0, each action follows the previous one immediately.
    """

    name: str
    seconds: float
    period: float


class Plan(TypedDict):
    """Plan of a run.

    urls: the site's addresses, among which the tables are distributed
    tables: the match id of each table and the cookies of its screens, "" for viewers
    opening: the number of sockets to open at the same time
    pids: the site's processes, whose processor time and memory are measured
    phases: the phases of the run
    """

    urls: list[str]
    tables: list[tuple[str, list[str]]]
    opening: int
    pids: list[int]
    phases: list[Phase]


@dataclass
class PhaseCounts:
    """Counts and times, in milliseconds, of one phase."""

    arrivals: list[float] = field(default_factory=list)
    players: list[float] = field(default_factory=list)
    acks: list[float] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    lost: int = 0
    gone: int = 0
    acted_for: int = 0
    closed: int = 0
    views: int = 0
    bytes: int = 0


class Table:
    """Screens of one match, and its latest action."""

    def __init__(self, match: str, url: str) -> None:
        self.match, self.site = match, urlsplit(url)
        self.screens: list[Screen] = []
        self.pending = ""
        self.sent_at = 0.0
        self.seen = -1


class Screen(asyncio.Protocol):
    """Socket of one screen. It parses messages only as far as necessary."""

    transport: asyncio.Transport

    def __init__(self, hall: "Hall", table: Table, cookie: str) -> None:
        self.hall, self.table, self.cookie = hall, table, cookie
        self.buffer = b""
        self.version, self.shown = -1, -1
        self.views = Views()
        self.view: dict[str, Any] | None = None
        self.shares = Shares() if cookie else None
        self.current: asyncio.Future[None] = hall.loop.create_future()

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        site = self.table.site
        self.buffer = b""
        self.greeted = False
        lines = [
            f"GET /ws/match/{self.table.match}/?protocol=2 HTTP/1.1",
            f"Host: {site.netloc}",
            f"Origin: {site.scheme}://{site.netloc}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {'A' * 22}==",
            "Sec-WebSocket-Version: 13",
            *([f"Cookie: {self.cookie}"] if self.cookie else []),
        ]
        transport.write(("\r\n".join(lines) + "\r\n\r\n").encode())

    def connection_lost(self, exc: Exception | None) -> None:
        self.hall.counts.closed += not self.hall.ending

    def data_received(self, data: bytes) -> None:
        self.buffer = self.buffer + data if self.buffer else data
        if not self.greeted:
            head, found, self.buffer = self.buffer.partition(b"\r\n\r\n")
            if not found:
                self.buffer = head
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self.greeted = True
        for opcode, payload in self._parse_frames():
            if opcode == TEXT:
                self._handle_view(payload)
            elif opcode == PING:
                self._send(payload, 0x8A)

    def _parse_frames(self) -> Iterator[tuple[int, bytes]]:
        at, data = 0, self.buffer
        while len(data) - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(data[at + 2 : at + 4]), at + 4
            elif size == 127:
                size, start = int.from_bytes(data[at + 2 : at + 10]), at + 10
            if len(data) < start + size:
                break
            yield data[at] & 15, data[start : start + size]
            at = start + size
        self.buffer = data[at:]

    def _handle_view(self, text: bytes) -> None:
        kind = text[9:13]
        if kind in (b"view", b"chan"):
            self._count_view(text)
        elif kind == b"prob":
            self.send_text(b'{"type":"echo","n":%d}' % orjson.loads(text)["n"])
        elif kind in (b'ack"', b"refu"):
            self.hall.record_answer(self, orjson.loads(text))

    def _count_view(self, text: bytes) -> None:
        match = VERSION.search(text)
        assert match is not None
        self.version = int(match[1])
        self.hall.counts.bytes += len(text)
        self.hall.counts.views += 1
        if self.shares is not None:
            assert self.views.apply(orjson.loads(text)), "changes of another view"
            self.view = self.views.view  # type: ignore[assignment]
            for sent in self.shares.messages_for(self.view):  # type: ignore[arg-type]
                self.send_text(orjson.dumps(sent))
        if not self.current.done():
            self.current.set_result(None)
        self.hall.record_arrival(self)

    def ping(self) -> None:
        if self.version >= 0:
            self.send_text(b'{"type":"ping","version":%d}' % self.version)

    def send_text(self, text: bytes) -> None:
        if not self.transport.is_closing():
            self._send(text, 0x80 | TEXT)

    def _send(self, payload: bytes, first: int) -> None:
        size = len(payload)
        length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2)
        # A mask of zeros leaves the payload unchanged.
        self.transport.write(bytes((first,)) + length + b"\0\0\0\0" + payload)

    def choose_action(self) -> dict[str, Any] | None:
        """Return a random action for this seat, or None if it is not this seat's turn.

        Prefers plays with a UNO call, then other plays, then any other action.
        """
        if self.view is None or self.view["turn"] != self.view["you"]:
            return None
        actions = self.view["actions"]
        plays = [action for action in actions if "play" in action]
        chosen: dict[str, Any] | None = random.choice(
            [action for action in plays if action.get("uno")] or plays or actions or [None]
        )
        return chosen


class Hall:
    """All tables, and the counts of the current phase."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.loop = asyncio.get_running_loop()
        self.counts = PhaseCounts()
        self.period = -1.0
        self.ending = False
        self.tables: list[Table] = []
        for (match, cookies), url in zip(plan["tables"], cycle(plan["urls"]), strict=False):
            table = Table(match, url)
            table.screens = [Screen(self, table, cookie) for cookie in cookies]
            self.tables.append(table)

    @property
    def screens(self) -> list[Screen]:
        return [screen for table in self.tables for screen in table.screens]

    async def open(self) -> float:
        """Open all sockets, and return the seconds until all have received a view."""
        start, limit = time.monotonic(), asyncio.Semaphore(self.plan["opening"])

        async def open_screen(screen: Screen) -> None:
            async with limit:
                site = screen.table.site
                address = str(site.hostname), int(site.port or 80)
                await self.loop.create_connection(lambda: screen, *address)
                await screen.current

        await asyncio.gather(*(open_screen(screen) for screen in self.screens))
        return time.monotonic() - start

    async def keep_alive(self) -> None:
        """Send pings from all screens, spread evenly over the interval."""
        players = [screen for screen in self.screens if screen.cookie]
        viewers = [screen for screen in self.screens if not screen.cookie]
        for step in range(10**9):
            for screens, seconds in ((players, PING_SECONDS), (viewers, WATCH_SECONDS)):
                steps = round(seconds / PING_STEP)
                for screen in screens[step % steps :: steps]:
                    screen.ping()
            await asyncio.sleep(PING_STEP)

    async def play(self) -> None:
        """Act at each table once per period, spread evenly over the period."""
        at = 0
        while True:
            if self.period <= 0:
                await asyncio.sleep(0.02)
                self._act_at_all_tables()
                continue
            due = max(1, round(len(self.tables) * 0.02 / self.period))
            for table in (self.tables[(at + i) % len(self.tables)] for i in range(due)):
                self.act(table)
            at += due
            await asyncio.sleep(self.period * due / len(self.tables))

    def _act_at_all_tables(self) -> None:
        if self.period == 0:
            for table in self.tables:
                self.act(table)

    def act(self, table: Table) -> None:
        now = time.monotonic()
        if table.pending and now - table.sent_at < LOST_SECONDS:
            return
        if table.pending:
            self.counts.lost += 1
            table.pending, table.seen = "", -1
        for screen in table.screens:
            if screen.version <= table.seen:
                continue  # This screen has not received the table's latest action.
            if screen.shares is not None and (action := screen.choose_action()) is not None:
                table.pending, table.sent_at = secrets.token_hex(8), now
                table.seen = screen.version
                act = {"type": "action", "id": table.pending, "version": screen.version}
                screen.send_text(orjson.dumps({**act, "action": action}))
                return

    def record_answer(self, screen: Screen, answer: dict[str, Any]) -> None:
        table = screen.table
        if answer["id"] != table.pending:
            return
        table.pending = ""
        if answer["type"] == "ack":
            self.counts.acks.append(1000 * (time.monotonic() - table.sent_at))
        else:
            refused = self.counts.refused
            refused[answer["code"]] = refused.get(answer["code"], 0) + 1
            table.seen = -1

    def record_arrival(self, screen: Screen) -> None:
        """Count a screen's first view that shows the latest action of its table.

        If the period is 0, send the table's next action.
        """
        table = screen.table
        if screen.view is not None:
            self._count_absences(screen.view)
        if screen.shown < table.seen < screen.version:
            screen.shown = table.seen
            took = 1000 * (time.monotonic() - table.sent_at)
            self.counts.arrivals.append(took)
            if screen.shares is not None:
                self.counts.players.append(took)
        if self.period == 0 and not table.pending:
            self.act(table)

    def _count_absences(self, view: dict[str, Any]) -> None:
        self.counts.gone += sum(not seat["present"] for seat in view["seats"])
        last = view["log"][-1:] if view["log"] else []
        self.counts.acted_for += any(line["auto"] in ("timeout", "away") for line in last)

    def processor_seconds(self) -> float:
        """Return the processor time used so far by all processes of the site, in seconds."""
        return sum(read_processor_seconds(pid) for pid in self.plan["pids"])


def read_processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _resident_bytes(pids: list[int]) -> int:
    """Return the resident memory of these processes in bytes."""
    pages = sum(int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in pids)
    return pages * os.sysconf("SC_PAGE_SIZE")


def print_json_line(**fields: object) -> None:
    sys.stdout.write(orjson.dumps(fields).decode() + "\n")
    sys.stdout.flush()


async def main() -> None:
    plan: Plan = orjson.loads(sys.stdin.buffer.read())
    hall, before = Hall(plan), _resident_bytes(plan["pids"])
    hall.period = plan["phases"][0]["period"]
    tasks = [asyncio.create_task(hall.keep_alive()), asyncio.create_task(hall.play())]
    opened = await hall.open()
    # A garbage collection would stop all screens for 30 to 300 ms, unlike in real browsers.
    gc.disable()
    memory = (_resident_bytes(plan["pids"]) - before) / max(1, len(hall.screens))
    print_json_line(name="open", seconds=opened, sockets=len(hall.screens), bytes_each=memory)
    for phase in plan["phases"]:
        hall.counts, hall.period = PhaseCounts(), phase["period"]
        used, began = hall.processor_seconds(), time.monotonic()
        own = time.process_time()
        await asyncio.sleep(phase["seconds"])
        took = time.monotonic() - began
        used, own = hall.processor_seconds() - used, time.process_time() - own
        print_json_line(name=phase["name"], took=took, used=used, driver=own, **asdict(hall.counts))
    hall.ending = True
    for task in tasks:
        task.cancel()


if __name__ == "__main__":
    uvloop.run(main())
