"""How passwords are hashed: dear enough for who steals the database, not for who runs the site."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.contrib.auth.hashers import Argon2PasswordHasher

from games.process import here
from games.process.parts import Part

P = ParamSpec("P")
T = TypeVar("T")


class HashThreads(Part):
    """A process's threads for hashing, one for each core.

    More at once would be no faster, and forty people who sign in together would fill the memory.
    Threads of their own, since each thread that ever hashed keeps a hash's memory for the next.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="hash")

    def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Wait for what the function answers in one of them."""
        return self._threads.submit(function, *args, **kwargs).result()

    def close(self) -> None:
        self._threads.shutdown()


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id with the least that OWASP recommends: 19 MiB, two passes, one lane.

    https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
    A hash names its own cost: those made with Django's (100 MiB, eight lanes) are checked here too,
    and made anew when their owner signs in.
    """

    memory_cost = 19_456
    time_cost = 2
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        return here().part(HashThreads).run(super().encode, password, salt)

    def verify(self, password: str, encoded: str) -> bool:
        return here().part(HashThreads).run(super().verify, password, encoded)
