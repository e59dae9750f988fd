"""How passwords are hashed: dear enough for who steals the database, not for who runs the site."""

import os
from concurrent.futures import ThreadPoolExecutor

from django.contrib.auth.hashers import Argon2PasswordHasher

# More at once would be no faster, and forty people who sign in together would fill the memory.
# Threads of their own, since each thread that ever hashed keeps a hash's memory for the next.
_workers = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="hash")


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
        return _workers.submit(super().encode, password, salt).result()

    def verify(self, password: str, encoded: str) -> bool:
        return _workers.submit(super().verify, password, encoded).result()
