"""Facts about the request that opens a socket. The rest of the request is not kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from games.process import Process, run_in_database_thread
from games.process.asgi import Scope
from games.sockets.entrance.anonymous_limits import address_of
from games.sockets.entrance.identity import Identity, SessionEndedError, identify, session_key
from games.sockets.line.line import Line, line_of


@dataclass(frozen=True, slots=True)
class Arrival:
    """A client's request to open a socket.

    * `identity`: the client's account or guest, or None for a visitor.
    * `session_gone`: true if the visitor had a session that has ended.
    * `named`: the values in the path, such as the id of the match.
    """

    process: Process
    wire: Line
    language: str
    identity: Identity | None
    session_gone: bool
    address: str
    path: str
    query: bytes
    named: Mapping[str, str]

    def query_contains(self, word: bytes) -> bool:
        """Return whether the query string contains `word`."""
        return word in self.query.split(b"&")

    @classmethod
    async def from_scope(cls, scope: Scope, named: Mapping[str, str]) -> Self:
        """Create an arrival from a connection's scope, which must have "process" and "language"."""
        identity, gone = None, False
        try:
            identity = await run_in_database_thread(identify, session_key(scope))
        except SessionEndedError:
            gone = True
        return cls(
            process=scope["process"],
            wire=line_of(scope),
            language=scope["language"],
            identity=identity,
            session_gone=gone,
            address=address_of(scope),
            path=scope["path"],
            query=scope["query_string"],
            named=named,
        )
