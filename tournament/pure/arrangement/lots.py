"""Numbered random draws from a key that was committed to beforehand.

No one can choose the result, and anyone who knows the revealed key can repeat every draw.
docs/fair-deal.md specifies the bytes.
"""

import hashlib
import json

from tournament.pure.arrangement.costs import (
    PastRound,
    SeatingPlayer,
    SeatingProblem,
    SeatingRules,
)


def compute_commitment(event: int, stage: int, key: str) -> str:
    """Return the commitment to a key for one stage of an event, as a SHA-256 in hexadecimal.

    `event` is the event's primary key. `stage` is the stage's number, or 0 for the event itself.
    """
    return _hash_text(f"lastcard lots 1\n{event}\n{stage}\n{key}")


def draw_key(lots_key: str, number: int, draw: int, digest: str) -> str:
    """Derive the key of one draw from the lots key.

    * `number`: the round's number.
    * `draw`: the number of the draw within the round, from 1.
    * `digest`: the digest of the draw's input.
    """
    return _hash_text(f"lastcard draw 1\n{lots_key}\n{number}\n{draw}\n{digest}")


def read_problem(text: str) -> SeatingProblem:
    """Parse the output of `SeatingProblem.text()`. The players have no names."""
    players, history, (size, least, most, rounds_to_come), flags, (apart, fixed), *partners = (
        json.loads(text)
    )
    by_points, groups_apart = flags
    return SeatingProblem(
        players=tuple(SeatingPlayer(pk, "", points, group) for pk, points, group in players),
        history=tuple(
            PastRound(tuple(tuple(table) for table in tables), tuple(byes))
            for tables, byes in history
        ),
        rules=SeatingRules(
            table_size=size,
            minimum=least,
            maximum=most,
            apart=tuple((player_a, player_b) for player_a, player_b in apart),
            fixed=tuple((player, table) for player, table in fixed),
            by_points=by_points,
            groups_apart=groups_apart,
            rounds_to_come=rounds_to_come,
            partners=bool(partners),
        ),
    )


def _hash_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
