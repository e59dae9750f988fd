"""How passwords are hashed: dear enough for who steals the database, not for who runs the site."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id with the least that OWASP recommends: 19 MiB, two passes, one lane.

    https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
    A hash names its own cost: those made with others are made anew when their owner signs in.
    """

    memory_cost = 19_456
    time_cost = 2
    parallelism = 1
