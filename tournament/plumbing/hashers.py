"""How passwords are hashed: dear enough for who steals the database, not for who runs the site."""

import os
from threading import BoundedSemaphore

from django.contrib.auth.hashers import Argon2PasswordHasher
from nacl.exceptions import InvalidkeyError
from nacl.pwhash import argon2id

from games.process import here
from games.process.parts import Part

KIBIBYTE = 1024


class Turns(Part):
    """A process's turns at hashing, one for each core.

    More at once would be no faster, and forty people who sign in together would fill the memory.
    """

    def __init__(self) -> None:
        self.turn = BoundedSemaphore(os.cpu_count() or 1)


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id with the least that OWASP recommends: 19 MiB, two passes, one lane.

    https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
    libsodium computes it, with the widest registers that the machine has. A hash names its own
    cost: those made with Django's (100 MiB, eight lanes) are checked here too, and made anew when
    their owner signs in.
    """

    memory_cost = 19_456
    time_cost = 2
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """With 16 random bytes of libsodium's own, whatever Django's `salt` is."""
        with here().part(Turns).turn:
            made = argon2id.str(password.encode(), self.time_cost, KIBIBYTE * self.memory_cost)
        return f"{self.algorithm}{made.decode()}"

    def verify(self, password: str, encoded: str) -> bool:
        try:
            with here().part(Turns).turn:
                return argon2id.verify(_phc(encoded).encode(), password.encode())
        except InvalidkeyError:
            return False

    def decode(self, encoded: str) -> dict[str, object]:
        """The parts by name, costs as numbers."""
        algorithm, variety, version, costs, salt, made = encoded.split("$")
        memory, time, lanes = (int(cost[2:]) for cost in costs.split(","))
        return {
            "algorithm": algorithm,
            "variety": variety,
            "version": int(version[2:]),
            "memory_cost": memory,
            "time_cost": time,
            "parallelism": lanes,
            "salt": salt,
            "hash": made,
        }

    def must_update(self, encoded: str) -> bool:
        costs = f"m={self.memory_cost},t={self.time_cost},p={self.parallelism}"
        return not _phc(encoded).startswith(f"$argon2id$v=19${costs}$")


def _phc(encoded: str) -> str:
    """The hash as everybody writes it, without Django's word before it."""
    return f"${encoded.partition('$')[2]}"
