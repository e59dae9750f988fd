"""Password hashing that is fast enough for sign-in, but too slow for guessing passwords."""

from django.contrib.auth.hashers import Argon2PasswordHasher


class PasswordHasher(Argon2PasswordHasher):
    """Argon2id with OWASP's minimum parameters: 19 MiB, two passes, one lane.

    https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
    A hash includes its parameters. If they are outdated, the hash is renewed when its owner signs
    in.
    """

    memory_cost = 19_456
    time_cost = 2
    parallelism = 1
