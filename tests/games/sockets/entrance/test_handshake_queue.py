"""Tests of socket admission: only from the site's pages, on known paths, a few at a time."""

import asyncio
from typing import Any

import pytest
from django.urls import Resolver404, resolve
from pytest_django import Settings

from games.process import Process
from games.protocol.messages import Notice
from games.sockets.base import Socket
from games.sockets.entrance.anonymous_limits import OPENING, OpeningLimit, OpeningTurn
from games.sockets.entrance.arrival import Arrival
from games.sockets.entrance.handshake_queue import Entrance
from games.sockets.line.line import EXTENSION, Line
from games.sockets.routing import table_sockets
from tests.games.windows import SECONDS

pytestmark = pytest.mark.asyncio


class OpenSocket(Socket[Notice]):
    """Socket that stays open until `may_go` is set."""

    arrivals: list[Arrival]
    may_go: asyncio.Event

    async def serve(self, receive: Any, turn: OpeningTurn) -> None:
        self.arrivals.append(self.arrival)
        await self.may_go.wait()


@pytest.fixture(autouse=True)
def allowed_host(settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["cards.example.edu"]


@pytest.fixture
def socket_class() -> type[OpenSocket]:
    class Kind(OpenSocket):
        arrivals: list[Arrival] = []
        may_go = asyncio.Event()

    return Kind


def make_scope(
    process: Process, path: str, origin: str = "http://cards.example.edu"
) -> dict[str, Any]:
    return {
        "type": "websocket",
        "headers": [(b"host", b"cards.example.edu"), (b"origin", origin.encode())],
        "scheme": "ws",
        "client": ("203.0.113.9", 4711),
        "path": path,
        "query_string": b"follow",
        "extensions": {},
        "process": process,
        "language": "en",
    }


async def list_message_types(entrance: Entrance, connection: dict[str, Any]) -> list[str]:
    """Return the types of all messages sent to a connection until it ends."""
    said = list[str]()

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: dict[str, str]) -> None:
        said.append(message["type"])

    await entrance(connection, receive, send)
    return said


@pytest.mark.parametrize(
    ("path", "origin"),
    [
        ("/ws/table/", "http://cards.example.edu"),
        ("/ws/table/abc/more/", "http://cards.example.edu"),
        ("/ws/table/abc/", "http://evil.example"),
    ],
    ids=["unknown path", "longer path", "foreign page"],
)
async def test_unknown_paths_and_foreign_origins_are_refused(
    socket_class: type[OpenSocket], path: str, origin: str
) -> None:
    process = Process()
    entrance = Entrance({"ws/table/<str:public_id>/": socket_class})
    assert await list_message_types(entrance, make_scope(process, path, origin)) == [
        "websocket.close"
    ]
    assert socket_class.arrivals == []
    assert not process.part(OpeningLimit)._slots.locked()


@pytest.mark.parametrize("path", ["/ws/match/a\0b/", "/ws/match/\0/commentary/"])
async def test_socket_path_rejects_ids_the_database_cannot_store(path: str) -> None:
    assert await list_message_types(Entrance(table_sockets), make_scope(Process(), path)) == [
        "websocket.close"
    ]


@pytest.mark.parametrize(
    "path", ["/m/\0/", "/m/\0/hands/1.json", "/pictures/\0.png", "/certificates/\0/"]
)
async def test_page_path_rejects_ids_the_database_cannot_store(path: str) -> None:
    with pytest.raises(Resolver404):
        resolve(path)


async def test_refused_socket_does_not_wait_in_the_queue(socket_class: type[OpenSocket]) -> None:
    process = Process()
    for _ in range(OPENING):
        await process.part(OpeningLimit).enter()
    entrance = Entrance({"ws/table/<str:public_id>/": socket_class})
    foreign = make_scope(process, "/ws/table/abc/", "http://evil.example")
    async with asyncio.timeout(SECONDS):
        assert await list_message_types(entrance, foreign) == ["websocket.close"]


async def test_arrival_has_the_address_and_the_table(socket_class: type[OpenSocket]) -> None:
    process = Process()
    socket_class.may_go.set()
    await list_message_types(
        Entrance({"ws/table/<str:public_id>/": socket_class}), make_scope(process, "/ws/table/abc/")
    )
    (arrival,) = socket_class.arrivals
    assert (arrival.process, arrival.identity, arrival.session_gone) == (process, None, False)
    assert (arrival.address, arrival.path) == ("203.0.113.9", "/ws/table/abc/")
    assert (arrival.query, arrival.named) == (b"follow", {"public_id": "abc"})


async def test_socket_keeps_its_turn_until_it_is_open_or_disconnects(
    socket_class: type[OpenSocket],
) -> None:
    process = Process()
    entrance = Entrance({"ws/table/<str:public_id>/": socket_class})
    all_of_them = asyncio.gather(
        *(
            list_message_types(entrance, make_scope(process, "/ws/table/abc/"))
            for _ in range(OPENING + 1)
        )
    )
    while not process.part(OpeningLimit)._slots.locked() or len(socket_class.arrivals) < OPENING:
        await asyncio.sleep(0.01)
    assert len(socket_class.arrivals) == OPENING
    socket_class.may_go.set()
    await all_of_them
    assert len(socket_class.arrivals) == OPENING + 1


async def test_socket_that_disconnects_in_the_queue_takes_no_turn(
    socket_class: type[OpenSocket],
) -> None:
    class ClosableLine(Line):
        gone = False

    process, line = Process(), ClosableLine()
    turns = [await process.part(OpeningLimit).enter() for _ in range(OPENING)]
    entrance = Entrance({"ws/table/<str:public_id>/": socket_class})
    waits = make_scope(process, "/ws/table/abc/") | {"extensions": {EXTENSION: line}}
    waiting = asyncio.create_task(list_message_types(entrance, waits))
    await asyncio.sleep(0)
    line.gone = True
    waits["extensions"].pop(EXTENSION)  # the server does this when a connection ends
    turns[0].end()
    assert (await waiting, socket_class.arrivals) == ([], [])
    assert not process.part(OpeningLimit)._slots.locked()
